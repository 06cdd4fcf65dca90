#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

/// Starts ten tasks, and does not wait for them.
void add_up(int64_t* sum) {
  for (int64_t i = 1; i <= 10; ++i) {
    spawn([sum, i] { *sum += i; });
  }
}

int64_t first = 0, second = 0;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Wrong: the tasks have not started when the sum is printed.
    add_up(&first);
    std::cout << "without finish: " << first << std::endl;

    // Right: finish returns when all tasks that were started inside have ended.
    finish([] { add_up(&second); });
    std::cout << "with finish: " << second << std::endl;
  });
  return finalize();
}
