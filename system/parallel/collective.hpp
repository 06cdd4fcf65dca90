#pragma once

/// Operations that one task of each core calls, typically inside on_all_cores.
///
/// As in MPI, all cores must call the operations in the same order; otherwise the job aborts.
/// Values are combined along a tree of the cores (collective_tree.hpp), in an order that depends
/// only on the numbers of cores and locales. So a result is the same on every core and in every
/// run, also for floating point. All functions: From: one task of every core. Suspends: until all
/// cores have called the operation. Messages: in total 2 for each core except core 0; a job of one
/// core sends 1 to itself.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace Grappa {

// Operations for allreduce and reduce. A program may use any associative function of this type. In
// allreduce it must also be commutative if the cores of a locale do not have consecutive numbers.
// _and, _or and _xor are the logical operations.
#define GRAPPA_COLLECTIVE_OPERATION(name, result) \
  template <class T>                              \
  T name(const T& a, const T& b) {                \
    return static_cast<T>(result);                \
  }
GRAPPA_COLLECTIVE_OPERATION(collective_add, (a + b))
GRAPPA_COLLECTIVE_OPERATION(collective_sum, (a + b))
GRAPPA_COLLECTIVE_OPERATION(collective_mult, (a * b))
GRAPPA_COLLECTIVE_OPERATION(collective_prod, (a * b))
GRAPPA_COLLECTIVE_OPERATION(collective_max, (a < b ? b : a))
GRAPPA_COLLECTIVE_OPERATION(collective_min, (b < a ? b : a))
GRAPPA_COLLECTIVE_OPERATION(collective_land, (a && b))
GRAPPA_COLLECTIVE_OPERATION(collective_and, (a && b))
GRAPPA_COLLECTIVE_OPERATION(collective_lor, (a || b))
GRAPPA_COLLECTIVE_OPERATION(collective_or, (a || b))
GRAPPA_COLLECTIVE_OPERATION(collective_lxor, (!a != !b))
GRAPPA_COLLECTIVE_OPERATION(collective_xor, (!a != !b))
GRAPPA_COLLECTIVE_OPERATION(collective_band, (a & b))
GRAPPA_COLLECTIVE_OPERATION(collective_bor, (a | b))
GRAPPA_COLLECTIVE_OPERATION(collective_bxor, (a ^ b))
#undef GRAPPA_COLLECTIVE_OPERATION

namespace detail {

/// The position of this core in the sequence of collectives, for reports about deadlocks.
struct CollectiveStanding {
  uint64_t completed;  // collectives that tasks of this core have returned from
  bool waiting;        // a task is in the next collective
  char what[160];      // the name of that collective, such as "barrier"; empty if no task waits
};
CollectiveStanding collective_standing();

/// One object for each operation on each type. All cores run the same program at the same address,
/// so the address of the object identifies the collective.
struct CollectiveKind {
  enum class Shows : uint8_t { Operation, Type, TypeAndRoot };
  typedef void (*Combine)(void* left, const void* right, size_t bytes);  // left = op(left, right)

  const char* name;            // name of the called function
  const char* (*signature)();  // the operation or the type follows the last " = "
  Shows shows;                 // the details that reports show
  uint32_t element_bytes;
  Combine combine;
};

/// Takes part in a collective of `count` elements at `data`, and stores the result there.
void collect(const CollectiveKind& kind, void* data, size_t count, Core root);

template <class T, T (*op)(const T&, const T&)>
const char* operation_signature() {
  return __PRETTY_FUNCTION__;
}

template <class T, T (*op)(const T&, const T&)>
void combine_elements(void* left, const void* right, size_t bytes) {
  T* const into = static_cast<T*>(left);
  const T* const with = static_cast<const T*>(right);
  for (size_t k = 0; k < bytes / sizeof(T); ++k) into[k] = op(into[k], with[k]);
}

/// The operation for values to which all cores but one contribute zeros.
constexpr CollectiveKind::Combine kCombineWithZeros =
    &combine_elements<unsigned char, &collective_bor<unsigned char>>;

template <class T>
constexpr CollectiveKind kind_for(const char* name, const char* (*signature)(),
                                  CollectiveKind::Shows shows,
                                  CollectiveKind::Combine combine = kCombineWithZeros) {
  static_assert(travels<T>::value, "a collective's value must be trivially copyable");
  static_assert(sizeof(T) <= kMaxClosureBytes,
                "a collective's value is too large for a message (kMaxClosureBytes): use "
                "allreduce_inplace on an array of smaller ones");
  static_assert(alignof(T) <= kRunAlignment,
                "a collective's value has a larger alignment than a message supports");
  return {name, signature, shows, sizeof(T), combine};
}

}  // namespace detail

void barrier();  // returns when one task of every core has called it

/// Applies allreduce to each of `n` values. `n` must be the same on all cores. Messages: for each 8
/// KiB of values, 2 for each other core.
template <class T, T (*op)(const T&, const T&)>
void allreduce_inplace(T* values, int64_t n) {
  static constexpr auto kKind = detail::kind_for<T>(
      "allreduce", &detail::operation_signature<T, op>, detail::CollectiveKind::Shows::Operation,
      &detail::combine_elements<T, op>);
  detail::collect(kKind, values, detail::checked_count(n, "allreduce_inplace"), 0);
}

/// Combines the values of all cores by `op`. Example: allreduce<int64_t, collective_add>(n).
template <class T, T (*op)(const T&, const T&)>
T allreduce(T value) {
  allreduce_inplace<T, op>(&value, 1);
  return value;
}

/// Returns the value that core `root` passes. All cores must pass the same root.
template <class T>
T broadcast(T value, int64_t root) {
  static constexpr auto kKind = detail::kind_for<T>("broadcast", &detail::type_signature<T>,
                                                    detail::CollectiveKind::Shows::TypeAndRoot);
  const Core from = detail::checked_core(root);
  if (from != mycore()) std::memset(static_cast<void*>(&value), 0, sizeof(T));
  detail::collect(kKind, &value, 1, from);
  return value;
}

/// Returns the values of all cores, indexed by core. Each message contains the values of all cores.
/// Messages: for each 8 KiB of the result, 2 for each core except core 0.
template <class T>
std::vector<T> allgather(T value) {
  static constexpr auto kKind = detail::kind_for<T>("allgather", &detail::type_signature<T>,
                                                    detail::CollectiveKind::Shows::Type);
  const size_t n = static_cast<size_t>(cores());
  const std::unique_ptr<T[]> values(new T[n]);  // vector<bool> has no addressable elements
  std::memset(static_cast<void*>(values.get()), 0, n * sizeof(T));
  values[static_cast<size_t>(mycore())] = value;
  detail::collect(kKind, values.get(), n, 0);
  return std::vector<T>(values.get(), values.get() + n);
}

}  // namespace Grappa
