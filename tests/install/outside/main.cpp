/// A first program: every core adds one to a number that core 0 owns.

#include <Grappa.hpp>

#include <cstdint>
#include <iostream>

// At the same address on every core; the one that counts is core 0's.
int64_t counter = 0;

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    Grappa::on_all_cores([] { Grappa::delegate::call(0, [] { return ++counter; }); });
    std::cout << Grappa::cores() << " cores count " << counter << std::endl;
  });
  return Grappa::finalize();
}
