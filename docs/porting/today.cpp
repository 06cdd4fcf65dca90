#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

constexpr int64_t kCount = 10000;

struct Tally {
  int64_t calls = 0;
};

int64_t visits = 0;

void visit(int64_t depth) {
  ++visits;
  if (depth > 0) {
    spawn<unbound>([depth] { visit(depth - 1); });
    spawn<unbound>([depth] { visit(depth - 1); });
  }
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // A table with asynchronous updates.
    GlobalAddress<int64_t> table = global_alloc<int64_t>(kCount);
    memset(table, 0, kCount);
    forall(0, kCount,
           [table](int64_t i) { delegate::increment<async>(table + i * 7919 % kCount, 1); });
    std::cout << "updated: " << delegate::read(table + 5) << std::endl;

    // An object on each core.
    GlobalAddress<Tally> tally = symmetric<Tally>();
    forall(table, kCount, [tally](int64_t& word) { tally->calls += word; });
    const int64_t calls = sum_all_cores([tally] { return tally->calls; });
    std::cout << "calls: " << calls << std::endl;

    // A map of 100 keys.
    const auto map = GlobalMap<int64_t, int64_t>::create();
    forall(0, kCount, [map](int64_t i) { map->insert<async>(i % 100, i % 10); });
    int64_t value;
    if (map->lookup(42, &value)) std::cout << "42 has " << value << std::endl;

    // Stealable tasks that start further tasks.
    finish([] { visit(9); });
    std::cout << "visits: " << reduce<int64_t, collective_add>(&visits) << std::endl;
    map->destroy();
    global_free(tally);
    global_free(table);
  });
  return finalize();
}
