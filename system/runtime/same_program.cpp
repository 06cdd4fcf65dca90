#include "system/runtime/same_program.hpp"

#include "system/base/fixed_place.hpp"
#include "system/base/input_error.hpp"
#include "system/net/mpi_world.hpp"
#include "system/net/topology.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace Grappa {
namespace {

/// FNV-1a, eight bytes at a time. (G. Fowler, L. Noll, K.-P. Vo, IETF draft.)
class Digest {
 public:
  void add(uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3; }

  void add_contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> piece(1 << 20);
    while (file) {
      file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      const size_t got = static_cast<size_t>(file.gcount());
      std::memset(piece.data() + got, 0, (8 - got % 8) % 8);
      for (size_t k = 0; k < got; k += 8) {
        uint64_t word;
        std::memcpy(&word, &piece[k], 8);
        add(word);
      }
      add(got);
    }
  }

  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

/// What a core runs, and where that is loaded.
struct Program {
  uint64_t begin;
  uint64_t contents;
  uint64_t libraries_begin;  // of those that are linked for a place
  uint64_t libraries_contents;
};

Program this_program() {
  const std::vector<FixedFile> files = fixed_files();
  Digest contents, libraries_begin, libraries_contents;
  contents.add_contents(files[0].path);
  for (size_t k = 1; k < files.size(); ++k) {
    libraries_begin.add(files[k].begin);
    libraries_contents.add_contents(files[k].path);
  }
  return Program{files[0].begin, contents.value(), libraries_begin.value(),
                 libraries_contents.value()};
}

}  // namespace

void check_same_program() {
  const Program mine = this_program();
  const std::vector<char> bytes = mpi_all_gather(&mine, sizeof mine);
  for (int core = 1; core < cores(); ++core) {
    Program first, other;
    std::memcpy(&first, bytes.data(), sizeof first);
    std::memcpy(&other, bytes.data() + static_cast<size_t>(core) * sizeof other, sizeof other);
    const std::string name = "core " + std::to_string(core);
    if (first.contents != other.contents) {
      input_error(name + " runs another binary than core 0: start the same file on all machines");
    }
    if (first.begin != other.begin) {
      input_error(
          "the program is loaded at different places on different cores: link it with the CMake "
          "target Grappa::Grappa, or compile with -fno-pie and link with -no-pie");
    }
    if (first.libraries_contents != other.libraries_contents) {
      input_error(name +
                  " has other shared libraries of Grappa than core 0: install the same build "
                  "on all machines");
    }
    if (first.libraries_begin != other.libraries_begin) {
      input_error(name +
                  " has the shared libraries of Grappa at another place than core 0, where "
                  "something else lies in their way: use archives (BUILD_SHARED_LIBS=OFF)");
    }
  }
}

}  // namespace Grappa
