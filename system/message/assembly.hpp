#pragma once

/// Reassembles payloads that were too large for one buffer.
///
/// A payload is identified by its sender and by a number that the sender assigns. Its parts arrive
/// in any order, each exactly once. Memory is allocated when the first part arrives.

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

  /// Returns a new number for a payload that this core sends in parts.
  uint32_t new_number() { return next_number_++; }

  /// Copies a part to its offset. If the payload is now complete, returns it, and the caller must
  /// release it with std::free. Otherwise returns null.
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
