#pragma once

/// Decompresses a gzip file (RFC 1952) in pieces, with zlib. From: any thread. Calls block in the
/// kernel.

#include "structures/graph/file/open_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace Grappa { namespace detail {

/// A file may have several members, whose texts are concatenated. Zeros after the last member are
/// ignored, as gzip does.
class GzipReader {
 public:
  /// Reads the open file from its beginning.
  explicit GzipReader(int fd);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Appends at most `bytes` bytes to `text`, and returns their number. Returns 0 only after the
  /// last byte, or after a problem, which is then in problem().
  size_t read(size_t bytes, std::string* text);

  /// The first problem: the file is damaged, truncated, or not a gzip file. Valid text may have
  /// been returned before it.
  const FileProblem& problem() const { return problem_; }

  /// The bytes of the file that have been used.
  int64_t used_bytes() const;

 private:
  struct Stream;

  bool fill();
  void next_member();
  void fail(const std::string& sentence);

  std::unique_ptr<Stream> stream_;
  FileProblem problem_;
};

/// Like line_number_at, for an offset in the decompressed text.
int64_t gzip_line_number_at(int fd, int64_t offset);

}}  // namespace Grappa::detail
