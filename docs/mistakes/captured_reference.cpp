#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Wrong: the body runs on all cores, and `odd` is on the stack of core 0.
    int64_t odd = 0;
    forall(0, 1000, [&odd](int64_t i) { odd += i % 2; });
    std::cout << odd << " numbers are odd" << std::endl;
  });
  return finalize();
}
