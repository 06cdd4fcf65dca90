/// A first program: every core increments a counter that core 0 owns.

#include <Grappa.hpp>

#include <cstdint>
#include <iostream>

// Every core has a counter at the same address. Only the counter of core 0 is used.
int64_t counter = 0;

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    Grappa::on_all_cores([] { Grappa::delegate::call(0, [] { return ++counter; }); });
    std::cout << Grappa::cores() << " cores count " << counter << std::endl;
  });
  return Grappa::finalize();
}
