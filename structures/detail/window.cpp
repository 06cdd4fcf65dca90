#include "structures/detail/window.hpp"

#include "structures/counters.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/global/heap.hpp"
#include "system/message/aggregator.hpp"
#include "system/parallel/bulk.hpp"

#include <algorithm>

namespace Grappa::detail {
namespace {

typedef GlobalAddress<char> Bytes;

/// Other tasks wait for the result of this call, so the message is flushed at once.
template <class F>
typename call_result<F>::type at_master(F body) {
  if (the_running_core == Window::kMaster) return body();
  ++structure_counters::master_messages;
  auto answer = delegate::call_future(Window::kMaster, body);
  flush_to(Window::kMaster, FlushCause::Asked);
  return answer.get();
}

/// The address of element `i` of the array.
Bytes place(const Extent& extent, int64_t i, size_t element_bytes) {
  return Bytes::from_raw(extent.array) + i * static_cast<int64_t>(element_bytes);
}

}  // namespace

// Acquires the lock. If `only_if_any` is set and there are no elements, releases the lock again.
Window::Grant Window::acquire(bool only_if_any) {
  return at_master([this, only_if_any] {
    lock_.lock();
    const bool keep = !only_if_any || extent_.size() != 0;
    if (!keep) lock_.unlock();
    return Grant{extent_, keep};
  });
}

void Window::release(const Extent& extent) {
  at_master([this, extent] {
    extent_ = extent;
    lock_.unlock();
    return true;
  });
}

// Makes space for `n` more elements at the back. From: the holder of the lock.
void Window::make_room(Extent* extent, int64_t n) {
  const int64_t size = extent->size(), bytes = static_cast<int64_t>(element_bytes_);
  const Bytes from = place(*extent, extent->head, element_bytes_);
  if (size + n <= extent->capacity / 2) {  // the two ranges do not overlap
    Grappa::memcpy(place(*extent, 0, element_bytes_), from, size * bytes);
  } else {
    const Bytes old = place(*extent, 0, element_bytes_);
    extent->capacity = 2 * std::max(extent->capacity, n);
    const Bytes array = global_alloc<char>(extent->capacity * bytes);
    Grappa::memcpy(array, from, size * bytes);
    global_free(old);
    extent->array = array.raw_bits();
  }
  extent->head = 0;
  extent->tail = size;
}

void Window::commit(Batch* batch) {
  const int64_t bytes = static_cast<int64_t>(element_bytes_);
  Grant grant = acquire(batch->n_pushed == 0);
  Extent& extent = grant.extent;
  if (!grant.locked) {
    batch->n_from_back = batch->n_from_front = 0;
    return;
  }
  if (batch->n_pushed != 0) {
    if (batch->n_pushed > extent.capacity - extent.tail) make_room(&extent, batch->n_pushed);
    Grappa::memcpy(place(extent, extent.tail, element_bytes_),
                   static_cast<const char*>(batch->pushed), batch->n_pushed * bytes);
    extent.tail += batch->n_pushed;
  }
  batch->n_from_back = std::min(batch->n_from_back, extent.size());
  if (batch->n_from_back != 0) {
    extent.tail -= batch->n_from_back;
    Grappa::memcpy(static_cast<char*>(batch->from_back), place(extent, extent.tail, element_bytes_),
                   batch->n_from_back * bytes);
  }
  batch->n_from_front = std::min(batch->n_from_front, extent.size());
  if (batch->n_from_front != 0) {
    Grappa::memcpy(static_cast<char*>(batch->from_front),
                   place(extent, extent.head, element_bytes_), batch->n_from_front * bytes);
    extent.head += batch->n_from_front;
  }
  if (extent.size() == 0) extent.head = extent.tail = 0;
  release(extent);
}

bool Window::pop_locked(void* element) {
  Batch batch = {nullptr, 0, element, 1, nullptr, 0};
  commit(&batch);
  return batch.n_from_back != 0;
}

bool Window::dequeue_locked(void* element) {
  Batch batch = {nullptr, 0, nullptr, 0, element, 1};
  commit(&batch);
  return batch.n_from_front != 0;
}

Extent Window::extent() const {
  return delegate::call(kMaster, [this] { return extent_; });
}

bool Window::look(bool at_back, void* element) {
  lock_.lock();
  const bool any = extent_.size() != 0;
  if (any) {
    const Bytes from = place(extent_, at_back ? extent_.tail - 1 : extent_.head, element_bytes_);
    Grappa::memcpy(static_cast<char*>(element), from, static_cast<int64_t>(element_bytes_));
  }
  lock_.unlock();
  return any;
}

void Window::clear() {
  Extent extent = acquire(false).extent;
  extent.head = extent.tail = 0;
  release(extent);
}

}  // namespace Grappa::detail
