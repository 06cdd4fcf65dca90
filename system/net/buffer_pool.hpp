#pragma once

/// The free buffers of this core's pool.
///
/// *Hot* buffers are allocated first, in LIFO order. The cache lines of a hot buffer are in this
/// core's cache, or there are so few of them that their location is unimportant. If there is no hot
/// buffer, the other buffers are allocated in FIFO order. Writing to a buffer that another core has
/// just read is expensive, because each line must be fetched from the cache of that core. The
/// longer a buffer is unused, the more of its lines have left that cache. With a large number of
/// buffers in rotation, a stream of messages is twice as fast where the latency between two
/// processors is high (bench/gups).

#include "system/net/buffer.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

class BufferPool {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  bool has_hot() const { return hot_ != nullptr; }

  void put_hot(Buffer* buffer) {
    buffer->next = hot_;
    hot_ = buffer;
    ++size_;
  }

  void put(Buffer* buffer) {
    buffer->next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = buffer;
    last_ = buffer;
    ++size_;
  }

  /// Removes and returns a free buffer; null if there is none.
  Buffer* take() {
    Buffer*& from = hot_ != nullptr ? hot_ : first_;
    Buffer* buffer = from;
    if (buffer == nullptr) return nullptr;
    from = buffer->next;
    --size_;
    return buffer;
  }

 private:
  Buffer* hot_ = nullptr;    // LIFO
  Buffer* first_ = nullptr;  // FIFO
  Buffer* last_ = nullptr;
  size_t size_ = 0;
};

}  // namespace detail
}  // namespace Grappa
