#pragma once

/// The trace of all cores in one file.

#include "system/observe/trace.hpp"

#include <ostream>

namespace Grappa {
namespace detail {

/// This core's trace; null if none was asked for (--trace_file).
extern Trace* the_trace;

/// Fetches what each core has recorded, piece by piece, and writes it. False if that is nothing.
/// From: task. Suspends: for each piece. Messages: 2 for each piece.
bool write_trace(std::ostream& out);

}  // namespace detail
}  // namespace Grappa
