#pragma once

/// Tuning parameters of structures/.

#include <cstddef>

namespace Grappa {
namespace detail {

/// A proxy with this number of requests is committed: the value from the paper.
constexpr size_t kProxyRequests = 1024;

/// Maximum number of times that a combiner yields before it commits a proxy that is not full. The
/// combiner stops after a yield without new requests. The maximum bounds the additional delay of a
/// request.
constexpr int kGatheringRounds = 16;

/// Maximum number of concurrent commits of async requests, for one structure and core. At this
/// limit, a task that fills a proxy waits.
constexpr int kCommitsUnderWay = 4;

}  // namespace detail
}  // namespace Grappa
