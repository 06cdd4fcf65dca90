#pragma once

/// The common part of `main` and of the output of all programs.

#include <Grappa.hpp>

#include <string>

namespace apps {

/// Runs `body` as the main task of a job. Rejects arguments that are not flags. Returns the exit
/// status of main: 0, or 1 if `body` returns false because a result is wrong. From: main.
int run_program(int argc, char* argv[], bool (*body)());

/// Runs `body`, and returns the elapsed time in seconds.
template <class F>
double seconds_of(F body) {
  const double start = Grappa::walltime();
  body();
  return Grappa::walltime() - start;
}

/// If `error` is not empty, prints the name of the program and the error as one line on stderr, and
/// returns true.
bool report_wrong(const char* program, const std::string& error);

/// Formats `value` like printf. `format` has one conversion of a double.
std::string number(const char* format, double value);

}  // namespace apps
