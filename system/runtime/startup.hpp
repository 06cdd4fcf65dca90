#pragma once

/// Steps of Grappa::init: the log, and the comparison of the cores' programs.

namespace Grappa { namespace detail {

/// Starts glog with output to stderr, unless the program has started it. Flags may change this.
/// Fatal messages (LOG(FATAL), CHECK, GRAPPA_CHECK) become the failure report of the job.
void start_log(const char* program);

/// Replaces glog's output to stderr, as the flags specify it now. Each line then goes to stderr
/// with one call, because mpirun keeps such a line whole. glog still writes the log files.
void take_over_log();

/// Ends the job with an error message if the cores do not run the same binary at the same address:
/// functions and file-scope objects are sent as addresses. Called by all cores together.
void check_same_program();

}}  // namespace Grappa::detail
