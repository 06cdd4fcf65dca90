#include <Grappa.hpp>

#include <cstdint>
#include <iostream>

using namespace Grappa;

constexpr int64_t kCount = 10007;
constexpr int64_t kKeys = 97;

int64_t key_of(int64_t i) { return i * i % kKeys; }

// At file scope: one object on each core.
Reducer<int64_t, ReducerType::Max> most;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // A histogram.
    GlobalAddress<int64_t> counts = global_alloc<int64_t>(kKeys);
    memset(counts, 0, kKeys);
    forall(0, kCount, [counts](int64_t i) { delegate::increment<async>(counts + key_of(i), 1); });

    // Each element of one array gets an element of another array.
    GlobalAddress<int64_t> found = global_alloc<int64_t>(kCount);
    forall(found, kCount,
           [counts](int64_t i, int64_t& to) { to = delegate::read(counts + key_of(i)); });
    forall(found, kCount, [](int64_t& count) { most << count; });
    std::cout << "most frequent: " << most << " times" << std::endl;
    global_free(found);
    global_free(counts);
  });
  return finalize();
}
