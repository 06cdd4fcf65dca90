#pragma once

/// glog as a job uses it: lines go to stderr, each with one call so that mpirun keeps it whole, and
/// fatal ones (LOG(FATAL), CHECK, GRAPPA_CHECK) become the report of the job's failure.

namespace Grappa {
namespace detail {

/// Starts glog, unless the program has, so that it logs to stderr. Flags may change that.
void start_log(const char* program);

/// Takes the place of glog's own way to stderr, as the flags want it by now. Log files stay glog's.
void take_over_log();

}  // namespace detail
}  // namespace Grappa
