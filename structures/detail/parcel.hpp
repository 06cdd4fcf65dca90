#pragma once

/// The layout of the requests and answers of a batch on a global set or map: aligned parts, and
/// rows of bits.

#include "system/base/units.hpp"

#include <cstddef>
#include <vector>

namespace Grappa { namespace detail {

constexpr size_t kPartAlignment = 16;  // alignment of the parts of requests and answers

/// Appends `bytes` zero bytes at a multiple of kPartAlignment and returns their address.
inline char* add_part(std::vector<char>* parcel, size_t bytes) {
  const size_t at = align_up(parcel->size(), kPartAlignment);
  parcel->resize(at + bytes);
  return parcel->data() + at;
}

/// Skips the next part, which has `count` elements, and returns its address.
template <class T>
const T* take_part(const char** next, size_t count) {
  const T* const part = reinterpret_cast<const T*>(*next);
  *next += align_up(count * sizeof(T), kPartAlignment);
  return part;
}

/// Writes bits into zero bytes, or reads them.
struct BitWriter {
  char* bytes;
  size_t n;

  void add(bool bit) {
    bytes[n / 8] = static_cast<char>(bytes[n / 8] | int{bit} << n % 8);
    ++n;
  }
};
struct BitReader {
  const char* bytes;
  size_t n;

  bool next() {
    const bool bit = (bytes[n / 8] >> n % 8 & 1) != 0;
    ++n;
    return bit;
  }
};
inline size_t bit_bytes(size_t bits) { return align_up(div_up(bits, 8), kPartAlignment); }

}}  // namespace Grappa::detail
