#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

// Each core has its own copy of both variables.
int64_t limit = 0;
int64_t below = 0;

/// Counts the numbers in [0, 1000) that are below `limit`.
int64_t count() {
  on_all_cores([] { below = 0; });
  forall(0, 1000, [](int64_t i) { below += i < limit; });
  return reduce<int64_t, collective_add>(&below);
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Wrong: this sets the limit on core 0 only.
    limit = 1000;
    std::cout << "assigned in run: " << count() << std::endl;

    // Right: each core sets its own limit.
    on_all_cores([] { limit = 1000; });
    std::cout << "assigned on all cores: " << count() << std::endl;
  });
  return finalize();
}
