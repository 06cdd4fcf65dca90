#include "system/net/mpi_library.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"

#include <string>

#include <dlfcn.h>

namespace Grappa::detail {

MpiLibrary mpi;

namespace {

/// Searches the program first, then its libraries. A program that calls MPI may hold MPI's objects
/// in its own memory (copy relocations), and a profiler may intercept MPI's functions.
template <class T>
void find(const char* name, T* symbol) {
  void* const address = ::dlsym(RTLD_DEFAULT, name);
  GRAPPA_CHECK(address != nullptr) << "libmpi has no symbol " << name << ": load the Open MPI "
                                   << "version with which Grappa was built";
  *symbol = reinterpret_cast<T>(address);
}

}  // namespace

void load_mpi() {
  // RTLD_GLOBAL is needed because Open MPI's plug-ins resolve the symbols of libmpi globally.
  const int mode = RTLD_NOW | RTLD_GLOBAL;
  void* library = ::dlopen(GRAPPA_MPI_NAME, mode);
  if (library == nullptr) library = ::dlopen(GRAPPA_MPI_FOLDER "/" GRAPPA_MPI_NAME, mode);
  if (library == nullptr) {
    input_error(std::string("MPI cannot be loaded: ") + ::dlerror() +
                "; install Open MPI, or add its directory to LD_LIBRARY_PATH");
  }
#define GRAPPA_MPI_FIND(name) find("MPI_" #name, &mpi.name);
  GRAPPA_MPI_FUNCTIONS(GRAPPA_MPI_FIND)
#undef GRAPPA_MPI_FIND
  find("ompi_mpi_comm_world", &mpi.world);
  find("ompi_mpi_byte", &mpi.byte);
  find("ompi_mpi_int", &mpi.integer);
  find("ompi_mpi_uint64_t", &mpi.uint64);
  find("ompi_mpi_op_sum", &mpi.sum);
  find("ompi_mpi_info_null", &mpi.no_info);
}

}  // namespace Grappa::detail
