/// Finds the orbit of a tuple or a set of points under a group of permutations, on all cores, and
/// compares the orbit with that of a serial program.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/orbits/orbits.hpp"

#include <iostream>
#include <string>

DEFINE_int64(points, 20, "number of points that the group permutes");
DEFINE_string(generators, "",
              "permutations in cycle notation, separated by semicolons: \"(1,2)(3,4);(1,2,3)\"; "
              "default: all permutations of the points");
DEFINE_string(start, "1,2,3,4", "the points of the element whose orbit is found, at most 8");
DEFINE_bool(sets, false, "elements are sets of points, not tuples");
DEFINE_bool(verify, true, "compare the orbit with that of a serial program");

namespace {

void require(const char* flag, const std::string& error) {
  if (!error.empty()) Grappa::input_error(std::string("--") + flag + ": " + error);
}

bool find_orbit() {
  apps::check_range("points", FLAGS_points, 1, orbits::kMostPoints);
  orbits::Problem problem;
  problem.points = int(FLAGS_points);
  problem.sets = FLAGS_sets;
  const std::string generators =
      FLAGS_generators.empty() ? orbits::symmetric_generators(problem.points) : FLAGS_generators;
  require("generators", orbits::parse_generators(generators, &problem));
  require("start", orbits::parse_start(FLAGS_start, &problem));
  orbits::Orbit orbit = {};
  const double seconds = apps::seconds_of([&] { orbit = orbits::find(problem); });
  std::cout << "elements: " << orbit.elements << "\nlevels: " << orbit.levels
            << "\nseconds: " << apps::number("%.6f", seconds)
            << "\nelements_per_second: " << apps::number("%.0f", double(orbit.elements) / seconds)
            << std::endl;
  if (!FLAGS_verify) return true;
  const orbits::Orbit serial = orbits::find_serially(problem);
  std::string wrong;
  if (serial.elements != orbit.elements) {
    wrong = "a serial program finds " + std::to_string(serial.elements) + " elements";
  } else if (serial.levels != orbit.levels || serial.checksum != orbit.checksum) {
    wrong = "a serial program finds other elements";
  }
  if (apps::report_wrong("orbits", wrong)) return false;
  std::cout << "verified" << std::endl;
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &find_orbit); }
