#pragma once

/// GlobalVector with the interface of existing Grappa programs: size() returns a size_t, and
/// enqueue() is push(). This header defines GlobalVector as another name of OriginalVector.

#include "structures/global_vector.hpp"
#include "system/compat/global_names.hpp"

#include <queue>

namespace Grappa {

/// Adds only names to GlobalVector, so both classes have the same addresses.
template <class T, int kBufferCapacity = 1 << 10>
class OriginalVector : public GlobalVector<T> {
  typedef GlobalVector<T> Vector;

 public:
  using Vector::Vector;

  static GlobalAddress<OriginalVector> create(size_t capacity) {
    return static_cast<GlobalAddress<OriginalVector>>(
        Vector::create(static_cast<int64_t>(capacity)));
  }
  size_t size() { return static_cast<size_t>(Vector::size()); }
  void enqueue(const T& element) { this->push(element); }
};

namespace detail {

template <class T, int kBufferCapacity>
struct LoopOver<OriginalVector<T, kBufferCapacity>> {
  template <class Options, class F>
  static void start(GlobalAddress<OriginalVector<T, kBufferCapacity>> vector, const F& body) {
    LoopOver<GlobalVector<T>>::template start<Options>(
        static_cast<GlobalAddress<GlobalVector<T>>>(vector), body);
  }
};

}  // namespace detail
}  // namespace Grappa

#define GlobalVector OriginalVector
