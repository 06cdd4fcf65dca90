/// Prints a line from every core: the smallest Grappa program.

#include <Grappa.hpp>

#include <iostream>
#include <sstream>

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    Grappa::on_all_cores([] {
      std::ostringstream line;  // one write per line, so lines of cores do not mix
      line << "Hello world from core " << Grappa::mycore() << " of " << Grappa::cores() << "\n";
      std::cout << line.str() << std::flush;
    });
  });
  return Grappa::finalize();
}
