#include "system/net/transport.hpp"

#include "system/message/aggregator.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <type_traits>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t on_this_core = 0;

TEST(Delegate, RunsAtTheGivenCore) {
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(core, delegate::call(core, [] { return mycore(); }));
  }
}

TEST(Delegate, ReturnsPlainStructs) {
  struct Numbers {
    int64_t a;
    double b;
    char c;
  };
  const Core last = static_cast<Core>(cores() - 1);
  const Numbers numbers = delegate::call(last, [] { return Numbers{-7, 2.5, 'x'}; });
  EXPECT_EQ(-7, numbers.a);
  EXPECT_EQ(2.5, numbers.b);
  EXPECT_EQ('x', numbers.c);
}

TEST(Delegate, PassesTheObjectByReferenceOrByPointer) {
  auto word = global_alloc<int64_t>(1);
  delegate::call(word, [](int64_t& w) { w = 3; });
  delegate::call(word, [](int64_t* w) { *w *= 5; });
  EXPECT_EQ(15, delegate::call(word, [](const int64_t& w) { return w; }));
  global_free(word);
}

TEST(Delegate, PerformsAllWordOperations) {
  auto array = global_alloc<int64_t>(100);
  for (int64_t k = 0; k < 100; ++k) {
    const auto word = array + k;
    delegate::write(word, 10);
    EXPECT_EQ(10, delegate::fetch_and_add(word, 5));
    delegate::increment(word, 1);
    EXPECT_FALSE(delegate::compare_and_swap(word, 15, 99));
    EXPECT_EQ(16, delegate::read(word));
    EXPECT_TRUE(delegate::compare_and_swap(word, 16, 99));
    EXPECT_EQ(99, delegate::read(word));
  }
  global_free(array);
}

TEST(Delegate, TakesEffectBeforeItReturns) {
  auto word = global_alloc<int64_t>(1);
  delegate::write(word, 0);
  for (int64_t k = 0; k < 1000; ++k) {
    delegate::write(word, k);
    ASSERT_EQ(k, delegate::read(word));
  }
  global_free(word);
}

TEST(Delegate, AppliesAllUpdatesOfManyTasks) {
  auto word = global_alloc<int64_t>(1);
  delegate::write(word, 0);
  forall(0, 20000, [word](int64_t) { delegate::increment(word, 1); });
  EXPECT_EQ(20000, delegate::read(word));
  global_free(word);
}

TEST(Delegate, FetchAndAddReturnsEachNumberOnce) {
  const int64_t n = 5000;
  auto counter = global_alloc<int64_t>(1);
  auto taken = global_alloc<int64_t>(n);
  delegate::write(counter, 0);
  Grappa::memset(taken, 0, n);
  forall(0, n,
         [=](int64_t) { delegate::increment(taken + delegate::fetch_and_add(counter, 1), 1); });
  forall(taken, n, [](int64_t& times) { EXPECT_EQ(1, times); });
  global_free(counter);
  global_free(taken);
}

TEST(Delegate, SuspendedHandlersAnswerDuringAFloodOfMessages) {
  // While the bodies wait, work of other cores arrives and takes buffers that the bodies need.
  auto words = global_alloc<int64_t>(1000);
  Grappa::memset(words, 0, 1000);
  on_all_cores([words] {
    forall_here(0, 50, [words](int64_t k) {
      finish([=] {
        for (Core core = 0; core < cores(); ++core) {
          delegate::call(core, [=] {
            yield();
            spawn([=] {
              yield();
              delegate::increment(words + k, 1);
            });
            yield();
          });
          struct Large {
            char bytes[3000];
          } large = {};
          delegate::call<async>(core,
                                [=] { delegate::increment(words + 500 + large.bytes[7], 1); });
        }
      });
    });
  });
  const int64_t pairs = cores() * cores();
  for (int64_t k = 0; k < 50; ++k) EXPECT_EQ(pairs, delegate::read(words + k));
  EXPECT_EQ(50 * pairs, delegate::read(words + 500));
  global_free(words);
}

TEST(Delegate, SendsNoMessageToTheOwnCore) {
  auto words = global_alloc<int64_t>(8 * cores());
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [words] {
      GlobalAddress<int64_t> mine = words;
      while (mine.core() != mycore()) mine += 8;
      yield();  // flushes the messages that other cores wait for
      const uint64_t sent = transport().buffers_sent();
      const bool held = aggregator().holds_messages();
      for (const auto word : {mine, make_global(mine.pointer())}) {
        delegate::write(word, 3);
        delegate::increment(word, 1);
        EXPECT_EQ(4, delegate::fetch_and_add(word, 2));
        EXPECT_TRUE(delegate::compare_and_swap(word, 6, 7));
        EXPECT_EQ(7, delegate::read(word));
        EXPECT_EQ(7, delegate::call(word, [](int64_t& w) { return w; }));
      }
      EXPECT_EQ(mycore(), delegate::call(mycore(), [] { return mycore(); }));
      EXPECT_EQ(sent, transport().buffers_sent());
      EXPECT_EQ(held, aggregator().holds_messages());
    });
  }
  global_free(words);
}

TEST(Delegate, MaySuspendAtTheOwner) {
  const Core last = static_cast<Core>(cores() - 1);
  const int64_t answer = delegate::call(last, [] {
    yield();
    return delegate::call(0, [] {
      yield();
      return int64_t{17};
    });
  });
  EXPECT_EQ(17, answer);
}

TEST(Delegate, HoldsAMutexAtTheOwnerWhileItWritesElsewhere) {
  static Mutex lock;
  static int64_t inside = 0;
  auto words = global_alloc<int64_t>(64);
  const Core last = static_cast<Core>(cores() - 1);
  forall(0, 300, [=](int64_t k) {
    delegate::call(last, [=] {
      lock.lock();
      EXPECT_EQ(1, ++inside);
      delegate::write(words + k % 64, k);
      EXPECT_EQ(0, --inside);
      lock.unlock();
    });
  });
  global_free(words);
}

TEST(Delegate, WorkOfItsBodyJoinsTheCallersScope) {
  auto word = global_alloc<int64_t>(1);
  delegate::write(word, 0);
  for (Core core = 0; core < cores(); ++core) {
    finish([=] {
      delegate::call(core, [=] {
        for (int k = 0; k < 100; ++k) {
          spawn([=] {
            for (int turns = 0; turns < 5; ++turns) yield();
            delegate::increment(word, 1);
          });
        }
      });
    });
    EXPECT_EQ(100 * (core + 1), delegate::read(word));
  }
  global_free(word);
}

TEST(DelegateAsync, IsCompleteAfterItsScope) {
  const int64_t n = 10000;
  auto array = global_alloc<int64_t>(n);
  Grappa::memset(array, 0, n);
  for (int64_t round = 1; round <= 5; ++round) {
    finish([=] {
      for (int64_t k = 0; k < n; ++k) delegate::increment<async>(array + k, k);
    });
    forall(array, n, [round](int64_t k, int64_t& value) { EXPECT_EQ(round * k, value); });
  }
  global_free(array);
}

TEST(DelegateAsync, MayStartMoreAsyncDelegates) {
  on_all_cores([] { on_this_core = 0; });
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      delegate::call<async>(core, [] {
        for (Core next = 0; next < cores(); ++next) {
          delegate::call<async>(next, [] {
            spawn([] {
              yield();
              delegate::call<async>(0, [] { ++on_this_core; });
            });
          });
        }
      });
    }
  });
  EXPECT_EQ(cores() * cores(), on_this_core);
}

TEST(DelegateAsync, BlockingModeEqualsNoMode) {
  auto word = global_alloc<int64_t>(1);
  delegate::write<blocking>(word, 4);
  EXPECT_EQ(4, delegate::call<blocking>(word, [](int64_t& w) { return w; }));
  EXPECT_EQ(5, delegate::call<blocking>(word.core(), [] { return 5; }));
  global_free(word);
}

struct WhereAmI {
  Core operator()() const { return mycore(); }
};
int64_t twice_my_core() { return 2 * mycore(); }

TEST(Delegate, RunsFunctionsAndFunctionObjects) {
  const Core last = static_cast<Core>(cores() - 1);
  EXPECT_EQ(last, delegate::call(last, WhereAmI()));
  EXPECT_EQ(2 * last, delegate::call(last, twice_my_core));
}

struct Triple {
  int64_t a, b, c;
  bool operator==(const Triple& other) const {
    return a == other.a && b == other.b && c == other.c;
  }
};
// Each core has its own instances.
Triple triple;
double real;
bool flag;

TEST(Delegate, WordsMayBeOfAnyTypeThatTravels) {
  const Core last = static_cast<Core>(cores() - 1);
  const auto triple_there = make_global(&triple, last);
  delegate::write(triple_there, Triple{1, 2, 3});
  EXPECT_TRUE(delegate::compare_and_swap(triple_there, Triple{1, 2, 3}, Triple{4, 5, 6}));
  EXPECT_EQ((Triple{4, 5, 6}), delegate::read(triple_there));
  const auto flag_there = make_global(&flag, last);
  delegate::write(flag_there, true);
  EXPECT_TRUE(delegate::read(flag_there));
  const auto real_there = make_global(&real, last);
  delegate::write(real_there, 7);  // converts the value
  EXPECT_EQ(7.0, delegate::fetch_and_add(real_there, 0.25));
  delegate::increment(real_there, 0.5);
  finish([real_there] {
    delegate::increment<async>(real_there, 0.25);
    delegate::increment<async>(real_there, 1);
  });
  EXPECT_TRUE(delegate::compare_and_swap(real_there, 9.0, -2));
  EXPECT_EQ(-2.0, delegate::read(real_there));
  finish([real_there] { delegate::write<async>(real_there, 3); });
  EXPECT_EQ(3.0, delegate::read(real_there));
}

template <class T>
void expect_nothing() {
  static_assert(std::is_void<T>::value, "async delegates return nothing");
}

TEST(DelegateAsync, ReturnsNothing) {
  typedef GlobalAddress<int64_t> Word;
  expect_nothing<decltype(delegate::call<async>(Core(), twice_my_core))>();
  expect_nothing<decltype(delegate::write<async>(Word(), 1))>();
  expect_nothing<decltype(delegate::increment<async>(Word(), 1))>();
  expect_nothing<decltype(delegate::fetch_and_add<async>(Word(), 1))>();
  expect_nothing<decltype(delegate::compare_and_swap<async>(Word(), 1, 2))>();
  static_assert(async == SyncMode::Async && blocking == SyncMode::Blocking, "two names of each");
}

}  // namespace
