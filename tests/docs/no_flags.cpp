/// A program without flags of its own, that has those of the runtime and of the structures.

#include "structures/global_set.hpp"

#include <Grappa.hpp>

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] { Grappa::GlobalSet<int>::create()->destroy(); });
  return Grappa::finalize();
}
