#pragma once

/// Runs a body on each core. The body receives the whole part of a global array that the core owns.

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/message/closure_check.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

template <class T, class F>
struct LocalizedPart {
  F body;
  GlobalAddress<T> base;
  int64_t n;
  void operator()() {
    const LocalSpan<T> mine = iterate_local(base, n);
    body(mine.begin(), static_cast<size_t>(mine.size()));
  }
};

}  // namespace detail

/// Starts body(T* first, size_t count) as a task on each core that owns some of the `n` elements
/// that begin at `base`. The elements of a core are contiguous in its memory. The tasks are open
/// work of `event`. If there is no event, the tasks are open work of the caller's scope. From:
/// task. Suspends: only if there is an event, in the same cases as GlobalCompletionEvent::enroll().
/// Messages: 1 to each core that owns elements, along a tree, and 1 back from each of these cores.
template <GlobalCompletionEvent* event = nullptr, class T, class F>
void on_cores_localized_async(GlobalAddress<T> base, int64_t n, F body) {
  GRAPPA_CHECK(base.is_linear()) << "on_cores_localized_async over " << base
                                 << ", which is not an address of the global heap";
  detail::check_allocated(base.raw_bits(),
                          detail::checked_count(n, "on_cores_localized_async") * sizeof(T),
                          "on_cores_localized_async");
  detail::check_closure(body);
  const detail::LocalizedPart<T, F> part = {body, base, n};
  const detail::InEvent in(event);
  spawn([part] { detail::start_at_owners(part.base, part.n, part); });
}

}  // namespace Grappa
