#pragma once

/// Runs the same body on every core, or on many cores, along a binomial tree.
///
/// The first of `count` consecutive cores sends the work of the upper half to the core in the
/// middle, and continues with the lower half. Core 0 follows the last core.
///
/// Both public functions: From: task. Suspends: until the bodies and the work that they started
/// have ended. Messages: each core sends at most log2(cores), rounded up, to start the bodies, and
/// each other core sends 1 at the end.

#include "system/global/address.hpp"
#include "system/message/append.hpp"
#include "system/message/closure_check.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// True if `object` has the same address on all cores: at file scope, static, or in the heap.
bool at_same_address_everywhere(const void* object);

/// Abort the job unless the object has the same address on all cores. Loops need a 2D address.
void check_on_all_cores(const void* object);
void check_loop_over_cores(GlobalAddress<void> address);

inline Core core_behind_me(int distance) {
  return static_cast<Core>((mycore() + distance) % cores());
}

/// Flushes the open buffer for `dest`, unless this core has many tasks that may add messages.
void flush_start(Core dest);

/// Runs `visit()` in a handler on another core, in the current scope.
template <class Visit>
void send_start(Core dest, const Visit& visit) {
  send_counted(dest, visit);
  flush_start(dest);
}

template <class Visit>
void spread(int count, const Visit& visit);

/// Runs `visit()` in a handler, on the receiving core and on the count - 1 cores after it.
template <class Visit>
struct Spread {
  Visit visit;
  int count;

  void operator()() {
    spread(count, visit);  // comes first, because visit() may suspend
    visit();
  }
};

/// Runs `visit()` in handlers, in the current scope, on the count - 1 cores after this core.
template <class Visit>
void spread(int count, const Visit& visit) {
  while (count > 1) {
    const int upper = count / 2;
    count -= upper;
    send_start(core_behind_me(count), Spread<Visit>{visit, upper});
  }
}

/// Like send_start, but runs `visit()` at once if `dest` is this core. Exceptions abort the job.
template <class Visit>
void visit_core(Core dest, const Visit& visit) noexcept {
  if (dest == mycore()) return visit();
  send_start(dest, visit);
}

/// Runs `part()` in the current scope on core `first` and the count - 1 cores after it. If this
/// core is `first`, or if `count` is the number of cores, this core runs `part()` in the calling
/// task. Other cores run it in new tasks. An exception aborts the job.
template <class Part>
void start_on_cores(Core first, int count, const Part& part) noexcept {
  static_assert(WireSafe<Part>::value, "");
  if (count <= 0) return;
  // Not const: for Clang, a struct with a const closure is not trivially copyable.
  auto visit = [part] { spawn(part); };
  if (count != cores() && first != mycore()) {
    return send_start(first, Spread<decltype(visit)>{visit, count});
  }
  spread(count, visit);
  Part mine(part);
  mine();
}

/// Runs `part()` on the consecutive cores that own the `n` elements at `base`.
template <class T, class Part>
void start_at_owners(GlobalAddress<T> base, int64_t n, const Part& part) {
  const int owners =
      n <= 0 ? 0 : block_cyclic().owners(base.raw_bits(), static_cast<uint64_t>(n) * sizeof(T));
  start_on_cores(base.core(), owners, part);
}

}  // namespace detail

/// Runs `body()` as a task on every other core, and in the calling task on this core.
template <class F>
void on_all_cores(F body) {
  detail::check_closure(body);
  finish([&body] { detail::start_on_cores(mycore(), cores(), body); });
}

/// Runs a short `body()` in a handler on every other core, and in the calling task on this core.
template <class F>
void call_on_all_cores(F body) {
  static_assert(detail::WireSafe<F>::value, "");
  detail::check_closure(body);
  finish([&body]() noexcept {
    detail::spread(cores(), body);
    body();
  });
}

}  // namespace Grappa
