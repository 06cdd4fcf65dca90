#include "tests/fuzz/serial_text.hpp"

#include <sstream>

#include <zlib.h>
#include <zstd.h>

namespace fuzz {
namespace {

constexpr size_t kOutputBytes = 1 << 16;

TextState gzip_text(const std::string& bytes, size_t most_bytes, std::string* text) {
  for (size_t at = 0; at == 0 || bytes.find_first_not_of('\0', at) != std::string::npos;) {
    if (at > 0 && bytes[at] != '\x1f') return TextState::kDamaged;
    z_stream stream = {};
    inflateInit2(&stream, 15 + 16);
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(&bytes[at]));
    stream.avail_in = uInt(bytes.size() - at);
    int status = Z_OK;
    while (status == Z_OK && text->size() <= most_bytes) {
      char output[kOutputBytes];
      stream.next_out = reinterpret_cast<unsigned char*>(output);
      stream.avail_out = uInt(sizeof output);
      status = inflate(&stream, Z_NO_FLUSH);
      text->append(output, sizeof output - stream.avail_out);
    }
    at = bytes.size() - stream.avail_in;
    inflateEnd(&stream);
    if (text->size() > most_bytes) return TextState::kTooLarge;
    if (status != Z_STREAM_END) return TextState::kDamaged;
  }
  return TextState::kGood;
}

TextState zstd_text(const std::string& bytes, size_t most_bytes, std::string* text) {
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  size_t status = 1;  // no frame has ended
  bool more = true;
  while (ZSTD_isError(status) == 0 && more && text->size() <= most_bytes) {
    char output[kOutputBytes];
    ZSTD_outBuffer out = {output, sizeof output, 0};
    if (status == 0 && in.pos == in.size) break;
    const size_t before = in.pos;
    status = ZSTD_decompressStream(context, &out, &in);
    text->append(output, out.pos);
    more = out.pos > 0 || in.pos > before;
  }
  ZSTD_freeDCtx(context);
  if (text->size() > most_bytes) return TextState::kTooLarge;
  return status == 0 ? TextState::kGood : TextState::kDamaged;
}

}  // namespace

TextState text_of(const std::string& path, const std::string& bytes, size_t most_bytes,
                  std::string* text) {
  text->clear();
  if (ends_with(path, ".gz")) return gzip_text(bytes, most_bytes, text);
  if (ends_with(path, ".zst")) return zstd_text(bytes, most_bytes, text);
  *text = bytes;
  return TextState::kGood;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace fuzz
