/// Repeats many kinds of work for --minutes and checks that the memory of each core stops growing
/// after --settling minutes. Stacks are checked separately, with a bound proportional to the number
/// of workers, because thousands of turns pass until every worker has run the task with the deepest
/// stack. Each turn checks its results.

#include "apps/bfs/bfs_verify.hpp"
#include "apps/bfs/search.hpp"

#include "structures/global_map.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_set.hpp"
#include "structures/global_stack.hpp"
#include "structures/graph/make/generators.hpp"
#include "system/base/mapping.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>

DEFINE_double(minutes, 20, "duration of the test in minutes, including --settling");
DEFINE_double(settling, 2, "minutes after which memory must stop growing");
DEFINE_double(growth_percent, 5, "permitted growth after settling");

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kSlack = 2 * kMiB;  // permitted growth per core for memory that libraries keep

// The minimum number of settling turns, which may exceed --settling on a busy machine.
constexpr int64_t kSettlingTurns = 30;

// The bound for the stack of a worker: each task needs less than 20 KiB (measured: 18,168 bytes).
// After a rest, a core has at most 1.1 times num_workers workers.
constexpr int64_t kDeepestStack = 20 << 10;

int64_t received = 0;  // each core has its own count

bool search_a_graph(int64_t turn) {
  constexpr int kScale = 13;
  const uint64_t seed = static_cast<uint64_t>(turn);
  TupleGraph tuples = TupleGraph::Kronecker(kScale, int64_t{16} << kScale, seed, seed + 1);
  const GlobalAddress<bfs::SearchGraph> g = bfs::SearchGraph::create(tuples);
  const GlobalAddress<VertexID> parents = global_alloc<VertexID>(static_cast<size_t>(tuples.nv));
  bfs::Verdict verdict;
  {
    const std::unique_ptr<bfs::Search> search = bfs::queue_search(g, Combining::Distributed);
    const VertexID root = turn % tuples.nv;
    search->run(root);
    search->copy_parents(parents);
    verdict = bfs::Verifier(tuples, bfs::VerifyLevel::Full).verify(root, parents);
  }
  global_free(parents);
  g->destroy();
  tuples.destroy();
  return verdict.valid;
}

bool fill_tables(int64_t turn) {
  constexpr int64_t kKeys = 20000;
  const auto set = GlobalSet<int64_t>::create();
  const auto map = GlobalMap<int64_t, int64_t>::create();
  forall(0, 2 * kKeys, [set, map, turn](int64_t i) {
    const int64_t key = turn * kKeys + i % kKeys;
    set->insert(key);
    map->insert_or_combine<async>(key, 1, [](int64_t a, int64_t b) { return a + b; });
  });
  int64_t value = 0;
  const bool right = static_cast<int64_t>(set->size()) == kKeys &&
                     static_cast<int64_t>(map->size()) == kKeys &&
                     map->lookup(turn * kKeys, &value) && value == 2;
  set->destroy();
  map->destroy();
  return right;
}

bool push_and_pop(int64_t) {
  constexpr int64_t kPushes = 20000;
  const auto queue = GlobalQueue<int64_t>::create();
  const auto stack = GlobalStack<int64_t>::create();
  forall(0, kPushes, [queue, stack](int64_t i) {
    queue->push(i);
    stack->push<async>(i);
  });
  int64_t sum = 0;
  const GlobalAddress<int64_t> total = make_global(&sum);
  forall(0, kPushes, [queue, stack, total](int64_t) {
    const int64_t popped = queue->pop() + stack->pop();
    delegate::increment<async>(total, popped);
  });
  const bool right = sum == kPushes * (kPushes - 1) && queue->empty() && stack->empty();
  queue->destroy();
  stack->destroy();
  return right;
}

/// Allocates and frees blocks of many sizes, and makes more tasks wait than there are workers.
bool crowd(int64_t turn) {
  const int64_t tasks = 3 * scheduler().options().num_workers;
  const auto words = symmetric_global_alloc<int64_t>(static_cast<size_t>(1 + turn % 100));
  const int64_t before = sum_all_cores([] { return received; });
  on_all_cores([tasks] {
    CountingSemaphore gate(0);
    int64_t arrived = 0;
    finish([&gate, &arrived, tasks] {
      for (int64_t i = 0; i < tasks; ++i) {
        spawn([&gate, &arrived, tasks] {
          if (++arrived == tasks) gate.increment(tasks);
          gate.decrement();
          delegate::call<async>(static_cast<Core>(arrived % cores()), [] { ++received; });
        });
      }
    });
  });
  const int64_t after = sum_all_cores([] { return received; });
  global_free(words);
  const size_t bytes = static_cast<size_t>(1 + turn * 7919 % (4 * kMiB));
  const auto block = global_alloc<char>(bytes);
  delegate::write(block + static_cast<int64_t>(bytes - 1), 'x');
  const bool right = delegate::read(block + static_cast<int64_t>(bytes - 1)) == 'x';
  global_free(block);
  return right && after - before == tasks * cores();
}

struct Memory {
  int64_t stacks;
  int64_t other;
};

/// Returns the maximum over all cores for each kind of memory. A rest before the measurement lets
/// the cores free surplus workers.
Memory most_memory() {
  Memory most = {0, 0};
  sleep_for(0.05);
  for (Core core = 0; core < cores(); ++core) {
    const Memory memory = delegate::call(core, [] {
      scheduler().pool().count_stacks();
      const auto stacks = static_cast<int64_t>(counted("tasking.stack_resident"));
      return Memory{stacks, static_cast<int64_t>(process_memory().resident_bytes) - stacks};
    });
    most.stacks = std::max(most.stacks, memory.stacks);
    most.other = std::max(most.other, memory.other);
  }
  return most;
}

int soak() {
  bool (*const kinds[])(int64_t) = {search_a_graph, fill_tables, push_and_pop, crowd};
  const double begin = walltime();
  int64_t settled = 0, most = 0, stacks = 0, turn = 0;
  double told = 0;  // minutes
  for (double minutes = 0; minutes < FLAGS_minutes || turn < 2 * kSettlingTurns;
       minutes = (walltime() - begin) / 60, ++turn) {
    for (const auto kind : kinds) {
      if (kind(turn)) continue;
      std::cout << "wrong result in turn " << turn << std::endl;
      return 1;
    }
    const bool settling = minutes < FLAGS_settling || turn < kSettlingTurns;
    int64_t& mark = settling ? settled : most;
    const Memory memory = most_memory();
    mark = std::max(mark, memory.other);
    stacks = std::max(stacks, memory.stacks);
    if (minutes < told + 1) continue;
    told = minutes;
    std::cout << static_cast<int64_t>(minutes) << " min, " << turn << " turns: " << mark / kMiB
              << " MiB, stacks " << memory.stacks / kMiB << " MiB" << std::endl;
  }
  const double allowed =
      static_cast<double>(settled) * (1 + FLAGS_growth_percent / 100) + double(kSlack);
  const int64_t stacks_allowed = scheduler().options().num_workers * 11 / 10 * kDeepestStack;
  const bool bounded = static_cast<double>(most) <= allowed && stacks <= stacks_allowed;
  std::cout << turn << " turns, " << settled / kMiB << " MiB per core when settled, " << most / kMiB
            << " MiB later, stacks " << stacks / kMiB << " of " << stacks_allowed / kMiB
            << " MiB: " << (bounded ? "bounded" : "grows") << std::endl;
  return bounded ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  int status = 0;
  run([&status] { status = soak(); });
  return finalize() != 0 ? 1 : status;
}
