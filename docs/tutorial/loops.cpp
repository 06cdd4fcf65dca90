#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

int64_t odd = 0;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Over indices, split evenly over the cores.
    forall(0, 1000, [](int64_t i) { odd += i % 2; });
    std::cout << reduce<int64_t, collective_add>(&odd) << " numbers are odd" << std::endl;

    // Over an array, at the owner of each element: by element, with its index, or in pieces.
    const int64_t n = 1000;
    GlobalAddress<double> values = global_alloc<double>(n);
    forall(values, n, [](int64_t i, double& value) { value = static_cast<double>(i); });
    forall(values, n, [](double& value) { value /= 2; });
    forall(values, n, [](int64_t first, int64_t count, double* piece) {
      for (int64_t k = 0; k < count; ++k) piece[k] += static_cast<double>(first + k) / 2;
    });
    std::cout << "the last one is " << delegate::read(values + n - 1) << std::endl;

    // Nested loops: the outer loop returns when all inner loops have ended.
    GlobalAddress<int64_t> cells = global_alloc<int64_t>(n);
    memset(cells, 0, n);
    forall(0, 10, [cells](int64_t) {
      forall_here<async>(0, n, [cells](int64_t i) { delegate::increment<async>(cells + i, 1); });
    });
    std::cout << "each cell was reached " << delegate::read(cells + n / 2) << " times" << std::endl;

    global_free(cells);
    global_free(values);
  });
  return finalize();
}
