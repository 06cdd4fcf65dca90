#pragma once

#include "system/base/input_error.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include <zlib.h>
#include <zstd.h>

namespace Grappa {

/// Returns one gzip member.
inline std::string zipped(const std::string& text, int level = 6) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string bytes(deflateBound(&stream, uLong(text.size())), '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  stream.avail_in = uInt(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(&bytes[0]);
  stream.avail_out = uInt(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(bytes.size() - stream.avail_out);
  deflateEnd(&stream);
  return bytes;
}

/// Returns one Zstandard frame, with a checksum as the program zstd makes it.
inline std::string zstd_frame(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const size_t size = ZSTD_compress2(context, &bytes[0], bytes.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  EXPECT_EQ(ZSTD_isError(size), 0u);
  bytes.resize(size);
  return bytes;
}

/// Returns the message of the bad input that ends `body()`, without the name of the program.
template <class F>
std::string complaint(F body) {
  const auto before = detail::input_error_hook;
  detail::input_error_hook = [](const char* line) { throw std::runtime_error(line); };
  std::string text;
  try {
    body();
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  detail::input_error_hook = before;
  const size_t program = text.find(": ");
  return program == std::string::npos ? text
                                      : text.substr(program + 2, text.find('\n') - program - 2);
}

}  // namespace Grappa
