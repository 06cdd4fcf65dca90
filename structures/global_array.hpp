#pragma once

/// An array of elements, distributed over all cores in blocks of 64 bytes.
///
///     GlobalAddress<GlobalArray<double>> a = GlobalArray<double>::create(n);
///     delegate::write((*a)[i], 2.5);
///     forall(a, [](int64_t i, double& element) { ... });
///     a->destroy();
///
/// Indexing needs no message. The object is small and trivially copyable, so bodies may capture it.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/symmetric.hpp"

#include <cstdint>

namespace Grappa {

/// T must be trivially copyable, with a size of 1, 2, 4, 8, 16, 32 or 64 bytes.
template <class T>
class GlobalArray {
  static_assert(detail::travels<T>::value,
                "elements of a global array are copied to other cores as bytes, so they must be "
                "trivially copyable");

 public:
  typedef GlobalArray Looped;

  /// Creates an array of `n` elements, all equal to `value`. Aborts if memory is exhausted.
  /// From: task. Suspends: until done. Messages: those of symmetric(), and 2 for each other core.
  static GlobalAddress<GlobalArray> create(int64_t n, T value = T()) {
    detail::checked_count(n, "GlobalArray::create");
    const GlobalAddress<T> first = global_alloc<T>(n);
    Grappa::memset(first, value, n);
    return symmetric<GlobalArray>(first, n);
  }

  /// Returns the address of element `i`, 0 <= i < size().
  GlobalAddress<T> operator[](int64_t i) const {
    GRAPPA_DCHECK(0 <= i && i < size_) << "element " << i << " of a global array of " << size_;
    return first_ + i;
  }

  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  GlobalAddress<T> begin() const { return first_; }
  GlobalAddress<T> end() const { return first_ + size_; }

  /// Frees the elements and the array on all cores. From: task, once. Suspends: until done.
  void destroy() {
    const GlobalAddress<GlobalArray> self = make_global(this, 0);
    global_free(first_);
    global_free(self);  // destroys *this
  }

  /// forall(array, body) means forall(array->begin(), array->size(), body), with the same forms of
  /// body and the same template arguments.
  template <class Options, class F>
  void start_loop(const F& body) {
    detail::start_loop(Options(), first_, size_, body);
  }

  GlobalArray(GlobalAddress<T> first, int64_t n) : first_(first), size_(n) {}  // for create()

 private:
  GlobalAddress<T> first_;
  int64_t size_;
};

}  // namespace Grappa
