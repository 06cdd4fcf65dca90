#pragma once

/// The buffers of this core's stock that are at home.
///
/// Those that are *hot* go out first, the one that came back last before the others: its lines are
/// in this core's cache, or so few that it does not matter whose. When there is none, those go out
/// that came back first. What another core has just read is expensive to write again: each line has
/// to be taken from that core's cache, and by then may have left it. With many buffers in turn a
/// stream of messages is twice as fast where the way between two processors is long
/// (bench/gups).

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

  /// Null if none is at home.
  Buffer* take() {
    Buffer*& from = hot_ != nullptr ? hot_ : first_;
    Buffer* buffer = from;
    if (buffer == nullptr) return nullptr;
    from = buffer->next;
    --size_;
    return buffer;
  }

 private:
  Buffer* hot_ = nullptr;    // the last that came back first
  Buffer* first_ = nullptr;  // the first that came back first
  Buffer* last_ = nullptr;
  size_t size_ = 0;
};

}  // namespace detail
}  // namespace Grappa
