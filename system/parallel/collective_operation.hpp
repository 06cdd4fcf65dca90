#pragma once

/// How two values become one, in allreduce and reduce.
///
/// Any function of this shape will do. It must be associative, for values are combined in groups;
/// it need be commutative only for allreduce, and only where the cores of a locale have no numbers
/// in a row (collective_tree.hpp). _and, _or and _xor are the logical ones.

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

// Other names of these.
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
