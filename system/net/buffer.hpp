#pragma once

/// A message buffer: the unit of transfer between cores.
///
///     byte 0          64                     64 + used_bytes      buffer_bytes
///          | Buffer   | runs of messages ... | unused             |
///
/// Each buffer has exactly one holder at a time. Within a locale, the sender passes the buffer
/// itself to the receiver (shm_link.hpp). Between locales, MPI copies the header and the used bytes
/// into a buffer of the receiver. Each core maps a buffer at a different address, so a buffer
/// contains no pointer except the list link of its current holder.

#include "system/base/ids.hpp"
#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

/// The origin of a buffer's memory, to which the memory is returned.
enum class BufferOrigin : uint8_t {
  Pool,      // in the fixed pool of a core, identified by `owner` and `index`
  Received,  // posted as an MPI receive
  Overflow,  // allocated on the heap when the pool had no free buffer
};

struct alignas(kCacheLineBytes) Buffer {
  uint32_t used_bytes;  // bytes of the runs after the header
  uint32_t index;       // index in the owner's pool
  Core source;          // the core that filled the buffer
  Core owner;           // the core whose pool contains the buffer
  BufferOrigin origin;
  bool mixed;    // contains runs that the receiver relays: within its locale if the buffer comes
                 // from another locale, otherwise to other locales
  Buffer* next;  // list link of the current holder; undefined for other cores
  void* received_as;  // for the link that has received the buffer

  char* runs() { return reinterpret_cast<char*>(this + 1); }
  const char* runs() const { return reinterpret_cast<const char*>(this + 1); }
};

static_assert(sizeof(Buffer) == kCacheLineBytes, "runs must begin on a separate cache line");

/// A list of buffers, linked by Buffer::next.
class BufferQueue {
 public:
  bool empty() const { return first_ == nullptr; }

  void push(Buffer* buffer) {
    buffer->next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = buffer;
    last_ = buffer;
  }

  void push_front(Buffer* buffer) {
    if (first_ == nullptr) last_ = buffer;
    buffer->next = first_;
    first_ = buffer;
  }

  /// Removes and returns the first buffer, or null.
  Buffer* pop() {
    Buffer* buffer = first_;
    if (buffer != nullptr) first_ = buffer->next;
    return buffer;
  }

 private:
  Buffer* first_ = nullptr;
  Buffer* last_ = nullptr;  // undefined if the list is empty
};

/// The free buffers of this core's pool. *Hot* buffers are allocated first, in LIFO order: either
/// their cache lines are in this core's cache, or only few of their lines were used. The other
/// buffers are allocated in FIFO order, because a line that another core has just read must be
/// fetched from the cache of that core. If many buffers are in rotation, a stream of messages
/// between processors with a high latency is twice as fast (bench/gups).
class BufferPool {
 public:
  size_t size() const { return size_; }
  bool has_hot() const { return hot_ != 0; }

  void put_hot(Buffer* buffer) {
    free_.push_front(buffer);
    ++hot_;
    ++size_;
  }

  void put(Buffer* buffer) {
    free_.push(buffer);
    ++size_;
  }

  /// Removes and returns a free buffer, or null.
  Buffer* take() {
    if (size_ == 0) return nullptr;
    if (hot_ != 0) --hot_;
    --size_;
    return free_.pop();
  }

 private:
  BufferQueue free_;  // the hot buffers first
  size_t hot_ = 0;
  size_t size_ = 0;
};

}}  // namespace Grappa::detail
