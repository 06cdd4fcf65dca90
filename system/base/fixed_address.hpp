#pragma once

/// The parts of a process that are at the same addresses in every process of the program.
///
/// The kernel randomizes the address of a shared library in each process. Two kinds of files are
/// mapped at the addresses at which they were linked: a program that is not position-independent,
/// and a shared library linked at a fixed address (cmake/GrappaModule.cmake), if that range is
/// free.

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// A file with code and file-scope objects, and its address range in this process.
struct FixedFile {
  uintptr_t begin;
  uintptr_t end;
  std::string path;

  bool contains(const void* object) const {
    const uintptr_t place = reinterpret_cast<uintptr_t>(object);
    return begin <= place && place < end;
  }
};

/// Returns the program first, then the shared libraries that are linked at a fixed address, in load
/// order. The caller must compare the addresses of all cores: a library may be mapped elsewhere.
std::vector<FixedFile> fixed_files();

}  // namespace detail
}  // namespace Grappa
