/// Tests of scopes and of the runs that contain their messages. When a run begins, the open work of
/// its scope increases by the number of messages that the run can hold. When another scope sends
/// the same closure type, the run is closed, and the open work decreases by the number of unused
/// messages.

#include "system/parallel/finish_scope.hpp"

#include "system/net/transport.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/repetitions.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t ended[64];  // number of messages of each scope that this core has executed

int64_t ended_everywhere(int scope) {
  return sum_all_cores([scope] { return ended[scope]; });
}

void reset() {
  on_all_cores([] {
    for (int64_t& count : ended) count = 0;
  });
}

/// A message of the scope with this number. All scopes send the same closure type.
template <size_t kPadding>
struct Message {
  int scope;
  char padding[kPadding];
  void operator()() const { ++ended[scope]; }
};

template <size_t kPadding>
void send(int scope, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    delegate::call<async>(static_cast<Core>(k % cores()), Message<kPadding>{scope, {}});
  }
}

/// True if there are enough free buffers for messages to all cores. In this case, sending does not
/// suspend, so no message of a scope is executed before the task of the scope waits.
bool sends_without_waiting() {
  return transport().available() + static_cast<size_t>(cores()) > 3 * static_cast<size_t>(cores());
}

template <size_t kPadding>
void expect_exact_end(int64_t n) {
  reset();
  finish([n] { send<kPadding>(0, n); });
  EXPECT_EQ(n, ended_everywhere(0)) << "with " << kPadding << " bytes";
}

TEST(FinishRuns, EndsWithItsMessagesForAnyCapacityOfTheirRuns) {
  // Chunks have 256, 512, ... bytes. Some of these counts fill chunks exactly, some have one
  // message more or less.
  for (const int64_t per_core : {1, 27, 28, 29, 60, 61, 124, 300}) {
    const int64_t n = per_core * cores();
    expect_exact_end<4>(n);
    expect_exact_end<1>(n);
    expect_exact_end<60>(n);
    expect_exact_end<3000>(n);
  }
}

TEST(FinishRuns, HasNoOpenWorkWhenItEnds) {
  for (int64_t n = 0; n < 150; ++n) {
    FinishScope scope;
    send<12>(0, n);
    if (n > 0 && sends_without_waiting()) {
      EXPECT_GE(scope.open, n);
    }
    scope.wait();
    ASSERT_EQ(0, scope.open) << n << " messages";
  }
}

TEST(FinishRuns, GivesBackItsCountWhenAnotherScopeSendsTheSameType) {
  reset();
  FinishScope outer;
  send<4>(0, cores());
  const int64_t with_room = outer.open;
  if (sends_without_waiting()) {
    EXPECT_GT(with_room, cores());
  }
  {
    FinishScope inner;
    send<4>(1, cores());
    if (sends_without_waiting()) {
      EXPECT_EQ(cores(), outer.open) << "its runs were closed, each with one message";
    }
    send<4>(1, 7 * cores());
    inner.wait();
    EXPECT_EQ(8 * cores(), ended_everywhere(1));
  }
  send<4>(0, 9 * cores());
  outer.wait();
  EXPECT_EQ(10 * cores(), ended_everywhere(0));
}

TEST(FinishRuns, EndsThoughAnotherScopesMessageOfTheSameTypeWaits) {
  static CompletionEvent gate;  // each core has its own instance
  struct Waiting {
    bool waits;
    void operator()() const {
      if (waits) gate.wait();
    }
  };
  on_all_cores([] { gate.enroll(1); });
  finish([] {
    for (Core core = 0; core < cores(); ++core) delegate::call<async>(core, Waiting{true});
    for (int turn = 0; turn < 20; ++turn) {
      finish([] {  // would not end if the scopes shared a run
        for (Core core = 0; core < cores(); ++core) delegate::call<async>(core, Waiting{false});
      });
    }
    on_all_cores([] { gate.complete(); });
  });
}

/// Several tasks alternately send messages of the same types. Each task has its own scope.
void alternate(int first_scope, int scopes) {
  forall_here(0, scopes, [first_scope](int64_t k) {
    const int scope = first_scope + static_cast<int>(k);
    for (int64_t round = 1; round <= 8; ++round) {
      finish([=] {
        for (int turns = 0; turns < 10; ++turns) {
          send<4>(scope, cores());
          yield();
          send<60>(scope, 2 * cores());
          if (turns % 3 == 0) yield();
        }
      });
      EXPECT_EQ(round * 30 * cores(), ended_everywhere(scope)) << "scope " << scope;
    }
  });
}

TEST(FinishRuns, OfAlternatingTasksEndEachWithItsOwnMessages) {
  reset();
  alternate(0, 8);
}

TEST(FinishRuns, OfManyCoresEndEachWithItsOwnMessages) {
  reset();
  on_all_cores([] { alternate(4 * static_cast<int>(mycore()), 4); });
}

TEST(FinishRuns, OfRemoteScopesMayAlternate) {
  reset();
  // Each of six scopes has tasks on all cores. So on each core, tasks of different scopes
  // alternate, and most tasks do not run on the core that owns their scope.
  forall_here(0, 6, [](int64_t scope) {
    finish([scope] {
      for (Core core = 0; core < cores(); ++core) {
        delegate::call<async>(core, [scope] {
          for (int tasks = 0; tasks < 5; ++tasks) {
            spawn([scope] {
              for (int turns = 0; turns < 10; ++turns) {
                send<4>(static_cast<int>(scope), cores());
                yield();
              }
            });
          }
        });
      }
    });
    EXPECT_EQ(cores() * 5 * 10 * cores(), ended_everywhere(static_cast<int>(scope)));
  });
}

TEST(FinishRuns, OfMigratingTasksCountCorrectly) {
  for (int64_t round = 0; round < repetitions(10, 2); ++round) {
    reset();
    forall_here(0, 4, [](int64_t scope) {
      const int number = static_cast<int>(scope);
      finish([number] {
        for (int tasks = 0; tasks < 200; ++tasks) {
          spawn<unbound>([number] {
            send<4>(number, cores());
            if (number % 2 == 0) yield();
            send<60>(number, cores());
            delegate::call(static_cast<Core>((mycore() + 1) % cores()),
                           [number] { send<4>(number, cores()); });
          });
        }
      });
      EXPECT_EQ(200 * 3 * cores(), ended_everywhere(number));
    });
  }
}

TEST(FinishRuns, MayEndInsideAMessageThatWaitsForThem) {
  reset();
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      for (int k = 0; k < 20; ++k) {
        delegate::call<async>(core, [] {
          finish([] { send<4>(1, cores()); });
          ++ended[2];
        });
      }
    }
  });
  EXPECT_EQ(20 * cores(), ended_everywhere(2));
  EXPECT_EQ(20 * cores() * cores(), ended_everywhere(1));
}

}  // namespace
