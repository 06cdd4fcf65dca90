#include <Grappa.hpp>

#include <iostream>
#include <sstream>

using namespace Grappa;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    std::cout << "this is the main task, on core " << mycore() << std::endl;
    on_all_cores([] {
      std::ostringstream line;
      line << "hello from core " << mycore() << " of " << cores() << "\n";
      std::cout << line.str() << std::flush;
    });
  });
  return finalize();
}
