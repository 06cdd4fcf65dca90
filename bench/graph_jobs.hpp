#pragma once

/// Common code of the graph benchmarks: pairs of consecutive jobs whose rates are compared.

#include "bench/harness/bench.hpp"

#include <functional>
#include <string>

namespace bench {

constexpr double kMillion = 1e6;

/// A function that runs a job and returns the measurement that the job has printed.
typedef std::function<Measurement()> Side;

/// Returns a Side that reads the number after `label` in the output of a job on `cores` cores, and
/// divides the number by `unit`. `program` is a path with flags.
Side job_side(int cores, const std::string& program, const std::string& label, double unit);

/// Returns a Side as above, for a program that is not a Grappa job.
Side program_side(const std::string& program, const std::string& label, double unit);

/// Measures `pairs` pairs of rates: a higher rate is better.
void compare_jobs(Bench* bench, const Question& question, const Side& subject, const Side& baseline,
                  int pairs);

/// If the memory is too small for a graph of that scale with 16 edges for each vertex in any of the
/// programs, omits the figure with this reason and returns true.
bool lacks_memory(Bench* bench, const std::string& id, int scale);

/// Returns a text such as "scale 20".
std::string of_scale(int scale);

}  // namespace bench
