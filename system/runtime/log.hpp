#pragma once

/// glog in a job. Each line goes to stderr with one call, because mpirun then keeps the line whole.
/// Fatal messages (LOG(FATAL), CHECK, GRAPPA_CHECK) become the failure report of the job.

namespace Grappa {
namespace detail {

/// Starts glog with output to stderr, unless the program has started it. Flags may change this.
void start_log(const char* program);

/// Replaces glog's output to stderr, as the flags specify it now. glog still writes the log files.
void take_over_log();

}  // namespace detail
}  // namespace Grappa
