#include "system/parallel/steal.hpp"

#include "system/tasking/scheduler.hpp"
#include "tests/harness/random_seed.hpp"
#include "tests/parallel/stealing.hpp"

#include <Grappa.hpp>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Steal, EachTaskRunsOnceOnAnyCore) {
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
  fall_silent();  // otherwise all tasks might start on this core
  finish([home] {
    for (int k = 0; k < 100; ++k) {
      spawn<unbound>([home] {
        if (mycore() == home) {
          while (!other_core_has_run) yield();  // would not end if no core stole a task
        } else {
          delegate::call(home, [] { other_core_has_run = true; });
        }
      });
    }
  });
  EXPECT_TRUE(other_core_has_run);
}

/// A binary tree of tasks with `levels` levels. Each task starts its children on the core that runs
/// the task.
void grow(int levels) {
  ++ran_here;
  if (levels == 0) return;
  spawn<unbound>([levels] { grow(levels - 1); });
  spawn<unbound>([levels] { grow(levels - 1); });
}

TEST(Steal, ScopesWaitForStolenTasksAndTheTasksThatTheseStart) {
  for (int turn = 0; turn < 20; ++turn) {
    reset();
    finish([] { grow(9); });
    EXPECT_EQ(ran_in_all(), (1 << 10) - 1);
  }
}

TEST(Steal, NestedScopesEndEachWithItsOwnTasks) {
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

TEST(Steal, LargeClosuresMoveCompletely) {
  reset();
  finish([] {
    spawn_large<49>(1000);
    spawn_large<1000>(1000);
    spawn_large<kMaxClosureBytes>(100);
  });
  EXPECT_EQ(ran_in_all(), 2100);
  EXPECT_EQ(sum_of_all(), 3 * (49 * 1000 + 1000 * 1000 + 100 * int64_t{kMaxClosureBytes}));
}

TEST(Steal, BoundTasksAreNotStolen) {
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

int64_t bodies_on_heap = 0;  // bodies of Patterned on the heap of this core
int64_t bodies_moved = 0;

/// A body with a pattern of different bytes. The class counts its instances.
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
    detail::StealableBody<Patterned>::send(task, thief);
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
      scheduler().tasks().push_stealable(StealableTask{
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

TEST(Steal, ClosuresOfAnySizeMoveCompletelyAndFreeTheirMemory) {
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

/// Runs the same tree in tasks of all kinds. Some tasks wait for other tasks.
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
  const uint64_t seed = random_seed();
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

TEST(Steal, ACoreRunsItsOwnTasksNewestFirst) {
  if (cores() > 1) return;  // other cores would steal some of the tasks
  static std::vector<int> order;
  order.clear();
  finish([] {
    for (int k = 0; k < 5; ++k) spawn<unbound>([k] { order.push_back(k); });
  });
  EXPECT_EQ(order, (std::vector<int>{4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace Grappa
