#include "structures/text/decompressor.hpp"

#include "structures/text/line_reader.hpp"
#include "system/base/check.hpp"
#include "system/base/units.hpp"

#include <algorithm>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace Grappa::detail {
namespace {

constexpr size_t kInputBytes = 256 * KiB;
constexpr int kGzipOnly = 15 + 16;  // the largest window, and the gzip format

const char kGzipSuffix[] = ".gz", kZstdSuffix[] = ".zst";

// The members of a gzip file, and the zeros after the last member.
class GzipStream : public CompressedStream {
 public:
  GzipStream() {
    GRAPPA_CHECK(inflateInit2(&z_, kGzipOnly) == Z_OK) << "no memory to decompress a file";
  }
  ~GzipStream() override { inflateEnd(&z_); }

  const char* name() const override { return "gzip"; }

  Result decompress(Input* input, char* to, size_t* bytes, std::string* why) override {
    if (!inside_member_) {
      for (; input->bytes > 0 && *input->next == 0; ++input->next, --input->bytes) skipped_ = true;
      if (input->bytes == 0) return Result::kEnd;
      if (skipped_ || *input->next != kFirstByte) return Result::kOtherData;
      inflateReset(&z_);
      inside_member_ = true;
    }
    z_.next_in = const_cast<unsigned char*>(input->next);
    z_.avail_in = static_cast<uInt>(input->bytes);
    z_.next_out = reinterpret_cast<unsigned char*>(to);
    z_.avail_out = static_cast<uInt>(*bytes);
    const int status = inflate(&z_, Z_NO_FLUSH);
    GRAPPA_CHECK(status != Z_MEM_ERROR) << "out of memory while a file is decompressed";
    *input = Input{z_.next_in, z_.avail_in};
    *bytes = z_.avail_out;
    if (status == Z_STREAM_END) {
      inside_member_ = skipped_ = first_member_ = false;
      return Result::kEnd;
    }
    if (status == Z_OK || status == Z_BUF_ERROR) return Result::kMore;
    *why = z_.msg == nullptr ? "" : z_.msg;
    return first_member_ && z_.total_in <= kHeaderBytes ? Result::kOtherFormat : Result::kDamaged;
  }

 private:
  static constexpr unsigned char kFirstByte = 0x1f;
  static constexpr uLong kHeaderBytes = 10;  // without a name of the file

  z_stream z_ = {};
  bool inside_member_ = true;
  bool first_member_ = true;
  bool skipped_ = false;  // zeros after a member
};

class ZstdStream : public CompressedStream {
 public:
  ZstdStream() : z_(ZSTD_createDStream()) {
    GRAPPA_CHECK(z_ != nullptr) << "no memory to decompress a file";
  }
  ~ZstdStream() override { ZSTD_freeDStream(z_); }

  const char* name() const override { return "zstd"; }

  Result decompress(Input* input, char* to, size_t* bytes, std::string* why) override {
    ZSTD_inBuffer in = {input->next, input->bytes, 0};
    ZSTD_outBuffer out = {to, *bytes, 0};
    const size_t status = ZSTD_decompressStream(z_, &out, &in);
    *input = Input{input->next + in.pos, input->bytes - in.pos};
    *bytes -= out.pos;
    if (ZSTD_isError(status) != 0) {
      const ZSTD_ErrorCode code = ZSTD_getErrorCode(status);
      if (code == ZSTD_error_frameParameter_windowTooLarge) {
        *why = "a window above 128 MiB (compress the file with --long=27 or less)";
        return Result::kTooLarge;
      }
      *why = ZSTD_getErrorName(status);
      if (code != ZSTD_error_prefix_unknown) return Result::kDamaged;
      return has_frame_ ? Result::kOtherData : Result::kOtherFormat;
    }
    if (status != 0) return Result::kMore;
    has_frame_ = true;
    return Result::kEnd;
  }

 private:
  ZSTD_DStream* const z_;
  bool has_frame_ = false;  // a frame has ended
};

std::unique_ptr<CompressedStream> make_stream(Compression compression) {
  if (compression == Compression::kZstd) return std::make_unique<ZstdStream>();
  return std::make_unique<GzipStream>();
}

}  // namespace

bool has_suffix(const std::string& path, const std::string& suffix) {
  const size_t length = suffix.size();
  return path.size() > length && path.compare(path.size() - length, length, suffix) == 0;
}

Compression compression_of(const std::string& path) {
  return has_suffix(path, kGzipSuffix)   ? Compression::kGzip
         : has_suffix(path, kZstdSuffix) ? Compression::kZstd
                                         : Compression::kNone;
}

std::string without_compression_suffix(const std::string& path) {
  return is_compressed(path) ? path.substr(0, path.rfind('.')) : path;
}

Decompressor::Decompressor(int fd, Compression compression)
    : fd_(fd), stream_(make_stream(compression)), buffer_(new unsigned char[kInputBytes]) {}
Decompressor::~Decompressor() = default;

void Decompressor::fail(const std::string& sentence) {
  problem_ = problem_of_file(used_bytes(), sentence + " at byte " + std::to_string(used_bytes()));
  ended_ = true;
}

// If all input is used, reads the next bytes of the file. Returns false if there are no more, or on
// an error.
bool Decompressor::fill() {
  if (input_.bytes > 0) return true;
  const int64_t got =
      read_fully(fd_, reinterpret_cast<char*>(buffer_.get()), int64_t{kInputBytes}, read_bytes_);
  if (got < 0) fail(with_errno("cannot be read") + ",");
  if (got <= 0) return false;
  read_bytes_ += got;
  input_ = {buffer_.get(), size_t(got)};
  return true;
}

size_t Decompressor::read(size_t bytes, std::string* text) {
  typedef CompressedStream::Result Result;
  const size_t before = text->size();
  text->resize(before + bytes);
  size_t left = bytes;
  while (left > 0 && !ended_) {
    const bool at_end_of_file = !fill();
    if (problem_.found()) break;
    if (at_end_of_file && may_end_) {
      ended_ = true;
      break;
    }
    const size_t left_before = left;
    std::string why;
    const Result result =
        stream_->decompress(&input_, &(*text)[before + bytes - left], &left, &why);
    may_end_ = result == Result::kEnd;
    if (result != Result::kMore && result != Result::kEnd) {
      fail_in_stream(result, why);
    } else if (at_end_of_file && left == left_before && !may_end_) {
      fail(std::string("the ") + stream_->name() + " data are truncated: the file ends");
    }
  }
  text->resize(text->size() - left);
  return text->size() - before;
}

void Decompressor::fail_in_stream(CompressedStream::Result result, const std::string& why) {
  typedef CompressedStream::Result Result;
  const std::string name = stream_->name(), reason = why.empty() ? "" : " (" + why + ")";
  if (result == Result::kOtherData) return fail("the " + name + " data end, but other data follow");
  if (result == Result::kTooLarge) return fail("the " + name + " data need " + why);
  fail(result == Result::kOtherFormat ? "is not a " + name + " file" + reason
                                      : "the " + name + " data are damaged" + reason);
}

int64_t text_line_number(const std::string& path, int fd, int64_t offset) {
  if (!is_compressed(path)) return line_number_at(fd, offset);
  Decompressor reader(fd, compression_of(path));
  int64_t newlines = 0;
  for (std::string text; offset > 0; text.clear()) {
    if (reader.read(size_t(std::min(offset, int64_t{1 * MiB})), &text) == 0) break;
    newlines += std::count(text.begin(), text.end(), '\n');
    offset -= int64_t(text.size());
  }
  return newlines + 1;
}

}  // namespace Grappa::detail
