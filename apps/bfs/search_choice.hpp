#pragma once

/// The search algorithm that the flags --algorithm, --combining, --alpha and --beta select.

#include "apps/bfs/search.hpp"

#include <memory>
#include <string>

namespace bfs {

/// Aborts the job with an error message if these flags are invalid.
void check_search_flags();

/// From: task. Suspends.
std::unique_ptr<Search> make_search(GlobalAddress<SearchGraph> g);

/// Example: "tuned" or "queue, combining distributed".
std::string search_description();

/// Upper bound for the memory of all algorithms without the graph, in bytes over all cores.
double search_bytes_needed(int64_t nv);

}  // namespace bfs
