#pragma once

/// Appends values from all cores to a global array, in batches.
///
///     PushBuffer<int64_t> found;                         // at file scope: one on each core
///     on_all_cores([=] { found.setup(array, index); });
///     forall(vertices, n, [](Vertex& v) { if (...) found.push(v.id); });
///     on_all_cores([] { found.flush(); });               // now all values are in the array
///
/// All cores share the index. A full buffer reserves the next elements of the array by one
/// fetch_and_add of the index, and is then copied to these elements. The values of one buffer stay
/// in the order of their pushes. The array must be long enough: its end is not checked.

#include "structures/detail/element_store.hpp"
#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/global/locale_memory.hpp"
#include "system/parallel/bulk.hpp"
#include "system/sync/completion_event.hpp"

#include <cstdint>
#include <memory>
#include <new>

namespace Grappa {

/// A buffer of `size` values for the tasks of one core. It is a file-scope or symmetric object.
template <class T, int64_t size = 64>
class PushBuffer {
  static_assert(size > 0, "a push buffer holds at least one value");
  static_assert(detail::travels<T>::value,
                "values of a push buffer are copied to the array as bytes, so they must be "
                "trivially copyable");

 public:
  /// Sets the array and its index, the same on all cores. The buffer must have no unwritten values.
  void setup(GlobalAddress<T> array, GlobalAddress<int64_t> index) {
    GRAPPA_CHECK(count_ == 0 && under_way_.get_count() == 0)
        << "setup of a PushBuffer with " << count_
        << " values that are not yet in their array: flush it first";
    array_ = array;
    index_ = index;
  }

  /// Adds a value. From: task. Suspends: if `value` fills the buffer, until the buffer is in the
  /// array. Messages: in this case the messages of fetch_and_add and memcpy.
  void push(const T& value) {
    if (!values_) allocate();
    ::new (static_cast<void*>(values_.get() + count_)) T(value);
    if (++count_ == size) write();
  }

  /// Writes all values of this core. From: task. Suspends: until all values are in the array.
  void flush() {
    if (count_ != 0) write();
    under_way_.wait();
  }

 private:
  void allocate() {
    GRAPPA_CHECK(index_) << "push to a PushBuffer without an array: call setup on each core";
    void* const buffer = detail::allocate_local(size, sizeof(T), alignof(T), "PushBuffer");
    values_.reset(static_cast<T*>(buffer));
  }

  void write() {  // other tasks may push to a new buffer during the write
    const std::unique_ptr<T, detail::OwnFree> full(std::move(values_));
    const int64_t n = count_;
    count_ = 0;
    under_way_.enroll();
    const int64_t place = delegate::fetch_and_add(index_, n);
    Grappa::memcpy(array_ + place, static_cast<const T*>(full.get()), n);
    under_way_.complete();
  }

  GlobalAddress<T> array_;
  GlobalAddress<int64_t> index_;
  std::unique_ptr<T, detail::OwnFree> values_;  // null if no value is waiting
  int64_t count_ = 0;
  CompletionEvent under_way_;  // buffers that are being written
};

}  // namespace Grappa
