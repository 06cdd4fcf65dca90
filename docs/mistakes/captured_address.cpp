#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

// Each core adds to its own part, without a message.
Reducer<int64_t, ReducerType::Add> odd;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    forall(0, 1000, [](int64_t i) { odd += i % 2; });
    std::cout << odd << " numbers are odd" << std::endl;

    // Alternative: an address that is valid on all cores, and one message per addition.
    int64_t even = 0;
    GlobalAddress<int64_t> at = make_global(&even);
    forall(0, 1000, [at](int64_t i) { delegate::increment<async>(at, 1 - i % 2); });
    std::cout << even << " numbers are even" << std::endl;
  });
  return finalize();
}
