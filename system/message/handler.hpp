#pragma once

/// The receiver's loop over one run. The compiler inlines the closure into the loop.
///
/// A closure type may have a member `prefetch() const` that prefetches the memory the closure will
/// access. The loop calls `prefetch` some messages ahead, so random memory accesses overlap.

#include "system/base/type_name.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/suspend.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// Prefetch distance in messages. With updates as cheap as in bench/gups, values from 8 to 128
/// perform equally. With more expensive updates, a large value does no harm.
constexpr std::ptrdiff_t kPrefetchAhead = 96;

template <class F>
struct HasPrefetch {
  template <class G>
  static auto test(int) -> decltype(std::declval<const G&>().prefetch(), std::true_type());
  template <class G>
  static std::false_type test(...);
  typedef decltype(test<F>(0)) type;
};

/// Prefetches for the first messages of a run, then for one more message per executed message.
template <class F, class = typename HasPrefetch<F>::type>
class RunPrefetch {
 public:
  RunPrefetch(const char*, const char*) {}
  void step() {}
};

template <class F>
class RunPrefetch<F, std::true_type> {
 public:
  RunPrefetch(const char* first, const char* end) : next_(first), end_(end) {
    const char* ahead = kPrefetchAhead * static_cast<std::ptrdiff_t>(sizeof(F)) < end - first
                            ? first + kPrefetchAhead * static_cast<std::ptrdiff_t>(sizeof(F))
                            : end;
    while (next_ != ahead) advance();
  }
  void step() {
    if (next_ != end_) advance();
  }

 private:
  void advance() {
    reinterpret_cast<const F*>(next_)->prefetch();
    next_ += sizeof(F);
  }

  const char* next_;
  const char* const end_;
};

/// Executes the closures of the run. Each closure is copied first, because a closure that suspends
/// outlives its buffer. `next` is updated before each call, because the closure may suspend;
/// another worker then continues at `next`.
template <class F>
void execute_run(RunCursor* cursor) {
  set_running_body(type_signature<F>());
  const char* at = cursor->next;
  RunPrefetch<F> prefetch(at, cursor->end);
  while (at != cursor->end) {
    prefetch.step();
    F closure(*reinterpret_cast<const F*>(at));
    at += sizeof(F);
    cursor->next = at;
    closure();
  }
}

}  // namespace detail
}  // namespace Grappa
