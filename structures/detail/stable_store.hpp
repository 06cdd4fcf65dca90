#pragma once

/// The elements of one core. Adding an element does not move the other elements.
///
/// Each chunk is twice as large as the chunk before, so the number of chunks is at most the number
/// of bits of the size. The highest bit of an index gives the chunk of the element.

#include "structures/detail/element.hpp"
#include "system/base/bits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace Grappa {
namespace detail {

template <class T>
class StableStore {
 public:
  /// Allocates memory for `expected` elements, if above 0. Error messages name the container
  /// `owner`.
  StableStore(int64_t expected, const char* owner)
      : owner_(owner),
        first_chunk_(next_power_of_two(static_cast<uint64_t>(
            expected > 0 ? expected : kFirstBytes / int64_t{sizeof(T)} + 1))) {
    if (expected > 0) allocate(0);
  }
  ~StableStore() {
    clear();
    for (T* chunk : chunks_) std::free(chunk);
  }
  StableStore(const StableStore&) = delete;
  StableStore& operator=(const StableStore&) = delete;

  template <class U>
  void push(U&& value) {
    const Place end = place(size_);
    if (chunks_[end.chunk] == nullptr) allocate(end.chunk);
    ::new (static_cast<void*>(chunks_[end.chunk] + end.offset)) T(std::forward<U>(value));
    ++size_;
  }

  int64_t size() const { return size_; }

  /// Calls visit(element) for `count` elements, from the element `first` on.
  template <class Visit>
  void for_range(int64_t first, int64_t count, Visit&& visit) {
    while (count > 0) {
      const Place from = place(first);
      const int64_t here =
          std::min(count, static_cast<int64_t>((first_chunk_ << from.chunk) - from.offset));
      T* const element = chunks_[from.chunk] + from.offset;
      for (int64_t k = 0; k < here; ++k) visit(element[k]);
      first += here;
      count -= here;
    }
  }

  /// Destroys all elements. Keeps the memory for new elements.
  void clear() {
    for_range(0, size_, [](T& element) { element.~T(); });
    size_ = 0;
  }

 private:
  enum : int64_t { kFirstBytes = 4096 };

  struct Place {
    unsigned chunk;
    uint64_t offset;
  };
  /// Chunk k has first_chunk_ << k elements, all chunks before (first_chunk_ << k) - first_chunk_.
  Place place(int64_t i) const {
    const uint64_t shifted = static_cast<uint64_t>(i) + first_chunk_;
    const int top = floor_log2(shifted);
    return {static_cast<unsigned>(top - floor_log2(first_chunk_)), shifted - (uint64_t{1} << top)};
  }

  void allocate(unsigned chunk) {
    chunks_[chunk] =
        static_cast<T*>(allocate_local(first_chunk_ << chunk, sizeof(T), alignof(T), owner_));
  }

  const char* owner_;
  uint64_t first_chunk_;  // elements in chunk 0: a power of two
  int64_t size_ = 0;
  T* chunks_[64] = {};  // null if not yet needed
};

}  // namespace detail
}  // namespace Grappa
