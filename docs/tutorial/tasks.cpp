#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

// Every core has its own counter, at the same address.
int64_t tasks_run = 0;

/// Visits each node of a binary tree in its own task.
void count_nodes(int64_t depth) {
  ++tasks_run;
  if (depth == 0) return;
  for (int child = 0; child < 2; ++child) {
    spawn<unbound>([depth] { count_nodes(depth - 1); });
  }
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // The tasks may use `sum`, because the finish waits for them before `sum` is destroyed.
    int64_t sum = 0;
    finish([&sum] {
      for (int64_t i = 1; i <= 10; ++i) {
        spawn([&sum, i] { sum += i; });
      }
    });
    std::cout << "the sum is " << sum << std::endl;

    // The main task waits for another task.
    FullEmpty<int64_t> cell;
    spawn([&cell] { cell.writeEF(42); });
    std::cout << "the cell holds " << cell.readFE() << std::endl;

    // Tasks that idle cores may steal.
    finish([] { count_nodes(10); });
    const int64_t total = reduce<int64_t, collective_add>(&tasks_run);
    std::cout << "a tree of depth 10 has " << total << " nodes" << std::endl;
  });
  return finalize();
}
