#pragma once

/// One core's part of a global array, as a range of pointers.
///
/// The blocks of an array that one core owns are contiguous in its memory. The core's elements
/// therefore form one contiguous range.

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/piece_copy.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Aborts the job if some elements of a linear array at `base` lie on two cores.
template <class T>
void check_elements(GlobalAddress<T> base) {
  GRAPPA_CHECK(block_size % sizeof(T) == 0 && base.raw_bits() % sizeof(T) == 0)
      << "an array of elements of " << sizeof(T) << " bytes at " << base
      << ": some elements lie on two cores; pad the type to 1, 2, 4, 8, 16, 32 or 64 bytes, and "
         "begin the array at a multiple of that size";
}

}  // namespace detail

template <class T>
class LocalSpan {
  static_assert(block_size % sizeof(T) == 0,
                "an element of a global array must not cross a 64-byte block: pad the type to 1, "
                "2, 4, 8, 16, 32 or 64 bytes");

 public:
  /// The elements of array [base, base + n) that `core` owns. `base` is linear.
  LocalSpan(GlobalAddress<T> base, int64_t n, Core core)
      : base_(base.raw_bits()), core_(core), begin_(nullptr), end_(nullptr) {
    if (n <= 0) return;
    detail::check_elements(base);
    const uint64_t end_offset = base_ + static_cast<uint64_t>(n) * sizeof(T);
    const detail::StridedPart part =
        detail::clip(detail::StridedRange::blocks_of(core), base_, end_offset);
    if (part.bytes == 0) return;
    begin_ = GlobalAddress<T>::from_raw(part.begin).pointer();
    end_ = begin_ + part.bytes / sizeof(T);
  }

  T* begin() const { return begin_; }
  T* end() const { return end_; }
  int64_t size() const { return end_ - begin_; }

  /// The index in the array of the element at `element`, which must be in this span.
  int64_t index_of(const T* element) const {
    const uint64_t local = reinterpret_cast<uint64_t>(element) - detail::kHeapBase;
    return static_cast<int64_t>((detail::block_cyclic().linear_offset(core_, local) - base_) /
                                sizeof(T));
  }

 private:
  uint64_t base_;
  Core core_;
  T* begin_;
  T* end_;
};

/// This core's elements of [base, base + n).
template <class T>
LocalSpan<T> iterate_local(GlobalAddress<T> base, int64_t n) {
  detail::checked_count(n, "iterate_local");
  return LocalSpan<T>(base, n, mycore());
}

}  // namespace Grappa
