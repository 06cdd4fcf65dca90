#pragma once

/// Operations that combine two values, for allreduce and reduce.
///
/// A program may use any function of this type as an operation. The operation must be associative,
/// because values are combined in groups. In allreduce the operation must also be commutative if
/// the cores of a locale do not have consecutive numbers (collective_tree.hpp). _and, _or and _xor
/// are the logical operations.

namespace Grappa {

template <class T>
T collective_add(const T& a, const T& b) {
  return static_cast<T>(a + b);
}
template <class T>
T collective_mult(const T& a, const T& b) {
  return static_cast<T>(a * b);
}
template <class T>
T collective_max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
T collective_min(const T& a, const T& b) {
  return b < a ? b : a;
}

template <class T>
T collective_land(const T& a, const T& b) {
  return static_cast<T>(a && b);
}
template <class T>
T collective_lor(const T& a, const T& b) {
  return static_cast<T>(a || b);
}
template <class T>
T collective_lxor(const T& a, const T& b) {
  return static_cast<T>(!a != !b);
}

template <class T>
T collective_band(const T& a, const T& b) {
  return static_cast<T>(a & b);
}
template <class T>
T collective_bor(const T& a, const T& b) {
  return static_cast<T>(a | b);
}
template <class T>
T collective_bxor(const T& a, const T& b) {
  return static_cast<T>(a ^ b);
}

// Alternative names.
template <class T>
T collective_sum(const T& a, const T& b) {
  return collective_add(a, b);
}
template <class T>
T collective_prod(const T& a, const T& b) {
  return collective_mult(a, b);
}
template <class T>
T collective_and(const T& a, const T& b) {
  return collective_land(a, b);
}
template <class T>
T collective_or(const T& a, const T& b) {
  return collective_lor(a, b);
}
template <class T>
T collective_xor(const T& a, const T& b) {
  return collective_lxor(a, b);
}

}  // namespace Grappa
