#pragma once

/// The names and standard headers that Grappa.hpp of the original Grappa provided.

#include "system/compat/all_reducer.hpp"
#include "system/compat/array_str.hpp"
#include "system/compat/on_cores_localized.hpp"
#include "system/compat/promise.hpp"
#include "system/compat/simple_symmetric.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/steal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <glog/logging.h>

#include <unistd.h>

namespace Grappa {
namespace impl {

using detail::local_gce;

}  // namespace impl

namespace delegate {

/// Other names of call(): every body may suspend.
template <class F>
typename detail::call_result<F>::type call_suspendable(int64_t dest, F body) {
  return call(dest, body);
}
template <class T, class F>
typename detail::result_at<T, F>::type call_suspendable(GlobalAddress<T> address, F body) {
  return call(address, body);
}
template <class M, class F>
typename detail::LockedBody<M, F>::Result call_suspendable(int64_t dest, M mutex, F body) {
  return call(dest, mutex, body);
}

}  // namespace delegate

namespace util {

template <class T>
struct SimpleIterator {
  T* base;
  size_t nelem;
  T* begin() const { return base; }
  T* end() const { return base + nelem; }
};

/// The `n` elements at `base` as a range for a loop.
template <class T>
SimpleIterator<T> iterate(T* base = nullptr, size_t n = 0) {
  return {base, n};
}

}  // namespace util

/// Other names of spawn(body) and spawn<unbound>(body).
template <class F>
void privateTask(F body) {
  spawn(body);
}
template <class F>
void publicTask(F body) {
  spawn<unbound>(body);
}

/// Completes `n` units of work that the core of the address has enrolled.
inline void complete(GlobalAddress<GlobalCompletionEvent> event, int64_t n = 1) {
  event.pointer()->send_completion(event.core(), n);
}

/// The host name of this node.
inline const char* hostname() {
  static char name[256];
  if (name[0] == '\0') ::gethostname(name, sizeof name - 1);
  return name;
}

/// The integers start, start + 1, ... end - 1.
struct range_t {
  int64_t start, end;
};

inline std::ostream& operator<<(std::ostream& out, const range_t& range) {
  return out << "<" << range.start << "," << range.end << ">";
}

// NOLINTBEGIN(readability-identifier-naming)
/// Block `rank` of [start, end), split into `blocks` blocks. The first blocks may be larger by one.
inline range_t blockDist(int64_t start, int64_t end, int64_t rank, int64_t blocks) {
  const int64_t each = (end - start) / blocks, larger = (end - start) % blocks;
  const int64_t first = start + each * rank + std::min(rank, larger);
  return {first, first + each + (rank < larger ? 1 : 0)};
}

struct block_offset_t {
  int64_t block, offset;
};

/// The block of blockDist(0, n, ...) that contains `index`, and the offset in that block.
inline block_offset_t indexToBlock(int64_t index, int64_t n, int64_t blocks) {
  const int64_t each = n / blocks, larger = n % blocks, in_larger = larger * (each + 1);
  if (index < in_larger) return {index / (each + 1), index % (each + 1)};
  return {larger + (index - in_larger) / each, (index - in_larger) % each};
}
// NOLINTEND(readability-identifier-naming)

}  // namespace Grappa

#define GRAPPA_TIMER_LOOP(done)                                                       \
  for (double grappa_start = ::Grappa::walltime(), grappa_time = -1; grappa_time < 0; \
       grappa_time = ::Grappa::walltime() - grappa_start, done)

/// GRAPPA_TIME_LOG(name) { ... } logs the duration of the block in seconds. GRAPPA_TIMER(variable)
/// assigns the duration to a variable.
#define GRAPPA_TIME_LOG(name) GRAPPA_TIMER_LOOP(LOG(INFO) << name << ": " << grappa_time)
#define GRAPPA_TIME_VLOG(level, name, indent) \
  VLOG(level) << indent << name << "...";     \
  GRAPPA_TIMER_LOOP(VLOG(level) << indent << "  (" << grappa_time << " s)")
#define GRAPPA_TIMER(variable) GRAPPA_TIMER_LOOP(variable = grappa_time)
#define GRAPPA_TIME(variable, block) GRAPPA_TIMER(variable) block

/// The arguments of init() in a Boost test.
#define GRAPPA_TEST_ARGS                                  \
  &boost::unit_test::framework::master_test_suite().argc, \
      &boost::unit_test::framework::master_test_suite().argv
