#pragma once

/// Collects values from every core for one task.
///
/// In contrast to the collectives, a single task calls these functions, at any time, even while
/// other tasks call them. Tasks of the other cores need not take part. The values are combined one
/// after the other, in the order of the cores, so a result depends only on the values. All
/// functions: From: task. Suspends: until all cores have answered. Messages: about 4 for each other
/// core.

#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/locale_memory.hpp"
#include "system/message/append.hpp"
#include "system/parallel/collective_operation.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

/// Applies `op` to the values that `read()` returns in a task on each core.
template <class T, T (*op)(const T&, const T&), class Read>
T combine_all_cores(Read read) {
  const ElementBuffer<T> values(cores());  // used by this call only
  T* const first = values.get();
  const Core home = mycore();
  check_closure(read);
  const auto read_here = [first, home, read]() mutable {
    T* const place = first + mycore();
    const T value = read();
    send_counted(home, [place, value] { *place = value; });
    flush_to(home, FlushCause::LatencyCritical);
  };
  on_all_cores(unchecked(read_here));
  T combined = values[0];
  for (size_t core = 1; core < static_cast<size_t>(cores()); ++core) {
    combined = op(combined, values[core]);
  }
  return combined;
}

}  // namespace detail

/// Applies `op` to the file-scope objects at `object` on all cores. Each core has its own object.
/// Example: reduce<int64_t, collective_add>(&count).
template <class T, T (*op)(const T&, const T&)>
T reduce(const T* object) {
  detail::check_on_all_cores(object);
  return detail::combine_all_cores<T, op>([object] { return *object; });
}

/// reduce for a symmetric object.
template <class T, T (*op)(const T&, const T&)>
T reduce(GlobalAddress<T> symmetric) {
  return reduce<T, op>(static_cast<const T*>(symmetric.pointer()));
}

/// Applies `op` to accessor(object) of all cores, for a part of a symmetric object such as
/// `object->member`. The accessor runs in a task of each core.
template <class T, class P, T (*op)(const T&, const T&), T (*accessor)(GlobalAddress<P>)>
T reduce(GlobalAddress<P> object) {
  return detail::combine_all_cores<T, op>([object] { return accessor(object); });
}

/// Runs `body()` as a task on every core and returns the sum of the results. Also waits until all
/// work that the bodies have started has ended.
template <class F>
typename detail::call_result<F>::type sum_all_cores(F body) {
  typedef typename detail::call_result<F>::type T;
  return detail::combine_all_cores<T, &collective_add<T>>(body);
}

}  // namespace Grappa
