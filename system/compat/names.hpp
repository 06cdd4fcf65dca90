#pragma once

/// The names and standard headers that Grappa.hpp of the original Grappa provided.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/compat/on_cores_localized.hpp"
#include "system/compat/promise.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/global/locale_memory.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
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

/// call_suspendable() equals call(), because every body may suspend.
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

/// Returns the text "name: [", the `n` elements as << prints them, `width` elements per line, and
/// "]".
template <class T>
std::string array_str(const std::string& name, const T* elements, int64_t n, int width = 10) {
  Grappa::detail::checked_count(n, "array_str");
  GRAPPA_CHECK(width > 0) << "array_str: width " << width << ", expected 1 or more per line";
  std::ostringstream text;
  text << name << ": [";
  for (int64_t k = 0; k < n; ++k) text << (k % width == 0 ? "\n  " : " ") << elements[k];
  text << "\n]";
  return text.str();
}

/// array_str for a global array. From: task. Suspends: until the array has been read. Messages: as
/// memcpy.
template <class T>
std::string array_str(const std::string& name, GlobalAddress<T> base, int64_t n, int width = 10) {
  Grappa::detail::checked_count(n, "array_str");
  const detail::ElementBuffer<T> elements(n);
  memcpy(elements.get(), base, n);
  return array_str(name, elements.get(), n, width);
}

}  // namespace util

/// A reduction for tasks of all cores that need the result together. New code uses allreduce().
/// Each core has one object. `init` is combined once per core, so `init` should be the identity of
/// `op`.
template <class T, T (*op)(const T&, const T&)>
class AllReducer {
 public:
  explicit AllReducer(T init) : init_(init), value_(init) {}

  /// Resets the value of this core.
  void reset() {
    value_ = init_;
    finished_ = false;
  }

  void accumulate(T value) {
    GRAPPA_CHECK(!finished_) << "accumulate after finish: call reset first";
    value_ = op(value_, value);
  }

  /// The combined values of all cores. A second call returns the same value without messages. From:
  /// one task of every core. Suspends: until all cores have called finish(). Messages: like
  /// allreduce.
  T finish() {
    if (!finished_) value_ = allreduce<T, op>(value_);
    finished_ = true;
    return value_;
  }

 private:
  const T init_;
  T value_;
  bool finished_ = false;
};

/// One T on each core, under one name. The object must be a file-scope or symmetric object. Reading
/// and all operators use this core's T, without a message. Only the assignment `object = value`
/// sets the T of all cores. `object.local() = value` sets the T of this core. Assigning to a local
/// variable of this type aborts the job, because other cores do not have that variable.
template <class T>
class SimpleSymmetric {
 public:
  constexpr SimpleSymmetric() : local_() {}
  constexpr explicit SimpleSymmetric(const T& value) : local_(value) {}
  SimpleSymmetric(const SimpleSymmetric&) = delete;
  SimpleSymmetric& operator=(const SimpleSymmetric&) = delete;

  /// Sets the T of every core. From: task. Suspends: until all cores are set. Messages: about 2 for
  /// each other core.
  SimpleSymmetric& operator=(const T& value) {
    static_assert(detail::travels<T>::value,
                  "a value that is assigned on all cores must be trivially copyable");
    detail::check_on_all_cores(this);
    SimpleSymmetric* const self = this;
    const T copy = value;
    on_all_cores(unchecked([self, copy] { self->local_ = copy; }));
    return *this;
  }

  T& local() { return local_; }
  const T& local() const { return local_; }
  operator const T&() const { return local_; }
  T* operator->() { return &local_; }
  const T* operator->() const { return &local_; }

  SimpleSymmetric& operator++() { return ++local_, *this; }
  SimpleSymmetric& operator--() { return --local_, *this; }
  T operator++(int) { return local_++; }
  T operator--(int) { return local_--; }
  template <class U>
  SimpleSymmetric& operator+=(const U& other) {
    return local_ += other, *this;
  }
  template <class U>
  SimpleSymmetric& operator-=(const U& other) {
    return local_ -= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator*=(const U& other) {
    return local_ *= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator|=(const U& other) {
    return local_ |= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator&=(const U& other) {
    return local_ &= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator^=(const U& other) {
    return local_ ^= other, *this;
  }

 private:
  T local_;
};

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
/// Splits [start, end) into `blocks` blocks and returns block `rank`. The first blocks may be
/// larger by one element.
inline range_t blockDist(int64_t start, int64_t end, int64_t rank, int64_t blocks) {
  const int64_t each = (end - start) / blocks, larger = (end - start) % blocks;
  const int64_t first = start + each * rank + std::min(rank, larger);
  return {first, first + each + (rank < larger ? 1 : 0)};
}

struct block_offset_t {
  int64_t block, offset;
};

/// The block of blockDist(0, n, ...) that contains `index`, and the offset of `index` in that
/// block.
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
