/// Reports the progress of a step that takes three seconds of a simulated clock. progress_test.sh
/// runs this program.

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
