#pragma once

/// The options of message/, and the functions that choose the routes of messages between locales.

#include "system/base/ids.hpp"
#include "system/base/units.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

/// With direct routing, a core fills one buffer for each other core. With two-hop routing, the
/// cores of another locale share one buffer. In that locale, the core with the same local index as
/// the sender receives the buffer and relays the runs for its neighbours. With three-hop routing,
/// the cores of a locale also share the buffers to other locales. For each other locale, one core
/// of the sender's locale, the *gateway*, receives the runs of its neighbours in their buffers and
/// relays them. (This is the routing NLNR of B. Priest et al., "You've Got Mail (YGM): Building
/// Missing Asynchronous Communication Primitives", IPDPSW 2019.)
enum class Routing { Automatic, Direct, TwoHop, ThreeHop };

/// What the buffers of an outbox are for: messages for their receiver; messages for its locale; or
/// messages for the locales to which the receiver is the gateway.
enum class Hop : uint8_t { ToDestination, ToLocale, ToGateway };
constexpr int kHops = 3;

struct MessageOptions {
  Routing routing = Routing::Automatic;

  /// A buffer that has been open for this long is sent at the next poll. If the cores of a locale,
  /// or of the locales of a gateway, share buffers, the limit is multiplied by the largest number
  /// of cores that share one, at most kMostAges: otherwise their runs would contain few messages
  /// each. An idle core sends its buffers at once, so this limit matters only while tasks run for a
  /// long time.
  int64_t flush_age_us = 100;

  /// Maximum number of buffers executed per poll. A full buffer takes about 20 us. In bench/gups,
  /// the values 1, 4 and 16 gave equal rates.
  int buffers_per_poll = 4;
};

/// Size of the first chunk of a run. Each further chunk is twice as large, up to kRunChunkBytes. A
/// large first chunk wastes space for rare types, and a small maximum adds too many headers.
constexpr size_t kFirstRunChunkBytes = 256;
constexpr size_t kRunChunkBytes = 4 * KiB;

/// With three hops on 64 locales of 16 cores, 64 cores share a buffer. Not measured with more.
constexpr int kMostAges = 64;

/// A buffer that several destinations share is full when it holds this number of bytes: enough for
/// runs of some length, and for the fixed cost of a buffer. On 256 simulated cores, random updates
/// (bench/scale) are 1.2 times as fast as with buffers of 64 KiB.
constexpr size_t full_bytes(int destinations) {
  return destinations <= 16 ? 16 * KiB : static_cast<size_t>(destinations) * KiB;
}

/// A sender prefetches this part of a buffer ahead of the last run, and a receiver prefetches the
/// front of a buffer.
constexpr size_t kPrefetchedBytes = 512;
constexpr size_t kPrefetchedOfReceived = 2 * KiB;

/// Number of buffers reserved for relaying runs within the locale, and for relaying runs to other
/// locales. One buffer each guarantees progress. With several buffers, one buffer can be filled
/// while another is executed.
constexpr int kRelayBuffers = 4;
constexpr int kGatewayBuffers = 4;

/// Maximum number of cores at which Routing::Automatic chooses direct routing. On 128 simulated
/// cores in locales of 16, random updates are 1.2 times as fast with two hops; on 64 cores, direct
/// routing is 1.2 times as fast (docs/performance.md, Scale).
constexpr int kMostCoresDirect = 64;

inline Routing choose_routing(Routing asked, int cores, int locales) {
  if (locales == 1 || locales == cores) return Routing::Direct;  // the same routes without a copy
  if (asked != Routing::Automatic) return asked;
  if (cores <= kMostCoresDirect) return Routing::Direct;
  // Each core of a locale must be the gateway to a locale, or few of them relay all messages.
  return locales >= cores / locales ? Routing::ThreeHop : Routing::TwoHop;
}

/// A route of messages: the core that receives the buffers, and what it does with the runs.
struct FirstHop {
  Core receiver;
  Hop hop;
  bool operator==(const FirstHop& other) const {
    return receiver == other.receiver && hop == other.hop;
  }
};

/// The first hop of messages from this core to each core.
std::vector<FirstHop> first_hops(Routing routing, const Topology& topology);

/// The maximum number of different first hops of a core: a core fills a buffer for each. Equal on
/// all cores of a locale, because their pools have one layout.
int outbox_count(Routing routing, const Topology& topology);

}}  // namespace Grappa::detail
