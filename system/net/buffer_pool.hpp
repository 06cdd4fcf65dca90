#pragma once

/// The buffers of this core's stock that are at home. The one that came back last goes out first:
/// it is the one most likely to be in cache, and a stock that is never used up never touches the
/// rest.

#include "system/net/buffer.hpp"

#include <cstddef>

namespace Grappa {

class BufferPool {
 public:
  bool empty() const { return first_ == nullptr; }
  size_t size() const { return size_; }

  void put(Buffer* buffer) {
    buffer->next = first_;
    first_ = buffer;
    ++size_;
  }

  /// Null if none is at home.
  Buffer* take() {
    Buffer* buffer = first_;
    if (buffer == nullptr) return nullptr;
    first_ = buffer->next;
    --size_;
    return buffer;
  }

 private:
  Buffer* first_ = nullptr;
  size_t size_ = 0;
};

}  // namespace Grappa
