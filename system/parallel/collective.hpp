#pragma once

/// Operations in which every core takes part.
///
/// One task of each core calls the operation, typically inside on_all_cores. As in MPI, all cores
/// call the operations in the same order. No core spins. Values are sent up a tree of the cores
/// (collective_tree.hpp) and are combined on the way. The result is sent down the tree. For each 8
/// KiB, each core except the root sends one message up and receives one. A core combines its own
/// value first, and then the values of its branches in order. So a result is the same on every
/// core, bit by bit, and the same in every run with the same numbers of cores and locales, also for
/// floating point. If two cores call different operations at the same position in the order, the
/// job aborts with a message that names both. Invariant: a core is in one collective at a time.
///
/// All functions: From: one task of every core. Suspends: until all cores have called. Messages: 2
/// for each other core, in total, unless stated otherwise; a job of one core sends itself 1.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/base/type_name.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/collective_operation.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace Grappa {

namespace detail {

/// The progress of this core in the order of collectives, for reports about deadlocks.
struct CollectiveStanding {
  uint64_t completed;  // collectives that tasks of this core have returned from
  bool waiting;        // a task is in the next collective
  char what[160];      // the name of that collective, such as "barrier"; else empty
};
CollectiveStanding collective_standing();

/// One object for each operation on each type. All cores run the same program at the same address,
/// so the address of the object identifies the collective.
struct CollectiveKind {
  enum class Makes : uint8_t {
    Combined,  // one value for each element, by `combine`
    Picked,    // the elements of the root
    Gathered   // an array with one element of each core
  };

  const char* name;            // of the called function
  const char* (*signature)();  // its last " = " is followed by the operation, or by the type
  Makes makes;
  uint32_t element_bytes;
  void (*combine)(void* left, const void* right, size_t n);  // left[k] = op(left[k], right[k])
};

/// Takes part in a collective of `count` elements at `data`, and stores the result in `data`. For
/// Gathered, `count` is the number of cores, and data[mycore] is the input. `root`: for Picked.
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

template <class T>
struct Collectable {
  static_assert(travels<T>::value, "a collective's value must be trivially copyable");
  static_assert(sizeof(T) <= kMaxClosureBytes,
                "a collective's value is too large for a message (kMaxClosureBytes): use "
                "allreduce_inplace on an array of smaller ones");
  static_assert(alignof(T) <= kRunAlignment,
                "a collective's value has a larger alignment than a message supports");
  static constexpr bool value = true;
};

}  // namespace detail

/// Returns when one task of every core has called it.
void barrier();

/// Applies allreduce to each of `n` values, and stores the results in `values`. `n` must be the
/// same on all cores. Messages: 2 for each other core and each 8 KiB.
template <class T, T (*op)(const T&, const T&)>
void allreduce_inplace(T* values, int64_t n) {
  static_assert(detail::Collectable<T>::value, "");
  static constexpr detail::CollectiveKind kKind = {"allreduce", &detail::operation_signature<T, op>,
                                                   detail::CollectiveKind::Makes::Combined,
                                                   sizeof(T), &detail::combine_elements<T, op>};
  detail::collect(kKind, values, detail::checked_count(n, "allreduce_inplace"), 0);
}

/// Combines the values of all cores by `op`. Example: allreduce<int64_t, collective_add>(n).
template <class T, T (*op)(const T&, const T&)>
T allreduce(T value) {
  allreduce_inplace<T, op>(&value, 1);
  return value;
}

/// The value that core `root` passes. All cores must pass the same root.
template <class T>
T broadcast(T value, int64_t root) {
  static_assert(detail::Collectable<T>::value, "");
  static constexpr detail::CollectiveKind kKind = {"broadcast", &detail::type_signature<T>,
                                                   detail::CollectiveKind::Makes::Picked, sizeof(T),
                                                   nullptr};
  detail::collect(kKind, &value, 1, detail::checked_core(root));
  return value;
}

/// The values of all cores, indexed by core.
template <class T>
std::vector<T> allgather(T value) {
  static_assert(detail::Collectable<T>::value, "");
  static constexpr detail::CollectiveKind kKind = {"allgather", &detail::type_signature<T>,
                                                   detail::CollectiveKind::Makes::Gathered,
                                                   sizeof(T), nullptr};
  const size_t n = static_cast<size_t>(cores());
  const std::unique_ptr<T[]> values(new T[n]);  // vector<bool> has no addressable elements
  values[static_cast<size_t>(mycore())] = value;
  detail::collect(kKind, values.get(), n, 0);
  return std::vector<T>(values.get(), values.get() + n);
}

}  // namespace Grappa
