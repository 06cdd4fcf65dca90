#pragma once

/// Puts payloads together that were too large for one buffer.
///
/// The sender numbers them; sender and number name one here. Its parts arrive in any order, each
/// once; the memory is taken when the first one comes.

#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace Grappa {
namespace detail {

class Assembly {
 public:
  Assembly() = default;
  ~Assembly();
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  /// A number for a payload that this core sends in parts.
  uint32_t new_number() { return next_number_++; }

  /// Copies a part to its place. The whole payload, to be freed with std::free, if this was the
  /// last one that was missing; null otherwise.
  void* add(Core source, uint32_t number, size_t total_bytes, size_t offset, const void* part,
            size_t bytes);

 private:
  struct Unfinished {
    char* memory = nullptr;
    size_t received_bytes = 0;
  };

  uint32_t next_number_ = 0;
  std::unordered_map<uint64_t, Unfinished> unfinished_;  // by sender and number
};

}  // namespace detail
}  // namespace Grappa
