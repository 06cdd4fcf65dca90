#pragma once

/// A fuzz test of readers that run on all cores: a job that reads one hostile file after another.
/// The job aborts if a check fails, if a core crashes, or if an input takes too much time or
/// memory. job_driver.cpp contains the main function, and job_fuzz_test.sh runs the job.

#include "tests/harness/random.hpp"

#include <string>

namespace fuzz {

/// Writes files to the empty folder, reads them, and compares the result with that of a serial
/// reader. The files depend on the random numbers only. From: the main task.
void check_input(const std::string& folder, Grappa::SplitMix64* random);

void write_file(const std::string& path, const std::string& bytes);

}  // namespace fuzz
