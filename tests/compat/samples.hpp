#pragma once

/// Cores and values for the tests of functions of the original Grappa.

#include <Grappa.hpp>

#include <cstdint>
#include <vector>

namespace Grappa {

/// A type of 24 bytes: the size is not a power of two.
struct Triple {
  int64_t a, b, c;
};
inline bool operator==(const Triple& x, const Triple& y) {
  return x.a == y.a && x.b == y.b && x.c == y.c;
}

inline Core next_core() { return static_cast<Core>((mycore() + 1) % cores()); }
inline Core last_core() { return static_cast<Core>(cores() - 1); }

/// The calling core, the next core and the last core.
inline std::vector<Core> some_cores() { return {mycore(), next_core(), last_core()}; }

}  // namespace Grappa
