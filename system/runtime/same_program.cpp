#include "system/runtime/same_program.hpp"

#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>

namespace Grappa::detail {
namespace {

/// FNV-1a, eight bytes at a time. (G. Fowler, L. Noll, K.-P. Vo, IETF draft.)
struct Digest {
  uint64_t value = 0xcbf29ce484222325;

  void add(uint64_t word) { value = (value ^ word) * 0x100000001b3; }

  void add_contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    while (file) {
      std::vector<uint64_t> piece(1 << 17);  // zeros follow the last byte
      file.read(reinterpret_cast<char*>(piece.data()), 8 << 17);
      std::for_each(piece.begin(), piece.begin() + (file.gcount() + 7) / 8,
                    [this](uint64_t word) { add(word); });
      add(static_cast<uint64_t>(file.gcount()));
    }
  }

  /// Adds the identity of a file: no two files of this machine share it.
  void add_identity(const std::string& path) {
    struct stat file = {};
    if (::stat(path.c_str(), &file) != 0) return;
    add(file.st_dev);
    add(file.st_ino);
    add(static_cast<uint64_t>(file.st_size));
    add(static_cast<uint64_t>(file.st_mtim.tv_sec));
    add(static_cast<uint64_t>(file.st_mtim.tv_nsec));
  }
};

/// The program of a core and its load addresses.
struct Program {
  uint64_t begin;
  uint64_t contents;
  uint64_t libraries_begin;  // of those linked for a fixed address
  uint64_t libraries_contents;
};

/// `add` is one of the two functions of Digest that add a file.
Program this_program(void (Digest::*add)(const std::string& path)) {
  const std::vector<FixedFile> files = fixed_files();
  Digest contents, libraries_begin, libraries_contents;
  (contents.*add)(files[0].path);
  for (size_t k = 1; k < files.size(); ++k) {
    libraries_begin.add(files[k].begin);
    (libraries_contents.*add)(files[k].path);
  }
  return Program{files[0].begin, contents.value, libraries_begin.value, libraries_contents.value};
}

/// Reading a program of 20 MB takes 8 ms, so on one machine the contents are compared only if the
/// files are different.
bool all_have_the_same_files() {
  if (topology().machine_cores != cores()) return false;
  const std::vector<Program> programs = world().all_gather(this_program(&Digest::add_identity));
  return std::all_of(programs.begin(), programs.end(), [&programs](const Program& program) {
    return std::memcmp(&program, &programs[0], sizeof program) == 0;
  });
}

}  // namespace

void check_same_program() {
  if (all_have_the_same_files()) return;
  const std::vector<Program> programs = world().all_gather(this_program(&Digest::add_contents));
  const Program& first = programs[0];
  for (int core = 1; core < cores(); ++core) {
    const Program& other = programs[static_cast<size_t>(core)];
    const std::string name = "core " + std::to_string(core);
    if (first.contents != other.contents) {
      input_error(name + " runs another binary than core 0: start the same file on all machines");
    }
    if (first.begin != other.begin) {
      input_error(
          "the program is loaded at different addresses on different cores: link it with the CMake "
          "target Grappa::Grappa, or compile with -fno-pie and link with -no-pie");
    }
    if (first.libraries_contents != other.libraries_contents) {
      input_error(name +
                  " has other shared libraries of Grappa than core 0: install the same build "
                  "on all machines");
    }
    if (first.libraries_begin != other.libraries_begin) {
      input_error(name +
                  " has loaded the shared libraries of Grappa at another address than core 0, "
                  "because their address was occupied: use archives (BUILD_SHARED_LIBS=OFF)");
    }
  }
}

}  // namespace Grappa::detail
