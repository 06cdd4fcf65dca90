#pragma once

/// What of this process lies at the same addresses in every process that runs the program.
///
/// The kernel puts shared libraries at another place in each process, on purpose. Two things it
/// puts where they are linked for: a program that is not position-independent, and a shared library
/// whose linker was told a place (cmake/GrappaRoom.cmake), unless something else lies there.

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// A file with code and objects of file scope, and where it lies in this process.
struct FixedFile {
  uintptr_t begin;
  uintptr_t end;
  std::string path;

  bool contains(const void* object) const {
    const uintptr_t place = reinterpret_cast<uintptr_t>(object);
    return begin <= place && place < end;
  }
};

/// The program first, then the shared libraries that are linked for a place, in order of their
/// loading. Whether they have got it is for the cores to compare.
std::vector<FixedFile> fixed_files();

}  // namespace detail
}  // namespace Grappa
