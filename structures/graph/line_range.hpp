#pragma once

/// The lines of one byte range of a file, read in chunks, so that all cores share a file of any
/// size and none holds more than a chunk of it.
///
/// A line belongs to the range that holds its first byte, also where it ends beyond it. Ranges that
/// cover a file without overlap hence give each line exactly once, wherever they are cut. A file
/// that ends before the range does, since it was cut while it was read, is a problem.

#include "structures/graph/file_problem.hpp"
#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

class LineRange {
 public:
  /// Lines longer than this are refused: no graph has them, a binary file might. A range that
  /// starts inside a line refuses more than this of it, too, at the first byte of the range,
  /// instead of reading on to the end of the line: a file without line ends may have a terabyte.
  /// The range that holds the start of the line refuses it at a smaller offset.
  static constexpr size_t kMaxLineBytes = 64 * KiB;

  /// `fd` stays open until the range has been read; bytes from `first` on, before `last`.
  LineRange(int fd, int64_t first, int64_t last, size_t chunk_bytes = 4 * MiB)
      : fd_(fd), first_(first), last_(last), chunk_bytes_(chunk_bytes) {}

  /// Calls `body(const char* first, const char* last, std::string* problem) -> bool`, a line
  /// without its '\n' at a time, until the end or until it answers false, having set the problem.
  /// Returns what was wrong, with the offset of the line.
  template <typename F>
  FileProblem for_each(F body) {
    struct Adapter {
      static bool call(void* f, const char* first, const char* last, std::string* problem) {
        return (*static_cast<F*>(f))(first, last, problem);
      }
    };
    return for_each(&Adapter::call, &body);
  }

 private:
  typedef bool (*Body)(void*, const char*, const char*, std::string*);
  FileProblem for_each(Body body, void* closure);

  int fd_;
  int64_t first_;
  int64_t last_;
  size_t chunk_bytes_;
};

/// Number of the line (from 1) that holds the byte at `offset`.
int64_t line_number_at(int fd, int64_t offset);

}  // namespace detail
}  // namespace Grappa
