#include "apps/orbits/orbits.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>
#include <vector>

namespace orbits {

// A key has the points in its bytes, each increased by 1; the last point is in the lowest byte.
Orbit find_serially(const Problem& problem) {
  const int size = int(problem.start.size());
  const auto key_of = [size, &problem](std::array<int, 8> points) {
    for (int k = 1; problem.sets && k < size; ++k) {  // insertion sort
      for (int j = k; j > 0 && points[size_t(j)] < points[size_t(j - 1)]; --j) {
        std::swap(points[size_t(j)], points[size_t(j - 1)]);
      }
    }
    uint64_t key = 0;
    for (int k = 0; k < size; ++k) key = key << 8 | uint64_t(points[size_t(k)] + 1);
    return key;
  };
  std::array<int, 8> points = {};
  std::copy(problem.start.begin(), problem.start.end(), points.begin());
  std::unordered_set<uint64_t> seen = {key_of(points)};
  std::vector<uint64_t> level(seen.begin(), seen.end()), next;
  Orbit orbit = {0, 0, 0};
  for (; !level.empty(); ++orbit.levels) {
    next.clear();
    for (const uint64_t key : level) {
      uint64_t number = 0;
      for (int k = 0; k < size; ++k) {
        points[size_t(k)] = int(key >> 8 * (size - 1 - k) & 0xff) - 1;
        number = number << 8 | uint64_t(points[size_t(k)]);
      }
      orbit.checksum += number * number;
      ++orbit.elements;
      for (const std::vector<uint8_t>& generator : problem.generators) {
        std::array<int, 8> image = {};
        for (int k = 0; k < size; ++k) image[size_t(k)] = generator[size_t(points[size_t(k)])];
        const uint64_t reached = key_of(image);
        if (seen.insert(reached).second) next.push_back(reached);
      }
    }
    level.swap(next);
  }
  return orbit;
}

}  // namespace orbits
