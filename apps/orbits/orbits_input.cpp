#include "apps/orbits/orbits.hpp"
#include "structures/text/quoted.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace orbits {
namespace {

// Reads a point at `*at`, and moves `*at` behind it.
bool read_point(const char** at, int points, uint8_t* point, std::string* error) {
  char* end = nullptr;
  const long number = **at >= '0' && **at <= '9' ? std::strtol(*at, &end, 10) : 0;
  if (end == nullptr || number < 1 || number > points) {
    *error = Grappa::detail::quoted(*at, *at + std::strlen(*at)) +
             " does not begin with a point, expected 1 to " + std::to_string(points);
    return false;
  }
  *at = end;
  *point = uint8_t(number - 1);
  return true;
}

// Reads points that are separated by commas.
bool read_points(const char** at, int points, std::vector<uint8_t>* list, std::string* error) {
  do {
    if (!list->empty()) ++*at;  // the comma
    uint8_t point = 0;
    if (!read_point(at, points, &point, error)) return false;
    if (std::find(list->begin(), list->end(), point) != list->end()) {
      *error = "point " + std::to_string(point + 1) + " occurs twice";
      return false;
    }
    list->push_back(point);
  } while (**at == ',');
  return true;
}

}  // namespace

std::string parse_generators(const std::string& text, Problem* problem) {
  std::string error;
  std::vector<std::vector<uint8_t>> generators;
  for (const char* at = text.c_str();; ++at) {
    std::vector<uint8_t> images(size_t(problem->points));
    std::iota(images.begin(), images.end(), uint8_t{0});
    std::vector<bool> moved(images.size());
    while (*at == '(') {
      ++at;
      std::vector<uint8_t> cycle;
      if (!read_points(&at, problem->points, &cycle, &error)) return error;
      if (*at != ')') return "a cycle is not closed by \")\"";
      ++at;
      for (size_t k = 0; k < cycle.size(); ++k) {
        if (moved[cycle[k]]) {
          return "point " + std::to_string(cycle[k] + 1) + " occurs in two cycles of a permutation";
        }
        moved[cycle[k]] = true;
        images[cycle[k]] = cycle[(k + 1) % cycle.size()];
      }
    }
    generators.push_back(images);
    if (*at == '\0') break;
    if (*at != ';') {
      return Grappa::detail::quoted(at, at + 1) + " is not part of a cycle, expected \"(\"";
    }
  }
  if (generators.size() > size_t(kMostGenerators)) {
    return std::to_string(generators.size()) + " generators, expected at most " +
           std::to_string(kMostGenerators);
  }
  problem->generators = generators;
  return "";
}

std::string parse_start(const std::string& text, Problem* problem) {
  std::string error;
  std::vector<uint8_t> start;
  const char* at = text.c_str();
  if (!read_points(&at, problem->points, &start, &error)) return error;
  if (*at != '\0') {
    return Grappa::detail::quoted(at, at + 1) + " follows a point, expected \",\"";
  }
  if (start.size() > size_t(kMostElementPoints)) {
    return std::to_string(start.size()) + " points, expected at most " +
           std::to_string(kMostElementPoints);
  }
  problem->start = start;
  return "";
}

std::string symmetric_generators(int points) {
  std::string cycle;
  for (int k = 1; k <= points; ++k) cycle += (k == 1 ? "(" : ",") + std::to_string(k);
  return points < 2 ? "" : "(1,2);" + cycle + ")";
}

}  // namespace orbits
