#include <Grappa.hpp>
#include <system/parallel/task_future.hpp>

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace Grappa;

std::vector<double> factors;  // of each core

/// The sum of the products of the values and the factors of this core.
double dot(View<double> values) {
  double sum = 0;
  for (size_t k = 0; k < values.size(); ++k) sum += values[k] * factors[k];
  return sum;
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    on_all_cores([] { factors.assign(1000, 0.5); });
    const Core first = 0, last = Core(cores() - 1);
    const std::vector<double> values(1000, 2);

    // Two calls with a view of an array, at the same time.
    Future<double> one = delegate::call_future(first, payload(values), &dot);
    Future<double> other = delegate::call_future(last, payload(values), &dot);
    std::cout << "both sums: " << one.get() + other.get() << std::endl;

    // A read, and what follows it.
    int64_t word = 20;
    const GlobalAddress<int64_t> at = make_global(&word);
    Future<int64_t> next = then(delegate::read_future(at), [](int64_t old) { return old + 1; });
    std::cout << "next: " << next.get() << std::endl;
  });
  return finalize();
}
