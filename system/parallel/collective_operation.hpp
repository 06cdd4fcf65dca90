#pragma once

/// Operations that combine two values, for allreduce and reduce.
///
/// A program may use any function of this type as an operation. The operation must be associative,
/// because values are combined in groups. In allreduce the operation must also be commutative if
/// the cores of a locale do not have consecutive numbers (collective_tree.hpp). _and, _or and _xor
/// are the logical operations. Some operations have two names.

namespace Grappa {

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

}  // namespace Grappa
