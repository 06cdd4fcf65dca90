#pragma once

/// Cuts the text of a compressed file into pieces of whole lines, on one core, which hands them to
/// other cores.

#include "structures/text/decompressor.hpp"
#include "structures/text/open_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

struct TextPiece {
  std::string text;    // each line ends with '\n', but the last line of a file may lack it
  int64_t offset = 0;  // in the whole decompressed text
};

class PieceReader {
 public:
  PieceReader(int fd, Compression compression) : data_(fd, compression) {}

  /// Sets a piece of about `bytes` bytes, or an empty piece at the end of the text or at damage.
  /// Returns the problem of a line that is too long. Only the part of a line that a piece lacks is
  /// compared with the limit. From: any thread.
  FileProblem next(size_t bytes, size_t max_line_bytes, TextPiece* piece);

  /// Returns the bytes after the first `used` bytes of the last piece to the reader.
  void put_back(const TextPiece& piece, int64_t used);

  /// Damage of the compressed data. If a line is bad, this may be the cause.
  const FileProblem& damage() const { return data_.problem(); }

  /// Decompresses more text, to find out if damage has caused a bad line. From: task. Suspends.
  void look_for_damage();

  int64_t used_bytes() const { return data_.used_bytes(); }  // of the file

 private:
  Decompressor data_;
  std::string text_;          // decompressed, but not yet in a piece
  bool has_newline_ = false;  // text_ may contain whole lines
  int64_t offset_ = 0;        // of text_ in the whole text
};

}}  // namespace Grappa::detail
