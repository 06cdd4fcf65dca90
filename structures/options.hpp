#pragma once

/// Knobs of structures/.

#include <cstddef>

namespace Grappa {
namespace detail {

/// Requests that a proxy takes before it is committed: the paper's number.
constexpr size_t kProxyRequests = 1024;

/// How often the worker in charge of a proxy lets the others merge their requests, before it
/// commits a proxy that is not full: as long as the last time has brought new ones, and at most so
/// often. A bound on what a request waits beyond its own commit.
constexpr int kGatheringRounds = 16;

/// Commits of one structure that a core has under way when it is given more async requests: then
/// who gives them waits.
constexpr int kCommitsUnderWay = 4;

}  // namespace detail
}  // namespace Grappa
