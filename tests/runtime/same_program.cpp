/// A program with a shared library that is linked for a fixed address, for same_program_test.sh:
/// the file-scope objects of the library must have the same address on all cores.

#include <Grappa.hpp>

#include <iostream>

const void* object_of_fixed_address_library();

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    const void* const mine = object_of_fixed_address_library();
    Grappa::on_all_cores([mine] {
      CHECK(object_of_fixed_address_library() == mine)
          << "at another address on core " << Grappa::mycore();
    });
    std::cout << Grappa::cores() << " cores agree" << std::endl;
  });
  return Grappa::finalize();
}
