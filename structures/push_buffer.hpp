#pragma once

/// Appending to a global array from all cores, many values at a time.
///
///     PushBuffer<int64_t> found;                         // at file scope, so one on each core
///     on_all_cores([=] { found.setup(array, index); });
///     forall(vertices, n, [](Vertex& v) { if (...) found.push(v.id); });
///     on_all_cores([] { found.flush(); });               // now all are in the array
///
/// Values gather on their core. A full buffer takes the next places of the array by one
/// fetch_and_add of the index, which all cores share, and is copied there as a whole. So the index
/// says how many values have taken places, the values of one core are in the order of its pushes
/// within a buffer, and nothing else is known of the order. The array is the caller's and so is its
/// length: a buffer that is written behind its end overwrites what is there.

#include "structures/detail/local_memory.hpp"
#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/bulk.hpp"
#include "system/sync/completion_event.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace Grappa {

/// A buffer of `size` values. One on each core, at file scope or symmetric; each serves the tasks
/// of its core.
template <class T, int64_t size = 64>
class PushBuffer {
  static_assert(size > 0, "a push buffer holds at least one value");
  static_assert(detail::travels<T>::value,
                "values of a push buffer are copied to the array as bytes, so they must be "
                "trivially copyable");

 public:
  PushBuffer() = default;

  /// From now on values go to `array`, at places that `index` counts; on each core with the same
  /// two. Ends the job if values are waiting that have not been flushed.
  void setup(GlobalAddress<T> array, GlobalAddress<int64_t> index) {
    GRAPPA_CHECK(count_ == 0 && under_way_.get_count() == 0)
        << "setup of a PushBuffer with " << count_
        << " values that are not in their array yet: flush it first";
    array_ = array;
    index_ = index;
  }

  /// From: task. Suspends: if `value` fills the buffer, until that is in the array. Messages: then
  /// those of fetch_and_add and memcpy.
  void push(const T& value) {
    if (!values_) allocate();
    ::new (static_cast<void*>(values_.get() + count_)) T(value);
    if (++count_ == size) write();
  }

  /// Returns when all that was pushed on this core before is in the array, also what other tasks
  /// are writing. From: task. Suspends: until then.
  void flush() {
    if (count_ != 0) write();
    under_way_.wait();
  }

 private:
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };

  void allocate() {
    GRAPPA_CHECK(index_) << "push to a PushBuffer without an array: call setup on each core";
    values_.reset(
        static_cast<T*>(detail::allocate_local(size, sizeof(T), alignof(T), "PushBuffer")));
  }

  /// Others go on with another buffer while this one is on its way.
  void write() {
    const std::unique_ptr<T, Free> full(std::move(values_));
    const int64_t n = count_;
    count_ = 0;
    under_way_.enroll();
    const int64_t place = delegate::fetch_and_add(index_, n);
    const T* const first = full.get();
    Grappa::memcpy(array_ + place, first, n);
    under_way_.complete();
  }

  GlobalAddress<T> array_;
  GlobalAddress<int64_t> index_;
  std::unique_ptr<T, Free> values_;  // null: none since the last was full
  int64_t count_ = 0;
  CompletionEvent under_way_;  // buffers that are being written
};

}  // namespace Grappa
