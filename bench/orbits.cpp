/// How fast do a global set and a global queue enumerate the orbit of a group of permutations?
///
/// Baseline: the same enumeration, level by level, on one core with std::unordered_set, in the same
/// process while the other cores are idle. It is not the best serial program: a flat table would be
/// faster. The orbit has 10,518,300 elements: the sets of 8 of 32 points, under all permutations.
/// Verified: both find all sets, and the sums of their squares agree.

#include <Grappa.hpp>

#include "apps/orbits/orbits.hpp"
#include "bench/harness/bench.hpp"
#include "system/observe/clock.hpp"

#include <cstdint>

namespace {

orbits::Problem sets_of(int points, const std::string& start) {
  orbits::Problem problem;
  problem.points = points;
  problem.sets = true;
  orbits::parse_generators(orbits::symmetric_generators(points), &problem);
  orbits::parse_start(start, &problem);
  return problem;
}

uint64_t serial_checksum = 0;

template <class Find>
bench::Measurement measure(const orbits::Problem& problem, int64_t elements, Find find) {
  const uint64_t start = Grappa::detail::steady_ns();
  const orbits::Orbit orbit = find(problem);
  const double ns = double(Grappa::detail::steady_ns() - start);
  if (serial_checksum == 0) serial_checksum = orbit.checksum;
  return {double(orbit.elements) / ns * 1000,
          orbit.elements == elements && orbit.checksum == serial_checksum};
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    const bool quick = bench.quick();
    const orbits::Problem problem =
        quick ? sets_of(24, "1,2,3,4,5,6") : sets_of(32, "1,2,3,4,5,6,7,8");
    const int64_t elements = quick ? 134596 : 10518300;
    bench::PairOptions options;
    options.better = bench::Better::Higher;
    options.pairs = options.quick_pairs = 5;
    bench.compare(
        {"orbits", "elements of an orbit, over all cores", "M/s", "std::unordered_set on one core"},
        [&] { return measure(problem, elements, &orbits::find); },
        [&] { return measure(problem, elements, &orbits::find_serially); }, options);
  });
  Grappa::finalize();
  return bench.finish();
}
