#pragma once

/// Keeps numbers of shortest paths, and their inverses, in the range of a double. In a grid, they
/// grow exponentially with the distance. Only quotients of the numbers of two consecutive levels
/// matter, so the numbers of a level may be divided by a power of two.

#include <Grappa.hpp>

#include "system/base/input_error.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace betweenness {

// The numbers are kept from 2^kLeastExponent to 2^1023. Every kScaledLevels levels, if the largest
// is above 2^kMostExponent, they are scaled so that it is about 2^kScaledExponent. Until then, they
// grow by the degrees of 8 levels.
constexpr int kLeastExponent = -900, kMostExponent = 650, kScaledExponent = 500;
constexpr int32_t kScaledLevels = 8;

/// Returns the exponent of the power of two that divides the numbers of a level, or 0. Aborts the
/// job by input_error if the least would be too small. From: all cores, with equal arguments.
inline int scale_of_level(int32_t level, double least, double most) {
  if (level % kScaledLevels != 0 || most < std::ldexp(1, kMostExponent)) return 0;
  const int exponent = std::ilogb(most) - kScaledExponent;
  if (std::ilogb(least) - exponent < kLeastExponent && Grappa::mycore() == 0) {
    Grappa::input_error("the numbers of shortest paths to the vertices at distance " +
                        std::to_string(level) + " of a source differ by a factor of more than 2^" +
                        std::to_string(kScaledExponent - kLeastExponent) +
                        ", so double precision does not suffice for this graph");
  }
  return exponent;
}

}  // namespace betweenness
