#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

// Each core has its own of both.
int64_t limit = 0;
int64_t below = 0;

/// How many of the numbers below 1000 are below `limit`.
int64_t count() {
  on_all_cores([] { below = 0; });
  forall(0, 1000, [](int64_t i) { below += i < limit; });
  return reduce<int64_t, collective_add>(&below);
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Wrong: this sets the limit of core 0.
    limit = 1000;
    std::cout << "assigned in run: " << count() << std::endl;

    // Right: on each core.
    const int64_t wanted = 1000;
    on_all_cores([wanted] { limit = wanted; });
    std::cout << "assigned on all cores: " << count() << std::endl;
  });
  return finalize();
}
