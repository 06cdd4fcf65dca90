#include <Grappa.hpp>

#include <cstdint>
#include <iostream>

using namespace Grappa;

constexpr int64_t kCount = 10000;
constexpr int64_t kKeys = 97;

int64_t key_of(int64_t i) { return i * i % kKeys; }

// At file scope: one object on each core.
Reducer<int64_t, ReducerType::Add> total;
Reducer<int64_t, ReducerType::Add> tickets;
Reducer<int64_t, ReducerType::Max> most;
FullEmpty<int64_t> from_left;
bool good;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // The cores share the iterations; each core adds to its own part of the sum.
    forall(0, kCount, [](int64_t i) { total += i * i; });
    std::cout << "sum of squares: " << total << std::endl;

    // Each core sends to its right neighbour and receives from its left neighbour.
    on_all_cores([] {
      const Core right = (mycore() + 1) % cores(), left = (mycore() + cores() - 1) % cores();
      writeEF(make_global(&from_left, right), int64_t{mycore()});
      good = from_left.readFE() == left;
    });
    std::cout << "heard from the left: " << reduce<bool, collective_and>(&good) << std::endl;

    // Each key is counted at the owner of its counter.
    GlobalAddress<int64_t> counts = global_alloc<int64_t>(kKeys);
    memset(counts, 0, kKeys);
    forall(0, kCount, [counts](int64_t i) { delegate::increment<async>(counts + key_of(i), 1); });
    forall(counts, kKeys, [](int64_t& count) { most << count; });
    std::cout << "most frequent: " << most << " times" << std::endl;
    global_free(counts);

    // Tickets from a counter on core 0.
    int64_t counter = 0;
    const GlobalAddress<int64_t> at = make_global(&counter);
    forall(0, kCount, [at](int64_t) { tickets += delegate::fetch_and_add(at, 1); });
    std::cout << "sum of tickets: " << tickets << std::endl;
  });
  return finalize();
}
