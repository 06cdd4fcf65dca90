#pragma once

/// Steps of Grappa::init: the log, and the comparison of the cores' programs.

namespace Grappa { namespace detail {

/// Starts glog with output to stderr, unless the program has started glog. Flags may change the
/// output. Fatal messages (LOG(FATAL), CHECK, GRAPPA_CHECK) become the failure report of the job.
void start_log(const char* program);

/// Replaces glog's output to stderr, according to the current flags. Each line is then written with
/// one call, because mpirun does not split such a line. glog still writes the log files.
void take_over_log();

/// Aborts the job with an error message if the cores do not run the same binary at the same
/// address, because functions and file-scope objects are sent as addresses. Called by all cores
/// together.
void check_same_program();

}}  // namespace Grappa::detail
