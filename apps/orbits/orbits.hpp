#pragma once

/// The orbit of an element under a group of permutations: all elements that the generators of the
/// group reach from it. An element is a tuple of up to 8 different points, or a set of them.
///
/// The enumeration of orbits by a hash table and a queue: D. F. Holt, B. Eick, E. A. O'Brien,
/// "Handbook of Computational Group Theory", CRC Press, 2005, section 4.1.

#include <cstdint>
#include <string>
#include <vector>

namespace orbits {

constexpr int kMostPoints = 255;
constexpr int kMostGenerators = 8;
constexpr int kMostElementPoints = 8;

/// Points count from 0, but from 1 in texts.
struct Problem {
  int points = 0;
  std::vector<std::vector<uint8_t>> generators;  // the image of each point
  std::vector<uint8_t> start;
  bool sets = false;  // the order of the points in an element is ignored
};

/// Parses permutations in cycle notation, "(1,2)(3,4);(1,2,3)", and the points of an element,
/// "1,2,3". They set a part of the problem, whose number of points must be set, and return "" or
/// the error.
std::string parse_generators(const std::string& text, Problem* problem);
std::string parse_start(const std::string& text, Problem* problem);

/// Returns a swap of two points and a cycle of all points, which generate all permutations.
std::string symmetric_generators(int points);

struct Orbit {
  int64_t elements;
  int64_t levels;  // the largest number of generators that are needed to reach an element, plus 1
  uint64_t checksum;  // the sum of the squares of all elements, as numbers to the base 256
};

/// Finds the orbit on all cores. Only one search may run at a time. From: task. Suspends: until it
/// is found. Messages: for each level, those of on_all_cores; those of the set and the queues.
Orbit find(const Problem& problem);

/// Finds the orbit with std::unordered_set, on one core. Shares no code with find().
Orbit find_serially(const Problem& problem);

}  // namespace orbits
