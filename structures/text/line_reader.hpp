#pragma once

/// The lines of a byte range of a file, on one core. The ranges of all cores together give each
/// line once: a line belongs to the range with its first byte. Lines may contain any bytes except
/// '\n', and the last line needs no '\n'. From: any thread. Calls block in the kernel.

#include "structures/text/open_file.hpp"
#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace Grappa { namespace detail {

/// The default limit of a line. Longer lines are rejected, because a binary file may have no
/// newlines. If a range starts inside such a line, the problem is at the first byte of the range,
/// so no core searches a terabyte for the next newline.
constexpr size_t kMaxLineBytes = 64 * KiB;

/// Gets consecutive whole lines, which begin at `offset` of the file. Each line ends with '\n', but
/// the last line of the file may lack it. Returns a problem to stop.
typedef std::function<FileProblem(const char* first, const char* last, int64_t offset)> BlockBody;

/// Calls `body` for blocks of lines whose first byte is in the range from `first` to `last` - 1,
/// even if the last line ends after the range. Buffers at most twice the longest line and two
/// chunks of `chunk_bytes`. Returns the first problem with the offset of its line. A file that ends
/// before `last` is a problem. Only the part of a line that a block lacks is compared with
/// `max_line_bytes`, so the body must compare whole lines.
FileProblem for_each_block(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                           size_t max_line_bytes, const BlockBody& body);

/// Gets a line without its '\n'. Returns true, or sets `problem` and returns false.
typedef std::function<bool(const char* first, const char* last, std::string* problem)> LineBody;

/// Calls `body` for each line of the blocks of the range.
FileProblem for_each_line(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                          const LineBody& body, size_t max_line_bytes = kMaxLineBytes);

/// Calls `body` for each line of a text, which begins at `offset` of its file. Returns the first
/// problem with the offset of its line.
FileProblem for_each_line_of(const char* first, const char* last, int64_t offset,
                             const LineBody& body, size_t max_line_bytes = kMaxLineBytes);
FileProblem for_each_line_of(const std::string& text, int64_t offset, const LineBody& body,
                             size_t max_line_bytes = kMaxLineBytes);

/// Returns the problem of a line that is longer than `max_line_bytes`.
FileProblem too_long_line(int64_t offset, size_t max_line_bytes);

/// Returns the number of the line at `offset`. The first line has number 1.
int64_t line_number_at(int fd, int64_t offset);

}}  // namespace Grappa::detail
