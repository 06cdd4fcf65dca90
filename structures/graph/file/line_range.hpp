#pragma once

/// The lines of one byte range of a file, read in chunks: a core never buffers more than a chunk.
///
/// A line belongs to the range that contains its first byte, even if the line ends outside the
/// range. So ranges that cover a file without overlap give each line exactly once. If the file ends
/// before the range does, it was truncated during the read, which is a problem.

#include "structures/graph/file/file_problem.hpp"
#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

class LineRange {
 public:
  /// Longer lines are rejected: a text file of edges has no such lines, but a binary file may. If a
  /// range starts inside a line and this line continues for more than kMaxLineBytes, the range
  /// rejects the line at the first byte of the range. So it never searches a terabyte for the next
  /// newline. The range with the start of the line rejects the line at a smaller offset.
  static constexpr size_t kMaxLineBytes = 64 * KiB;

  /// Reads the bytes `first` to `last` - 1. `fd` must stay open until the range has been read.
  LineRange(int fd, int64_t first, int64_t last, size_t chunk_bytes = 4 * MiB)
      : fd_(fd), first_(first), last_(last), chunk_bytes_(chunk_bytes) {}

  /// Calls `body(const char* first, const char* last, std::string* problem) -> bool` for each line,
  /// without its '\n'. If the body returns false, it must set `problem`, and the loop stops.
  /// Returns the problem with the offset of its line.
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

/// Returns the number of the line (from 1) that contains the byte at `offset`.
int64_t line_number_at(int fd, int64_t offset);

}  // namespace detail
}  // namespace Grappa
