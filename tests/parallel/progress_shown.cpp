/// A step of three seconds, measured with a simulated clock, for progress_test.sh.

#include <Grappa.hpp>

#include "system/observe/clock.hpp"

#include <iostream>

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    {
      Grappa::detail::VirtualClock clock;
      Grappa::Progress progress("counting", 30 * Grappa::cores(), "numbers");
      for (int k = 0; k < 30; ++k) {
        clock.advance_ns(100000000);
        progress.add(1);
      }
    }
    std::cout << "counted\n";
  });
  return Grappa::finalize();
}
