#pragma once

/// The phases of a program: init, run, finalize.
///
/// Every core executes main(). Between init and finalize, run() executes one task on core 0, and
/// every core runs the work that this task starts there. A program that starts without the launcher
/// and without mpirun is a job of one core.

#include "system/tasking/task.hpp"

#include <cstdint>

namespace Grappa {

/// Starts the job: parses the flags and removes them from argv, connects the cores, and reserves
/// the heap. `heap_bytes` is the size of the global heap over all cores; -1: the flag --heap_bytes
/// sets the size. An invalid flag aborts the job with one line and exit status 2. --help prints the
/// flags, and the job exits with status 0. After init, leaving main or calling exit without
/// finalize is an error. From: main, on every core, once. All other calls must come from the same
/// thread.
void init(int* argc, char** argv[], int64_t heap_bytes = -1);

namespace detail {
void run(const Closure& body);
}  // namespace detail

/// Runs `body()` as the main task on core 0. Returns on every core when `body` has returned. Tasks
/// that have not ended by then stay suspended. The body may capture by reference. From: main, on
/// every core, between init and finalize, any number of times.
template <class F>
void run(F&& body) {
  detail::run(detail::Closure::make(std::forward<F>(body)));
}

/// Ends the job; returns 0. With --report, core 0 prints a report. From: main, on every core, once.
int finalize();

/// Ends the whole job from inside a task and prints nothing. Every core exits with the lowest eight
/// bits of `status`, like exit(). If several tasks call end_job at the same time, a status that is
/// not 0 is used. From: task.
[[noreturn]] void end_job(int status);

}  // namespace Grappa
