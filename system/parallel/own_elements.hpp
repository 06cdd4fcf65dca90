#pragma once

/// The elements of an array that one core owns: its part for a linear address; all or none for a 2D
/// address.

#include "system/global/local_span.hpp"
#include "system/global/owners.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

template <class T>
struct OwnElements {
  T* first;
  int64_t count;

  /// Calls visit(elements, count) for slices of the elements, in order. Suspends: in a task,
  /// between two slices, if a network poll is due.
  template <class Visit>
  void in_slices(Visit visit) const {
    constexpr int64_t kSlice = int64_t{64} * 1024 / static_cast<int64_t>(sizeof(T)) + 1;
    for (int64_t done = 0; done < count; done += kSlice) {
      if (done != 0) yield_if_due();
      visit(first + done, std::min(kSlice, count - done));
    }
  }
};

template <class T>
OwnElements<T> own_part(GlobalAddress<T> base, int64_t n, std::true_type) {
  const LocalSpan<T> span = iterate_local(base, n);
  return {span.begin(), span.size()};
}
/// Elements of such sizes would cross block boundaries, so their arrays must be on one core.
template <class T>
OwnElements<T> own_part(GlobalAddress<T> base, int64_t, std::false_type) {
  check_elements(base);  // aborts the job
  return {nullptr, 0};
}

/// This core's elements of [base, base + n).
template <class T>
OwnElements<T> own_elements(GlobalAddress<T> base, int64_t n) {
  if (base.is_2D()) return {base.pointer(), base.core() == mycore() ? n : 0};
  return own_part(base, n, std::integral_constant<bool, block_size % sizeof(T) == 0>());
}

/// Calls visit(core) for each core that owns such elements, in the order of for_each_owner().
template <class T, class Visit>
void for_each_core_of(GlobalAddress<T> base, int64_t n, Visit visit) {
  if (n <= 0) return;
  if (base.is_2D()) return visit(base.core());
  for_each_owner(base.raw_bits(), static_cast<uint64_t>(n) * sizeof(T), visit);
}

}  // namespace detail
}  // namespace Grappa
