#pragma once

/// What the benchmarks of programs on graphs have in common: pairs of jobs, one after the other,
/// whose rates are compared.

#include "bench/harness/bench.hpp"

#include <functional>
#include <string>

namespace bench {

constexpr double kMillion = 1e6;

/// A job, which measures itself.
typedef std::function<Measurement()> Side;

/// The number behind `label` in what a job of so many cores prints, divided by `unit`. `program` is
/// a path with flags.
Side job_side(int cores, const std::string& program, const std::string& label, double unit);

/// The same of a program that is no job.
Side program_side(const std::string& program, const std::string& label, double unit);

/// Measures so many pairs of which more is better.
void compare_jobs(Bench* bench, const Question& question, const Side& subject, const Side& baseline,
                  int pairs);

/// True, and then the figure is omitted with the reason, if there is no memory for a graph of that
/// scale with 16 edges a vertex, in any program.
bool lacks_memory(Bench* bench, const std::string& id, int scale);

/// "scale 20".
std::string of_scale(int scale);

}  // namespace bench
