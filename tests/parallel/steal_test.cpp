#include "system/parallel/steal.hpp"

#include "system/net/transport.hpp"
#include "system/observe/counters.hpp"

#include <Grappa.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <set>
#include <vector>

namespace Grappa {
namespace {

// What this core has run; on core 0 what all have.
int64_t ran_here = 0;
int64_t sum_here = 0;

void reset() {
  on_all_cores([] { ran_here = sum_here = 0; });
}

int64_t ran_in_all() {
  int64_t ran = 0;
  for (Core core = 0; core < cores(); ++core) {
    ran += delegate::call(core, [] { return ran_here; });
  }
  return ran;
}

int64_t sum_of_all() {
  int64_t sum = 0;
  for (Core core = 0; core < cores(); ++core) {
    sum += delegate::call(core, [] { return sum_here; });
  }
  return sum;
}

/// This core's value of a counter.
uint64_t counted(const char* name) {
  for (const Counter* counter = Counter::first(); counter != nullptr; counter = counter->next()) {
    if (std::strcmp(counter->name(), name) == 0) return counter->value();
  }
  GRAPPA_CHECK(false) << "no counter " << name;
  return 0;
}

/// What a core has sent as a thief.
uint64_t requests_of(Core core) {
  return delegate::call(core, [] { return counted("steal.asked") + counted("steal.waits"); });
}

uint64_t requests_of_all() {
  uint64_t requests = 0;
  for (Core core = 0; core < cores(); ++core) requests += requests_of(core);
  return requests;
}

/// Waits until another core has polled so many times and found nothing. Returns how many messages
/// of its own that took: it answers each question with one.
uint64_t wait_for_empty_polls(Core core, uint64_t polls) {
  const auto empty_polls = [] { return counted("message.empty_polls"); };
  const uint64_t enough = delegate::call(core, empty_polls) + polls;
  uint64_t questions = 1;
  for (uint64_t seen = 0; seen < enough; ++questions) seen = delegate::call(core, empty_polls);
  return questions;
}

/// Waits until no core has tasks or asks for any: each has left word with its neighbours.
void fall_silent() {
  uint64_t before;
  do {
    before = requests_of_all();
    // Messages between two cores arrive in the order sent: all requests are answered then.
    on_all_cores([] {
      for (Core core = 0; core < cores(); ++core) delegate::call(core, [] {});
    });
    for (Core core = 0; core < cores(); ++core) {
      if (core != mycore()) wait_for_empty_polls(core, 20);
    }
  } while (requests_of_all() != before);
}

/// A task that has left this core for another.
struct Gift {
  int64_t number;
  Core thief;
};

std::vector<Gift>& gifts() {
  static std::vector<Gift> all;
  return all;
}

std::vector<int64_t>& ran_in_order() {
  static std::vector<int64_t> numbers;
  return numbers;
}

struct Numbered {
  int64_t number;

  void operator()() {
    ran_in_order().push_back(number);
    ++ran_here;
    sum_here += number;
  }

  static void send(Task* task, Core thief) {
    gifts().push_back(Gift{task->body.body<Numbered>().number, thief});
    detail::PublicBody<Numbered>::send(task, thief);
  }
};

/// As spawn<unbound> does, and notes which tasks leave this core. Does not switch.
void spawn_numbered(int64_t first, int64_t end) {
  for (int64_t number = first; number < end; ++number) {
    scheduler().start_public_task(
        PublicTask{Task{Closure::make(Numbered{number}), current_scope()}, &Numbered::send});
  }
}

/// Before a test that watches gifts.
void reset_and_fall_silent() {
  on_all_cores([] {
    ran_here = sum_here = 0;
    gifts().clear();
    ran_in_order().clear();
  });
  fall_silent();
}

/// The cores that have this one for a neighbour.
std::set<Core> cores_that_leave_word_here() {
  std::set<Core> thieves;
  for (int distance = 1; distance < cores(); distance *= 2) {
    thieves.insert(static_cast<Core>((mycore() + cores() - distance) % cores()));
  }
  return thieves;
}

std::set<Core> thieves_of_gifts() {
  std::set<Core> thieves;
  for (const Gift& gift : gifts()) thieves.insert(gift.thief);
  return thieves;
}

TEST(Steal, EachTaskRunsOnceWhereverThatIs) {
  const int64_t kTasks = 20000;
  reset();
  finish([] {
    for (int64_t k = 0; k < kTasks; ++k) {
      spawn<unbound>([k] {
        ++ran_here;
        sum_here += k;
        if (k % 7 == 0) yield();
      });
    }
  });
  EXPECT_EQ(ran_in_all(), kTasks);
  EXPECT_EQ(sum_of_all(), kTasks * (kTasks - 1) / 2);
}

bool other_core_has_run = false;

TEST(Steal, IdleCoresTakeTasks) {
  if (cores() == 1) return;
  other_core_has_run = false;
  const Core home = mycore();
  fall_silent();  // or all tasks may have started here before another core has
                  // asked for any
  finish([home] {
    for (int k = 0; k < 100; ++k) {
      spawn<unbound>([home] {
        if (mycore() == home) {
          while (!other_core_has_run) yield();  // for ever, if nobody took one
        } else {
          delegate::call(home, [] { other_core_has_run = true; });
        }
      });
    }
  });
  EXPECT_TRUE(other_core_has_run);
}

/// A binary tree of so many levels, a task for each node; tasks start tasks wherever they are.
void grow(int levels) {
  ++ran_here;
  if (levels == 0) return;
  spawn<unbound>([levels] { grow(levels - 1); });
  spawn<unbound>([levels] { grow(levels - 1); });
}

TEST(Steal, ScopesWaitForTasksThatHaveMovedAndForTheirTasks) {
  for (int turn = 0; turn < 20; ++turn) {
    reset();
    finish([] { grow(9); });
    EXPECT_EQ(ran_in_all(), (1 << 10) - 1);
  }
}

TEST(Steal, NestedScopesEndEachWithItsOwn) {
  reset();
  finish([] {
    for (int outer = 0; outer < 20; ++outer) {
      spawn<unbound>([] {
        finish([] { grow(4); });
        ++ran_here;
      });
    }
  });
  EXPECT_EQ(ran_in_all(), 20 * 31 + 20);
}

template <size_t kBytes>
struct Large {
  unsigned char bytes[kBytes];
  void operator()() {
    for (unsigned char byte : bytes) sum_here += byte;
    ++ran_here;
    yield();
  }
};

template <size_t kBytes>
void spawn_large(int count) {
  Large<kBytes> body;
  for (unsigned char& byte : body.bytes) byte = 3;
  for (int k = 0; k < count; ++k) spawn<unbound>(body);
}

TEST(Steal, LargeClosuresMoveWhole) {
  reset();
  finish([] {
    spawn_large<49>(1000);
    spawn_large<1000>(1000);
    spawn_large<kMaxClosureBytes>(100);
  });
  EXPECT_EQ(ran_in_all(), 2100);
  EXPECT_EQ(sum_of_all(), 3 * (49 * 1000 + 1000 * 1000 + 100 * int64_t{kMaxClosureBytes}));
}

TEST(Steal, BoundTasksStay) {
  static int64_t elsewhere;
  const Core home = mycore();
  on_all_cores([] { elsewhere = 0; });
  finish([home] {
    for (int k = 0; k < 2000; ++k) {
      spawn<bound>([home] {
        if (mycore() != home) ++elsewhere;
        yield();
      });
    }
  });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(delegate::call(core, [] { return elsewhere; }), 0);
  }
}

TEST(Steal, AnEventWaitsForTasksWhereverTheyEnd) {
  reset();
  CompletionEvent event;
  for (int k = 0; k < 1000; ++k) {
    spawn<unbound>(&event, [] {
      ++ran_here;
      yield();
    });
  }
  event.wait();
  EXPECT_EQ(event.get_count(), 0);
  EXPECT_EQ(ran_in_all(), 1000);
}

TEST(Steal, TasksMayBlockOnOtherCores) {
  static int64_t counter;
  on_all_cores([] { counter = 0; });
  finish([] {
    for (int k = 0; k < 2000; ++k) {
      spawn<unbound>([k] { delegate::call(static_cast<Core>(k % cores()), [] { ++counter; }); });
    }
  });
  int64_t all = 0;
  for (Core core = 0; core < cores(); ++core) all += delegate::call(core, [] { return counter; });
  EXPECT_EQ(all, 2000);
}

TEST(Steal, IdleCoresFallSilent) {
  reset_and_fall_silent();
  const uint64_t before = requests_of_all();
  for (Core core = 0; core < cores(); ++core) {
    if (core == mycore()) continue;
    const uint64_t sent = delegate::call(core, [] { return transport().buffers_sent(); });
    const uint64_t questions = wait_for_empty_polls(core, 100);
    EXPECT_EQ(delegate::call(core, [] { return transport().buffers_sent(); }), sent + 1 + questions)
        << "core " << core << " sends more than the answers to what it is asked";
  }
  EXPECT_EQ(requests_of_all(), before);
}

TEST(Steal, AVictimKeepsHalfAndGivesItsOldestToEachThatHasLeftWord) {
  if (cores() == 1) return;
  for (const int64_t tasks : {100, 1000}) {
    reset_and_fall_silent();
    finish([tasks] {
      spawn_numbered(0, tasks);
      detail::share();
      const int64_t given = static_cast<int64_t>(gifts().size());
      int64_t left = tasks;
      for (int64_t k = 0; k < given;) {
        const Core thief = gifts()[static_cast<size_t>(k)].thief;
        int64_t count = 0;
        for (; k < given && gifts()[static_cast<size_t>(k)].thief == thief; ++k, ++count) {
          EXPECT_EQ(gifts()[static_cast<size_t>(k)].number, k) << "of the oldest first";
        }
        EXPECT_EQ(count, left / 2);
        left -= count;
      }
      EXPECT_EQ(scheduler().public_tasks(), static_cast<size_t>(left));
      EXPECT_EQ(thieves_of_gifts(), cores_that_leave_word_here());
    });
    EXPECT_EQ(ran_in_all(), tasks);
    EXPECT_EQ(sum_of_all(), tasks * (tasks - 1) / 2);
  }
}

TEST(Steal, MovesNoMoreAtOnceThanItMay) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  const int64_t most = parallel_options().most_tasks_at_once;
  finish([most] {
    spawn_numbered(0, 20 * most);
    detail::share();
    const int64_t thieves = static_cast<int64_t>(cores_that_leave_word_here().size());
    EXPECT_EQ(static_cast<int64_t>(gifts().size()), thieves * most);
  });
  EXPECT_EQ(ran_in_all(), 20 * most);
}

TEST(Steal, ACoreThatCannotStartTasksGivesItsLastOne) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  finish([] {
    CompletionEvent gate(1);
    const int64_t free = scheduler().options().num_workers - scheduler().live_tasks();
    CompletionEvent busy(free);
    for (int64_t k = 0; k < free; ++k) {
      Grappa::spawn([&gate, &busy] {
        busy.complete();
        gate.wait();
      });
    }
    busy.wait();
    spawn_numbered(0, 1);
    detail::share();
    EXPECT_EQ(gifts().size(), 1u);
    gate.complete();
    while (scheduler().live_tasks() > 0) yield();  // they refer to what is on this stack
  });
  EXPECT_EQ(ran_in_all(), 1);
}

TEST(Steal, RemembersThievesUntilThereIsSomethingToGive) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  finish([] {
    detail::share();
    spawn_numbered(0, 1);
    detail::share();
    EXPECT_TRUE(gifts().empty()) << "half of one task";
    spawn_numbered(1, 100);
    detail::share();
    EXPECT_EQ(thieves_of_gifts(), cores_that_leave_word_here());
  });
  EXPECT_EQ(ran_in_all(), 100);
}

TEST(Steal, GivesToEachThiefOnceForEachTimeItHasLeftWord) {
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
    const size_t given = gifts().size();
    detail::share();
    EXPECT_EQ(gifts().size(), given);
  });
  EXPECT_EQ(ran_in_all(), 100);
}

TEST(Steal, ThievesLeaveWordAnewWhenTheyAreIdleAgain) {
  for (int turn = 0; turn < 3; ++turn) {
    reset_and_fall_silent();
    finish([] {
      spawn_numbered(0, 100);
      detail::share();
    });
    std::set<Core> thieves = thieves_of_gifts();
    for (Core thief : cores_that_leave_word_here()) EXPECT_EQ(thieves.count(thief), 1u) << thief;
    EXPECT_EQ(ran_in_all(), 100);
  }
}

TEST(Steal, WordThatFindsTasksIsAnsweredAtOnceAndCanBeLeftAgain) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    // As at the start of a job, when nobody has left word yet.
    detail::start_stealing();
    const auto start = [] { detail::start_stealing(); };
    for (Core core = 0; core < cores(); ++core) {
      if (core == mycore()) continue;
      aggregator().append<Acknowledged::Never, MayWait::Never>(core, 0, start);  // no switch
    }
    aggregator().flush_all(FlushCause::Asked);
    TaskScope* const mine = current_scope();
    while (gifts().empty()) aggregator().poll();  // for ever, if word is only kept
    scheduler().set_scope(mine);                  // handlers have run in theirs
    EXPECT_GE(gifts().size(), 50u);
  });
  EXPECT_EQ(ran_in_all(), 100);
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
    EXPECT_EQ(thieves_of_gifts(), cores_that_leave_word_here());
  });
}

TEST(Steal, WhoHasHadTasksAsksOthersBeforeItLeavesWord) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  const auto asked = [] { return counted("steal.asked"); };
  std::vector<uint64_t> before;
  for (Core core = 0; core < cores(); ++core) before.push_back(delegate::call(core, asked));
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
  });
  fall_silent();
  for (Core thief : thieves_of_gifts()) {
    EXPECT_GE(delegate::call(thief, asked),
              before[static_cast<size_t>(thief)] +
                  static_cast<uint64_t>(parallel_options().steal_attempts));
  }
}

TEST(Steal, AsksOneCoreAtATime) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  const Core next = static_cast<Core>((mycore() + 1) % cores());
  send_message(next, [] {
    spawn_numbered(0, 100);
    detail::share();
  });
  while (ran_here == 0) yield();  // not idle, so it does not ask by itself
  const uint64_t before = counted("steal.asked");
  detail::steal();
  detail::steal();
  EXPECT_EQ(counted("steal.asked"), before + 1);
  while (ran_in_all() < 100) yield();
}

TEST(Steal, CountsTheTasksThatMove) {
  reset_and_fall_silent();
  const uint64_t before = counted("steal.tasks");
  finish([before] {
    spawn_numbered(0, 100);
    detail::share();
    EXPECT_EQ(counted("steal.tasks") - before, gifts().size());
  });
}

TEST(Steal, WhatStaysRunsNewestFirst) {
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
  });
  std::set<int64_t> given;
  for (const Gift& gift : gifts()) given.insert(gift.number);
  std::vector<int64_t> stayed, newest_first;
  for (int64_t number : ran_in_order()) {
    if (given.count(number) == 0) stayed.push_back(number);
  }
  for (int64_t number = 99; number >= 0; --number) {
    if (given.count(number) == 0) newest_first.push_back(number);
  }
  EXPECT_EQ(stayed, newest_first);
}

int64_t bodies_on_heap = 0;  // of Patterned, on this core
int64_t bodies_moved = 0;

/// No two of its bytes need be alike, and it counts itself.
template <size_t kBytes>
struct Patterned {
  unsigned char bytes[kBytes];

  explicit Patterned(int id) {
    for (size_t k = 0; k < kBytes; ++k) bytes[k] = pattern(id, k);
  }

  static unsigned char pattern(int id, size_t k) {
    return static_cast<unsigned char>(static_cast<size_t>(id) + k * 7 + k / 256 * 13);
  }

  void operator()() {
    int wrong = 0;
    for (size_t k = 0; k < kBytes; ++k) wrong += bytes[k] != pattern(bytes[0], k);
    EXPECT_EQ(wrong, 0);
    ++ran_here;
    sum_here += bytes[0];
  }

  static void send(Task* task, Core thief) {
    ++bodies_moved;
    detail::PublicBody<Patterned>::send(task, thief);
  }

  static void* operator new(size_t size) {
    ++bodies_on_heap;
    return ::operator new(size);
  }
  static void* operator new(size_t, void* place) { return place; }
  static void operator delete(void* body) {
    --bodies_on_heap;
    ::operator delete(body);
  }
};

template <size_t kBytes>
void move_patterned() {
  if (cores() == 1) return;
  reset_and_fall_silent();
  on_all_cores([] { bodies_moved = 0; });
  finish([] {
    for (int id = 0; id < 100; ++id) {
      scheduler().start_public_task(PublicTask{
          Task{Closure::make(Patterned<kBytes>(id)), current_scope()}, &Patterned<kBytes>::send});
    }
    detail::share();
  });
  EXPECT_GE(bodies_moved, 50);
  EXPECT_EQ(ran_in_all(), 100);
  EXPECT_EQ(sum_of_all(), 4950);
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(delegate::call(core, [] { return bodies_on_heap; }), 0) << "on core " << core;
  }
}

TEST(Steal, ClosuresOfAnySizeMoveWholeAndLeaveNothingBehind) {
  move_patterned<1>();
  move_patterned<48>();
  move_patterned<49>();
  move_patterned<1000>();
  move_patterned<kMaxClosureBytes>();
}

uint64_t mixed(uint64_t x) {  // the finaliser of MurmurHash3
  x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}

uint64_t children(uint64_t seed, int levels) { return levels == 0 ? 0 : mixed(seed) % 4; }
uint64_t child(uint64_t seed, uint64_t k) { return mixed(seed + 1 + k); }

struct Tree {
  int64_t nodes;
  int64_t sum;
};

Tree tree_below(uint64_t seed, int levels) {
  Tree tree = {1, static_cast<int64_t>(seed % 1000)};
  for (uint64_t k = 0; k < children(seed, levels); ++k) {
    const Tree below = tree_below(child(seed, k), levels - 1);
    tree.nodes += below.nodes;
    tree.sum += below.sum;
  }
  return tree;
}

/// The same tree as tasks of all kinds, some of which wait for others.
void walk(uint64_t seed, int levels) {
  ++ran_here;
  sum_here += static_cast<int64_t>(seed % 1000);
  const uint64_t how = mixed(~seed);
  if (how % 5 == 0) yield();
  const auto walk_children = [seed, levels] {
    for (uint64_t k = 0; k < children(seed, levels); ++k) {
      const uint64_t next = child(seed, k);
      const auto walk_on = [next, levels] { walk(next, levels - 1); };
      switch (next >> 8 & 3) {
        case 0: Grappa::spawn(walk_on); break;
        case 1:
          delegate::call<async>(static_cast<Core>(next % static_cast<uint64_t>(cores())),
                                [walk_on] { spawn<unbound>(walk_on); });
          break;
        default: spawn<unbound>(walk_on);
      }
    }
  };
  if (how % 17 == 0) {
    finish(walk_children);
  } else {
    walk_children();
  }
}

TEST(Steal, ScopesEndExactlyWhenRandomTreesHave) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  for (uint64_t turn = 0; turn < 10; ++turn) {
    const uint64_t root = mixed(seed + turn);
    const Tree expected = tree_below(root, 10);
    reset();
    finish([root] { walk(root, 10); });
    EXPECT_EQ(ran_in_all(), expected.nodes);
    EXPECT_EQ(sum_of_all(), expected.sum);
  }
}

void switch_stealing(bool on) {
  on_all_cores([on] { parallel_options().steal = on; });
}

TEST(Steal, SwitchedOffNothingMoves) {
  reset_and_fall_silent();  // all have left word while it was on
  switch_stealing(false);
  finish([] {
    spawn_numbered(0, 1000);
    detail::share();
    for (int k = 0; k < 100; ++k) yield();
  });
  EXPECT_TRUE(gifts().empty());
  EXPECT_EQ(ran_here, 1000);
  switch_stealing(true);
}

TEST(Steal, SwitchedOffNobodyAsks) {
  fall_silent();
  switch_stealing(false);
  const uint64_t before = requests_of_all();
  on_all_cores([] { detail::start_stealing(); });  // nobody has left word
  for (Core core = 0; core < cores(); ++core) {
    if (core != mycore()) wait_for_empty_polls(core, 100);
  }
  EXPECT_EQ(requests_of_all(), before);
  switch_stealing(true);
}

TEST(Steal, RunsItsOwnNewestFirst) {
  if (cores() > 1) return;  // others would take some
  static std::vector<int> order;
  order.clear();
  finish([] {
    for (int k = 0; k < 5; ++k) spawn<unbound>([k] { order.push_back(k); });
  });
  EXPECT_EQ(order, (std::vector<int>{4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace Grappa
