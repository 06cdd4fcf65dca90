/// Tests of three-hop routing between locales of two cores. They run only with --routing=three_hop.
/// Core 0 is the gateway of core 1 to locale 2, which has core 4 and, in a job of 6 cores, core 5.

#include "system/message/aggregator.hpp"
#include "system/message/options.hpp"
#include "system/net/transport.hpp"
#include "tests/harness/counted.hpp"
#include "tests/message/waiting_buffers.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr Core kNeighbour = 1;
constexpr Core kBeyondNeighbour = 2;  // core 1 is the gateway to its locale
constexpr Core kFar = 4;

// Each core has its own instance.
int64_t received = 0;

void reset() {
  on_all_cores([] { received = 0; });
}

TEST(Gateway, IsCoreZeroInTheseTests) {
  delegate::call(kNeighbour, [] {
    const std::vector<FirstHop> hops = first_hops(Routing::ThreeHop, topology());
    EXPECT_TRUE((hops[kFar] == FirstHop{0, Hop::ToGateway}));
    EXPECT_TRUE((hops[0] == FirstHop{0, Hop::ToDestination}));
  });
  EXPECT_TRUE((first_hops(Routing::ThreeHop, topology())[kFar] == FirstHop{kFar, Hop::ToLocale}));
}

TEST(Gateway, RelaysEachRunOnce) {
  reset();
  const Gain relayed("message.runs_relayed");
  int64_t rounds = 2000;
  delegate::call(kNeighbour, [rounds] {
    for (int64_t k = 0; k < rounds; ++k) {
      for (int copies = 0; copies < 3; ++copies) send_message(kFar, [] { ++received; });
      flush_to(kFar, FlushCause::Asked);
    }
  });
  while (delegate::call(kFar, [] { return received; }) < 3 * rounds) yield();
  EXPECT_GE(relayed.value(), static_cast<uint64_t>(rounds));
  EXPECT_LE(relayed.value(), static_cast<uint64_t>(rounds + rounds / 4));
}

TEST(Gateway, SendsTheRunsOfNeighboursInItsOwnBuffers) {
  reset();
  const auto far_buffers = [] { return counted("net.buffers_by_mpi"); };
  const uint64_t before = delegate::call(kNeighbour, far_buffers);
  const Gain relayed("message.runs_relayed");
  int64_t rounds = 500;
  delegate::call(kNeighbour, [rounds] {
    const Core last_core = static_cast<Core>(cores() - 1);  // also of locale 2
    for (int64_t k = 0; k < rounds; ++k) {
      send_message(kFar, [] { ++received; });
      flush_to(kFar, FlushCause::Asked);
      send_message(last_core, [] { ++received; });
      flush_to(last_core, FlushCause::Asked);
    }
  });
  while (sum_all_cores([] { return received; }) < 2 * rounds) yield();
  EXPECT_GE(relayed.value(), static_cast<uint64_t>(2 * rounds));
  // Core 1 itself sends only to locale 1, for which it is the gateway: acknowledgements at most.
  EXPECT_LE(delegate::call(kNeighbour, far_buffers) - before, 20u);
}

TEST(Gateway, HasReservesForBothKindsOfRelaying) {
  on_all_cores([] {});
  std::vector<Buffer*> taken;
  while (Buffer* buffer = transport().acquire()) taken.push_back(buffer);
  const size_t own = taken.size();
  EXPECT_LE(own, static_cast<size_t>(4 * outbox_count(Routing::ThreeHop, topology()) + 240));
  while (Buffer* buffer = transport().acquire_for_gateway()) taken.push_back(buffer);
  EXPECT_EQ(static_cast<size_t>(kGatewayBuffers), taken.size() - own);
  while (Buffer* buffer = transport().acquire_for_relay()) taken.push_back(buffer);
  EXPECT_EQ(static_cast<size_t>(kGatewayBuffers + kRelayBuffers), taken.size() - own);
  for (Buffer* buffer : taken) transport().release(buffer);
}

TEST(Gateway, RelaysAlthoughItHasNoFreeBuffer) {
  reset();
  for (int64_t round = 1; round <= 20; ++round) {
    delegate::call(kNeighbour, [] {
      spawn([] {
        for (int turns = 0; turns < 20; ++turns) yield();
        send_message(kFar, [] { send_message(Core{0}, [] { ++received; }); });
      });
    });
    std::vector<Buffer*> own;
    while (Buffer* buffer = transport().acquire()) own.push_back(buffer);
    while (received < round) yield();  // does not end if relaying needs an own buffer
    for (Buffer* buffer : own) transport().release(buffer);
  }
}

TEST(Gateway, SendsTheOverflowOfEachHopWithTheBuffersOfThatHop) {
  reset();
  static std::vector<Buffer*> own;
  const uint64_t before = counted("message.overflow");
  for (int64_t round = 1; round <= 20; ++round) {
    delegate::call(kNeighbour, [] {
      send_message(Core{0}, [] {
        const auto answer = [] { send_message(Core{0}, [] { ++received; }); };
        while (Buffer* buffer = transport().acquire()) own.push_back(buffer);
        send_message(kBeyondNeighbour, [] {});
        flush_to(kBeyondNeighbour, FlushCause::Asked);  // the first overflow, for own buffers
        send_message(kFar, answer);
        send_message(kNeighbour, answer);
      });
    });
    while (received < 2 * round) yield();  // does not end if an answer waits for an own buffer
    for (Buffer* buffer : own) transport().release(buffer);
    own.clear();
  }
  EXPECT_LE(before + 20, counted("message.overflow"));
}

TEST(Gateway, KeepsTheOrderOfBuffersThatWait) { expect_order_of_waiting_buffers(kNeighbour, kFar); }

}  // namespace
