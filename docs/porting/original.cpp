#include <Collective.hpp>
#include <CompletionEvent.hpp>
#include <Delegate.hpp>
#include <GlobalAllocator.hpp>
#include <GlobalHashMap.hpp>
#include <Grappa.hpp>
#include <ParallelLoop.hpp>

#include <iostream>

using namespace Grappa;

constexpr int64_t kCount = 10000;

struct Tally {
  int64_t calls;
} GRAPPA_BLOCK_ALIGNED;

GlobalCompletionEvent gce;
int64_t visits = 0;

void visit(int64_t depth) {
  ++visits;
  if (depth > 0) {
    publicTask([depth] { visit(depth - 1); });
    publicTask([depth] { visit(depth - 1); });
  }
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // A table with asynchronous updates.
    GlobalAddress<int64_t> table = global_alloc<int64_t>(kCount);
    Grappa::memset(table, 0, kCount);
    forall<&gce>(0, kCount, [table](int64_t i) {
      delegate::increment<async, &gce>(table + i * 7919 % kCount, 1);
    });
    std::cout << "updated: " << delegate::read(table + 5) << std::endl;

    // An object on each core.
    GlobalAddress<Tally> tally = symmetric_global_alloc<Tally>();
    call_on_all_cores([tally] { tally->calls = 0; });
    forall(table, kCount, [tally](int64_t& word) { tally->calls += word; });
    const int64_t calls = sum_all_cores([tally] { return tally->calls; });
    std::cout << "calls: " << calls << std::endl;

    // A map of 100 keys.
    GlobalAddress<GlobalHashMap<int64_t, int64_t>> map =
        GlobalHashMap<int64_t, int64_t>::create(1024);
    forall(0, kCount, [map](int64_t i) { map->insert(i % 100, i % 10); });
    int64_t value;
    if (map->lookup(42, &value)) std::cout << "42 has " << value << std::endl;

    // Stealable tasks that start further tasks.
    finish([] { visit(9); });
    std::cout << "visits: " << reduce<int64_t, collective_add>(&visits) << std::endl;
    map->destroy();
    global_free(tally);
    global_free(table);
  });
  finalize();
  return 0;
}
