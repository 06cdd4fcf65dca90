#pragma once

/// An incremental checksum of bytes: XXH3, 64 bits (Y. Collet, xxHash, 2019; its values are fixed
/// since version 0.8.0). The checksum detects accidental damage, but not deliberate changes.

#include <cstddef>
#include <cstdint>

struct XXH3_state_s;

namespace Grappa {
namespace detail {

class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;

  void add(const void* bytes, size_t size);

  /// The checksum of all bytes since the construction or the last reset().
  uint64_t value() const;
  void reset();

 private:
  XXH3_state_s* state_;
};

uint64_t checksum_of(const void* bytes, size_t size);

}  // namespace detail
}  // namespace Grappa
