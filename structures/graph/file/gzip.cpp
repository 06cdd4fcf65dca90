#include "structures/graph/file/gzip.hpp"

#include "system/base/check.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <vector>
#include <zlib.h>

namespace Grappa::detail {
namespace {

constexpr size_t kInputBytes = 256 * KiB;
constexpr int kGzipOnly = 15 + 16;  // the largest window, and the gzip format

}  // namespace

struct GzipReader::Stream {
  explicit Stream(int its_fd) : fd(its_fd), input(kInputBytes) {
    GRAPPA_CHECK(inflateInit2(&z, kGzipOnly) == Z_OK) << "no memory to decompress a file";
  }
  ~Stream() { inflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int fd;
  std::vector<unsigned char> input;
  int64_t read_bytes = 0;  // from the file
  bool inside_member = true;
  bool at_end = false;
  z_stream z = {};
};

GzipReader::GzipReader(int fd) : stream_(new Stream(fd)) {}
GzipReader::~GzipReader() = default;

int64_t GzipReader::used_bytes() const {
  return stream_->read_bytes - int64_t(stream_->z.avail_in);
}

void GzipReader::fail(const std::string& sentence) {
  problem_ = problem_of_file(used_bytes(), sentence + " at byte " + std::to_string(used_bytes()));
  stream_->at_end = true;
}

// If all bytes in `input` are used, reads the next bytes of the file. Returns false if there are no
// more, or on an error.
bool GzipReader::fill() {
  Stream& s = *stream_;
  if (s.z.avail_in > 0) return true;
  const int64_t got = read_fully(s.fd, reinterpret_cast<char*>(s.input.data()),
                                 int64_t(s.input.size()), s.read_bytes);
  if (got < 0) fail(with_errno("cannot be read") + ",");
  if (got <= 0) return false;
  s.read_bytes += got;
  s.z.next_in = s.input.data();
  s.z.avail_in = static_cast<uInt>(got);
  return true;
}

// Skips the zeros after a member, and starts the next member if there is one.
void GzipReader::next_member() {
  Stream& s = *stream_;
  bool skipped = false;
  while (fill() && *s.z.next_in == 0) {
    ++s.z.next_in;
    --s.z.avail_in;
    skipped = true;
  }
  if (s.z.avail_in == 0) {
    s.at_end = true;
  } else if (skipped || *s.z.next_in != 0x1f) {
    fail("the gzip data end, but other data follow");
  } else {
    inflateReset(&s.z);
    s.inside_member = true;
  }
}

size_t GzipReader::read(size_t bytes, std::string* text) {
  Stream& s = *stream_;
  const size_t before = text->size();
  text->resize(before + bytes);
  s.z.next_out = reinterpret_cast<unsigned char*>(&(*text)[before]);
  s.z.avail_out = static_cast<uInt>(bytes);
  while (s.z.avail_out > 0 && !s.at_end) {
    if (!s.inside_member) {
      next_member();
      continue;
    }
    if (!fill()) {
      if (!problem_.found()) fail("the gzip data are truncated: the file ends");
      break;
    }
    const int status = inflate(&s.z, Z_NO_FLUSH);
    GRAPPA_CHECK(status != Z_MEM_ERROR) << "out of memory while a file is decompressed";
    if (status == Z_STREAM_END) {
      s.inside_member = false;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      const std::string why = s.z.msg == nullptr ? "" : std::string(" (") + s.z.msg + ")";
      fail(s.z.total_out == 0 && used_bytes() <= 10 ? "is not a gzip file" + why
                                                    : "the gzip data are damaged" + why);
    }
  }
  text->resize(text->size() - s.z.avail_out);
  return text->size() - before;
}

int64_t gzip_line_number_at(int fd, int64_t offset) {
  GzipReader reader(fd);
  int64_t newlines = 0;
  for (std::string text; offset > 0; text.clear()) {
    if (reader.read(size_t(std::min(offset, int64_t{1 * MiB})), &text) == 0) break;
    newlines += std::count(text.begin(), text.end(), '\n');
    offset -= int64_t(text.size());
  }
  return newlines + 1;
}

}  // namespace Grappa::detail
