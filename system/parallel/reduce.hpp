#pragma once

/// Collecting something from every core, for one task.
///
/// Unlike the collectives, a single task calls, whenever it likes, also while others do; tasks of
/// the other cores need not take part. Values are combined in the order of the cores, one after the
/// other, so a result depends on them alone. All: From: task. Suspends: until all cores have
/// answered. Messages: about 4 for each other core.

#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/locale_memory.hpp"
#include "system/message/aggregator.hpp"
#include "system/parallel/collective_operation.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

/// Ends the job with a sentence unless `object` names an object at the same place on every core: of
/// file scope, or symmetric.
void check_on_all_cores(const void* object);

/// `op` over what `read()` returns on each core, in a task there.
template <class T, T (*op)(const T&, const T&), class Read>
T combine_all_cores(Read read) {
  const ElementBuffer<T> values(cores());  // of this call alone
  T* const first = values.get();
  const Core home = mycore();
  check_closure(read);
  const auto read_here = [first, home, read]() mutable {
    T* const place = first + mycore();
    const T value = read();
    send_counted(home, [place, value] { *place = value; });
    aggregator().flush(home, FlushCause::Awaited);
  };
  on_all_cores(unchecked(read_here));
  T combined = values[0];
  for (size_t core = 1; core < static_cast<size_t>(cores()); ++core) {
    combined = op(combined, values[core]);
  }
  return combined;
}

}  // namespace detail

/// `op` over the objects that lie at `object` on the cores: one of file scope, as each core has its
/// own, for example reduce<int64_t, collective_add>(&count).
template <class T, T (*op)(const T&, const T&)>
T reduce(const T* object) {
  detail::check_on_all_cores(object);
  return detail::combine_all_cores<T, op>([object] { return *object; });
}

/// The same for a symmetric object.
template <class T, T (*op)(const T&, const T&)>
T reduce(GlobalAddress<T> symmetric) {
  return reduce<T, op>(static_cast<const T*>(symmetric.pointer()));
}

/// `op` over accessor(object) of all cores: for something inside of a symmetric object, as
/// `object->member`. The accessor runs in a task of each core.
template <class T, class P, T (*op)(const T&, const T&), T (*accessor)(GlobalAddress<P>)>
T reduce(GlobalAddress<P> object) {
  return detail::combine_all_cores<T, op>([object] { return accessor(object); });
}

/// Runs `body()` as a task on every core and adds up what it returns; waits until all that the
/// bodies have started has ended, too.
template <class F>
typename detail::call_result<F>::type sum_all_cores(F body) {
  typedef typename detail::call_result<F>::type T;
  return detail::combine_all_cores<T, &collective_add<T>>(body);
}

}  // namespace Grappa
