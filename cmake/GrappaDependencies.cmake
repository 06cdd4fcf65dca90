# Finds every library that Grappa stands on, and complains once, about all that are missing.

# Names a missing dependency: the Debian package that has it (its purpose stands in the list).
macro(grappa_require found deb)
  if(NOT ${found})
    list(APPEND grappa_missing ${deb})
  endif()
endmacro()

set(grappa_missing)

# The C API through the C++ compiler: users' projects need not enable C, and the C++ bindings that
# MPI has removed stay out of the way.
set(MPI_CXX_SKIP_MPICXX ON CACHE BOOL "Leave out the C++ bindings that MPI has removed")
find_package(MPI QUIET COMPONENTS CXX)
grappa_require(MPI_CXX_FOUND libopenmpi-dev)
find_program(GRAPPA_MPIRUN mpirun HINTS ${MPI_CXX_COMPILER_DIR} DOC "Starts the processes of a job")
mark_as_advanced(GRAPPA_MPIRUN)
grappa_require(GRAPPA_MPIRUN openmpi-bin)

find_package(Boost QUIET COMPONENTS context)
grappa_require(Boost_CONTEXT_FOUND libboost-context-dev)
find_package(gflags QUIET)
grappa_require(gflags_FOUND libgflags-dev)
find_package(glog QUIET)
grappa_require(glog_FOUND libgoogle-glog-dev)
find_package(libdivide QUIET MODULE)
grappa_require(libdivide_FOUND libdivide-dev)
find_package(xxHash QUIET MODULE)
grappa_require(xxHash_FOUND libxxhash-dev)
find_package(tsl-robin-map QUIET)
grappa_require(tsl-robin-map_FOUND robin-map-dev)
find_package(nlohmann_json QUIET)
grappa_require(nlohmann_json_FOUND nlohmann-json3-dev)
find_path(GRAPPA_BACKWARD_INCLUDE backward.hpp DOC "backward-cpp: a header")
mark_as_advanced(GRAPPA_BACKWARD_INCLUDE)
grappa_require(GRAPPA_BACKWARD_INCLUDE libbackward-cpp-dev)
find_package(Libdw QUIET MODULE)
grappa_require(Libdw_FOUND libdw-dev)
find_package(Libunwind QUIET MODULE)
grappa_require(Libunwind_FOUND libunwind-dev)
find_package(Threads REQUIRED)

if(GRAPPA_BUILD_APPS OR GRAPPA_BUILD_TESTS OR GRAPPA_BUILD_BENCH)
  find_package(Nettle QUIET MODULE)
  grappa_require(Nettle_FOUND nettle-dev)
endif()
if(GRAPPA_BUILD_TESTS)
  find_package(GTest QUIET)
  grappa_require(GTest_FOUND libgtest-dev)
  if(NOT GRAPPA_SANITIZE)
    find_program(GRAPPA_SPIN spin DOC "Checks models of the protocols, in the tests")
    mark_as_advanced(GRAPPA_SPIN)
    grappa_require(GRAPPA_SPIN spin)
  endif()
endif()
if(GRAPPA_BUILD_BENCH)
  find_package(benchmark QUIET)
  grappa_require(benchmark_FOUND libbenchmark-dev)
  find_package(OpenMP QUIET COMPONENTS CXX)  # of the compiler; a baseline is left out without it
endif()

if(grappa_missing)
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/packages-debian.txt" grappa_packages REGEX "^[^#]")
  set(grappa_complaint "Grappa needs libraries that were not found here:\n")
  foreach(deb IN LISTS grappa_missing)
    set(grappa_line "${grappa_packages}")
    string(REPLACE "+" "\\+" grappa_pattern "${deb}")
    list(FILTER grappa_line INCLUDE REGEX "^${grappa_pattern} ")
    string(APPEND grappa_complaint "  ${grappa_line}\n")
  endforeach()
  list(JOIN grappa_missing " " grappa_missing)
  message(FATAL_ERROR "${grappa_complaint}On Debian or Ubuntu:\n"
    "  apt-get install --no-install-recommends ${grappa_missing}\n"
    "Elsewhere, install them from your distribution and name their place in CMAKE_PREFIX_PATH.\n"
    "GRAPPA_BUILD_TESTS=OFF and GRAPPA_BUILD_BENCH=OFF do without GoogleTest, Spin and Google "
    "Benchmark, and with GRAPPA_BUILD_APPS=OFF too, without Nettle.")
endif()
