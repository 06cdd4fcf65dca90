/// A program without its own flags. It has the flags of the runtime and of the structures.

#include "structures/global_set.hpp"

#include <Grappa.hpp>

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] { Grappa::GlobalSet<int>::create()->destroy(); });
  return Grappa::finalize();
}
