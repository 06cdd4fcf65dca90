#pragma once

/// Operations that every core takes part in.
///
/// One task of each core calls, all in the same order, as in MPI; typically inside on_all_cores.
/// Nothing spins. Values go up a tree of the cores (collective_tree.hpp), are combined on the way,
/// and the result comes back down it: each core but one sends one message up and gets one back, for
/// each 8 KiB. A core's own value is the first at its node; then come those of its branches, in
/// their order. So a result is the same on every core, bit by bit, and the same in every run with
/// as many cores and locales; for floating point that is more than for any order of arrival. Cores
/// that call different things at the same place in the order end the job with a sentence that names
/// both. Invariant: a core is in one collective at a time.
///
/// All: From: one task of every core. Suspends: until all have called. Messages: 2 for each other
/// core, in all, unless something else is said; a job of one core sends itself 1.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/base/type_name.hpp"
#include "system/message/options.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/collective_operation.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace Grappa {

/// Returns when one task of every core has called it.
void barrier();

/// `op` over the values of all cores, for example allreduce<int64_t, collective_add>(n).
template <class T, T (*op)(const T&, const T&)>
T allreduce(T value);

/// The same for each of `n` values: on return `values` are the results. `n` is the same on all
/// cores. Messages: 2 for each other core and each 8 KiB.
template <class T, T (*op)(const T&, const T&)>
void allreduce_inplace(T* values, int64_t n);

/// What core `root` calls it with; all name the same.
template <class T>
T broadcast(T value, int64_t root);

/// The values of all cores, by core.
template <class T>
std::vector<T> allgather(T value);

namespace detail {

/// How far this core is in the order of collectives, for reports about those that do not end.
struct CollectiveStanding {
  uint64_t completed;  // collectives that tasks of this core have returned from
  bool waiting;        // a task is in the next one
  char what[160];      // the one it is in, such as "barrier"; else empty
};
CollectiveStanding collective_standing();

/// One for each operation on each type. All cores run the same program at the same place, so its
/// address names it.
struct CollectiveKind {
  enum class Makes : uint8_t {
    Combined,  // one value for each element, by `combine`
    Picked,    // the root's
    Gathered   // an array with one element of each core
  };

  const char* name;            // of what was called
  const char* (*signature)();  // whose last " = " is followed by the operation, or by the type
  Makes makes;
  uint32_t element_bytes;
  void (*combine)(void* left, const void* right, size_t n);  // left[k] = op(left[k], right[k])
};

/// Takes part in a collective of `count` elements at `data`, where the result is put: for Gathered
/// as many as cores, of which this core's is in its place. `root` matters for Picked.
void collect(const CollectiveKind& kind, void* data, size_t count, Core root);

template <class T, T (*op)(const T&, const T&)>
const char* operation_signature() {
  return __PRETTY_FUNCTION__;
}

template <class T, T (*op)(const T&, const T&)>
void combine_elements(void* left, const void* right, size_t n) {
  T* const into = static_cast<T*>(left);
  const T* const with = static_cast<const T*>(right);
  for (size_t k = 0; k < n; ++k) into[k] = op(into[k], with[k]);
}

template <class T, T (*op)(const T&, const T&)>
struct Allreduce {
  static const CollectiveKind kind;
};
template <class T, T (*op)(const T&, const T&)>
const CollectiveKind Allreduce<T, op>::kind = {"allreduce", &operation_signature<T, op>,
                                               CollectiveKind::Makes::Combined, sizeof(T),
                                               &combine_elements<T, op>};

template <class T>
struct Broadcast {
  static const CollectiveKind kind;
};
template <class T>
const CollectiveKind Broadcast<T>::kind = {"broadcast", &type_signature<T>,
                                           CollectiveKind::Makes::Picked, sizeof(T), nullptr};

template <class T>
struct Allgather {
  static const CollectiveKind kind;
};
template <class T>
const CollectiveKind Allgather<T>::kind = {"allgather", &type_signature<T>,
                                           CollectiveKind::Makes::Gathered, sizeof(T), nullptr};

template <class T>
struct Collectable {
  static_assert(travels<T>::value, "a collective's value must be trivially copyable");
  static_assert(sizeof(T) <= kMaxClosureBytes,
                "a collective's value is too large for a message (kMaxClosureBytes): use "
                "allreduce_inplace on an array of smaller ones");
  static_assert(alignof(T) <= kRunAlignment,
                "a collective's value is aligned to more than a message can be");
  static constexpr bool value = true;
};

}  // namespace detail

template <class T, T (*op)(const T&, const T&)>
T allreduce(T value) {
  allreduce_inplace<T, op>(&value, 1);
  return value;
}

template <class T, T (*op)(const T&, const T&)>
void allreduce_inplace(T* values, int64_t n) {
  static_assert(detail::Collectable<T>::value, "");
  const size_t count = detail::checked_count(n, "allreduce_inplace");
  detail::collect(detail::Allreduce<T, op>::kind, values, count, 0);
}

template <class T>
T broadcast(T value, int64_t root) {
  static_assert(detail::Collectable<T>::value, "");
  detail::collect(detail::Broadcast<T>::kind, &value, 1, detail::checked_core(root));
  return value;
}

template <class T>
std::vector<T> allgather(T value) {
  static_assert(detail::Collectable<T>::value, "");
  const size_t n = static_cast<size_t>(cores());
  const std::unique_ptr<T[]> values(new T[n]);  // a vector of bool has no elements to point at
  values[static_cast<size_t>(mycore())] = value;
  detail::collect(detail::Allgather<T>::kind, values.get(), n, 0);
  return std::vector<T>(values.get(), values.get() + n);
}

}  // namespace Grappa
