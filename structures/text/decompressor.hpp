#pragma once

/// Decompresses a file in pieces: gzip (RFC 1952) with zlib, and Zstandard (RFC 8878) with libzstd.
/// From: any thread. Calls block in the kernel.

#include "structures/text/open_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace Grappa { namespace detail {

enum class Compression { kNone, kGzip, kZstd };

/// Returns true if the path ends with `suffix`, after at least one character.
bool has_suffix(const std::string& path, const std::string& suffix);

/// The suffix of the path selects the compression: `.gz` or `.zst`.
Compression compression_of(const std::string& path);
inline bool is_compressed(const std::string& path) {
  return compression_of(path) != Compression::kNone;
}
std::string without_compression_suffix(const std::string& path);

/// A compressed stream. `input` is the part of the file that has been read but not used.
class CompressedStream {
 public:
  struct Input {
    const unsigned char* next = nullptr;
    size_t bytes = 0;
  };
  enum class Result { kMore, kEnd, kDamaged, kOtherFormat, kOtherData, kTooLarge };

  virtual ~CompressedStream() = default;

  /// Decompresses to `to`, at most `*bytes` bytes, and sets `*bytes` to the free bytes left. kEnd:
  /// the text may end here. kOtherData: the text has ended, and the input is no part of the stream.
  /// kOtherFormat: the file does not begin with a header of this format. kTooLarge: the data need
  /// too much memory, and `why` is what they need. kDamaged, kOtherFormat: `why` is set, or "" if
  /// no reason is known.
  virtual Result decompress(Input* input, char* to, size_t* bytes, std::string* why) = 0;

  virtual const char* name() const = 0;
};

/// A file may have several members or frames, whose texts are concatenated. As in gzip, zeros after
/// the last member of a gzip file are ignored.
class Decompressor {
 public:
  /// Reads the open file from its beginning.
  Decompressor(int fd, Compression compression);
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Appends at most `bytes` bytes to `text`, and returns their number. Returns 0 only after the
  /// last byte, or after a problem, which is then in problem().
  size_t read(size_t bytes, std::string* text);

  /// The first problem: the file is damaged, truncated, or has another format. Valid text may have
  /// been returned before it.
  const FileProblem& problem() const { return problem_; }

  /// The bytes of the file that have been used.
  int64_t used_bytes() const { return read_bytes_ - int64_t(input_.bytes); }

 private:
  bool fill();
  void fail(const std::string& sentence);
  void fail_in_stream(CompressedStream::Result result, const std::string& why);

  const int fd_;
  const std::unique_ptr<CompressedStream> stream_;
  const std::unique_ptr<unsigned char[]> buffer_;
  CompressedStream::Input input_;
  int64_t read_bytes_ = 0;  // from the file
  bool may_end_ = false;    // a whole number of members or frames has been read
  bool ended_ = false;
  FileProblem problem_;
};

/// Returns the number of the line at an offset of the text, which is decompressed if the path has
/// a suffix of compressed files. The first line has number 1.
int64_t text_line_number(const std::string& path, int fd, int64_t offset);

}}  // namespace Grappa::detail
