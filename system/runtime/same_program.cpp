#include "system/runtime/same_program.hpp"

#include "system/base/input_error.hpp"
#include "system/net/mpi_world.hpp"
#include "system/net/topology.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

extern "C" const char __executable_start;  // defined by the linker

namespace Grappa {
namespace {

struct Program {
  uint64_t begin;  // where it is loaded
  uint64_t bytes;
  uint64_t contents;
};

/// FNV-1a over the file, eight bytes at a time. (G. Fowler, L. Noll, K.-P. Vo, IETF draft.)
Program this_program() {
  Program program = {reinterpret_cast<uint64_t>(&__executable_start), 0, 0xcbf29ce484222325};
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<char> piece(1 << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const size_t got = static_cast<size_t>(file.gcount());
    program.bytes += got;
    std::memset(piece.data() + got, 0, (8 - got % 8) % 8);
    for (size_t k = 0; k < got; k += 8) {
      uint64_t word;
      std::memcpy(&word, &piece[k], 8);
      program.contents = (program.contents ^ word) * 0x100000001b3;
    }
  }
  return program;
}

}  // namespace

void check_same_program() {
  const Program mine = this_program();
  const std::vector<char> bytes = mpi_all_gather(&mine, sizeof mine);
  for (int core = 1; core < cores(); ++core) {
    Program first, other;
    std::memcpy(&first, bytes.data(), sizeof first);
    std::memcpy(&other, bytes.data() + static_cast<size_t>(core) * sizeof other, sizeof other);
    if (first.bytes != other.bytes || first.contents != other.contents) {
      input_error("core " + std::to_string(core) +
                  " runs another binary than core 0: start the same file on all machines");
    }
    if (first.begin != other.begin) {
      input_error(
          "the program is loaded at different places on different cores: link it with the CMake "
          "target Grappa::Grappa, or compile with -fno-pie and link with -no-pie");
    }
  }
}

}  // namespace Grappa
