#pragma once

/// The form of the search that flags ask for: --algorithm, --flat_combining, --alpha, --beta.

#include "apps/bfs/search.hpp"

#include <memory>
#include <string>

namespace bfs {

/// Ends the job if they are wrong.
void check_search_flags();

/// From: task. Suspends.
std::unique_ptr<Search> make_search(GlobalAddress<SearchGraph> g);

/// "tuned", "queue, combining distributed".
std::string search_description();

/// Bytes over all cores that no form of the search exceeds, besides the graph.
double search_bytes_needed(int64_t nv);

}  // namespace bfs
