#pragma once

/// Starting something on many cores, along a binomial tree.
///
/// A core that is to reach `count` cores in a row, itself the first of them, gives the upper half
/// to the core in the middle, and goes on with the lower half: it sends to one core for each
/// doubling, log2(count) of them rounded up, and the last core is reached after as many steps. The
/// messages are counted in the caller's scope, and acknowledgements come back along the same tree.
/// Rows go round: cores of all numbers begin with others.

#include "system/global/address.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

inline Core core_behind_me(int distance) {
  return static_cast<Core>((mycore() + distance) % cores());
}

/// Sends at once what has just been appended for `dest`, unless this core has so many tasks that it
/// is better gathered with what others send.
void send_start(Core dest);

template <class Visit>
void spread(int count, const Visit& visit);

/// Runs `visit()` in a handler, on the core that receives it and on count - 1 cores behind that.
template <class Visit>
struct Spread {
  Visit visit;
  int count;

  void operator()() {
    spread(count, visit);  // first: visit() may suspend
    visit();
  }
};

/// Runs `visit()` in handlers, in the current scope, on the next count - 1 cores behind this one.
/// From: any. Suspends: in a task, while no message buffer is free. Messages: log2(count) of this
/// core, count - 1 in all.
template <class Visit>
void spread(int count, const Visit& visit) {
  while (count > 1) {
    const int upper = count / 2;
    count -= upper;
    const Core dest = core_behind_me(count);
    send_counted(dest, Spread<Visit>{visit, upper});
    send_start(dest);
  }
}

/// Runs `visit()` on `dest`, in the current scope: at once if this is that core, and else in a
/// handler. An exception that leaves it aborts the job. From: any. Suspends: in a task, while no
/// message buffer is free; and if visit does. Messages: one, to another core.
template <class Visit>
void visit_core(Core dest, const Visit& visit) noexcept {
  if (dest == mycore()) {
    visit();
  } else {
    send_counted(dest, visit);
    send_start(dest);
  }
}

/// Runs `part()` on `count` cores in a row from `first` on, in the current scope: in the calling
/// task if this core is the first of them, and else in a task of its own. An exception that leaves
/// it aborts the job.
template <class Part>
void start_on_cores(Core first, int count, const Part& part) noexcept {
  static_assert(WireSafe<Part>::value, "");
  if (count <= 0) return;
  // Not const: Clang does not find a struct with a const closure trivially copyable.
  auto visit = [part] { spawn(part); };
  if (count != cores() && first != mycore()) {
    send_counted(first, Spread<decltype(visit)>{visit, count});
    send_start(first);
    return;
  }
  spread(count, visit);
  Part mine(part);
  mine();
}

/// Runs `part()` on each core that owns some of the `n` elements from `base` on: their blocks are
/// dealt to cores in a row.
template <class T, class Part>
void start_at_owners(GlobalAddress<T> base, int64_t n, const Part& part) {
  if (n <= 0) return;
  const uint64_t first = base.raw_bits();
  const uint64_t last = first + static_cast<uint64_t>(n) * sizeof(T) - 1;
  const uint64_t blocks = last / block_size - first / block_size + 1;
  const uint64_t all = static_cast<uint64_t>(cores());
  start_on_cores(base.core(), static_cast<int>(blocks < all ? blocks : all), part);
}

}  // namespace detail
}  // namespace Grappa
