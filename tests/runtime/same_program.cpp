/// A program with a shared library that is linked for a place, for same_program_test.sh: what the
/// library has at file scope is at the same place on all cores.

#include <Grappa.hpp>

#include <iostream>

const void* object_of_fixed_place_library();

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    const void* const mine = object_of_fixed_place_library();
    Grappa::on_all_cores([mine] {
      CHECK(object_of_fixed_place_library() == mine)
          << "at another place on core " << Grappa::mycore();
    });
    std::cout << Grappa::cores() << " cores agree" << std::endl;
  });
  return Grappa::finalize();
}
