#include "structures/global_vector.hpp"
#include "system/message/aggregator.hpp"
#include "system/parallel/bulk.hpp"

#include <algorithm>

namespace Grappa::detail {
namespace {

/// Other tasks wait for the result of this call, so the message is flushed at once.
template <class F>
typename call_result<F>::type at_master(Core master, F body) {
  if (the_running_core == master) return body();
  ++structure_counters::master_messages;
  auto answer = delegate::call_future(master, body);
  flush_to(master, FlushCause::Asked);
  return answer.get();
}

}  // namespace

// Acquires the lock. If `only_if_any` is set and there are no elements, releases the lock again.
Window::Grant Window::acquire(bool only_if_any) {
  return at_master(master_, [this, only_if_any] {
    lock_.lock();
    const bool keep = !only_if_any || extent_.size() != 0;
    if (!keep) lock_.unlock();
    return Grant{extent_, keep};
  });
}

void Window::release(const Extent& extent) {
  at_master(master_, [this, extent] {
    extent_ = extent;
    lock_.unlock();
    return true;
  });
}

void Window::make_room(Extent* extent, int64_t n) {
  const int64_t size = extent->size(), bytes = size * element_bytes_;
  const GlobalAddress<char> old = extent->array, from = place(*extent, extent->head);
  if (size + n <= extent->capacity / 2) {  // the two ranges do not overlap
    Grappa::memcpy(old, from, bytes);
  } else {
    extent->capacity = 2 * std::max(extent->capacity, n);
    extent->array = global_alloc<char>(extent->capacity * element_bytes_);
    Grappa::memcpy(extent->array, from, bytes);
    global_free(old);
  }
  extent->head = 0;
  extent->tail = size;
}

void Window::read(const Extent& extent, int64_t i, int64_t n, void* elements) const {
  if (n == 0) return;
  Grappa::memcpy(static_cast<char*>(elements), place(extent, i), n * element_bytes_);
}

void Window::commit(Batch* batch) {
  Grant grant = acquire(batch->n_pushed == 0);
  Extent& extent = grant.extent;
  if (!grant.locked) {
    batch->n_from_back = batch->n_from_front = 0;
    return;
  }
  if (batch->n_pushed != 0) {
    if (batch->n_pushed > extent.capacity - extent.tail) make_room(&extent, batch->n_pushed);
    Grappa::memcpy(place(extent, extent.tail), static_cast<const char*>(batch->pushed),
                   batch->n_pushed * element_bytes_);
    extent.tail += batch->n_pushed;
  }
  batch->n_from_back = std::min(batch->n_from_back, extent.size());
  extent.tail -= batch->n_from_back;
  read(extent, extent.tail, batch->n_from_back, batch->from_back);
  batch->n_from_front = std::min(batch->n_from_front, extent.size());
  read(extent, extent.head, batch->n_from_front, batch->from_front);
  extent.head += batch->n_from_front;
  if (extent.size() == 0) extent.head = extent.tail = 0;
  release(extent);
}

void Window::push_locked(const void* element) {
  Batch batch = {element, 1, nullptr, 0, nullptr, 0};
  commit(&batch);
}

bool Window::pop_locked(void* element, bool from_front) {
  Batch batch = {nullptr, 0, element, from_front ? 0 : 1, element, from_front ? 1 : 0};
  commit(&batch);
  return batch.n_from_back + batch.n_from_front != 0;
}

Extent Window::extent() const {
  return delegate::call(master_, [this] { return extent_; });
}

bool Window::look(bool at_back, void* element) {
  lock_.lock();
  const bool any = extent_.size() != 0;
  if (any) read(extent_, at_back ? extent_.tail - 1 : extent_.head, 1, element);
  lock_.unlock();
  return any;
}

void Window::clear() {
  Extent extent = acquire(false).extent;
  extent.head = extent.tail = 0;
  release(extent);
}

}  // namespace Grappa::detail
