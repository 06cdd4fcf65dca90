/// Tests of two-hop routing between locales. They run only with --routing=two_hop. Core 0 relays
/// the messages that the first core of another locale sends to core 1.

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

// Each core has its own instance.
int64_t received = 0;

int64_t sum_received() {
  return sum_all_cores([] { return received; });
}

void await_received(int64_t n) {
  while (sum_received() < n) yield();
  EXPECT_EQ(n, sum_received());
}

void reset() {
  on_all_cores([] { received = 0; });
}

Core first_core_elsewhere() {
  Core core = 0;
  while (locale_of(core) == mylocale()) ++core;
  return core;
}

TEST(Relay, KeepsTheSenderOfEachMessage) {
  reset();
  on_all_cores([] {
    const Core from = mycore();
    for (int k = 0; k < 1000; ++k) {
      const Core dest = static_cast<Core>(k % cores());
      send_message(dest, [from, dest] {
        EXPECT_EQ(from, the_sender);
        EXPECT_EQ(dest, mycore());
        ++received;
      });
    }
  });
  await_received(int64_t{1000} * cores());
}

TEST(Relay, RelaysEachRunOnce) {
  reset();
  // Before the last message arrives, core 0, which runs the main task, has relayed all runs.
  const Core sender = first_core_elsewhere();
  const Gain relayed("message.runs_relayed");
  int64_t rounds = 2000;
  delegate::call(sender, [rounds] {
    for (int64_t k = 0; k < rounds; ++k) {
      for (const Core dest : {Core{0}, Core{1}}) {
        for (int copies = 0; copies < 3; ++copies) send_message(dest, [] { ++received; });
      }
      flush_to(Core{0}, FlushCause::Asked);
    }
  });
  await_received(6 * rounds);
  EXPECT_GE(relayed.value(), static_cast<uint64_t>(rounds));
  EXPECT_LE(relayed.value(), static_cast<uint64_t>(rounds + rounds / 4)) << "with await_received";
}

TEST(Relay, RelaysNothingWithinALocale) {
  reset();  // reset() may also send messages that are relayed
  const Gain relayed("message.runs_relayed");
  for (int k = 0; k < 1000; ++k) send_message(1, [] { ++received; });
  while (delegate::call(1, [] { return received; }) < 1000) yield();
  EXPECT_EQ(0u, relayed.value());
}

TEST(Relay, ReservesBuffersForRelaying) {
  on_all_cores([] {});
  std::vector<Buffer*> taken;
  while (Buffer* buffer = transport().acquire()) taken.push_back(buffer);
  const size_t own = taken.size();
  EXPECT_LE(own, static_cast<size_t>(4 * outbox_count(Routing::TwoHop, topology()) + 240))
      << "proportional to locales and neighbours, not to cores";
  while (Buffer* buffer = transport().acquire_for_relay()) taken.push_back(buffer);
  EXPECT_EQ(static_cast<size_t>(kRelayBuffers), taken.size() - own);
  for (Buffer* buffer : taken) transport().release(buffer);
}

TEST(Relay, RelaysAlthoughThisCoreHasNoFreeBuffer) {
  reset();
  const Core sender = first_core_elsewhere();
  for (int64_t round = 1; round <= 20; ++round) {
    delegate::call(sender, [] {
      spawn([] {
        for (int turns = 0; turns < 20; ++turns) yield();
        send_message(Core{1}, [] { send_message(Core{0}, [] { ++received; }); });
      });
    });
    std::vector<Buffer*> owned_buffers;
    while (Buffer* buffer = transport().acquire()) owned_buffers.push_back(buffer);
    while (received < round) yield();  // does not end if relaying needs an own buffer
    for (Buffer* buffer : owned_buffers) transport().release(buffer);
  }
}

TEST(Relay, KeepsTheOrderOfMessagesInAParkedBuffer) {
  expect_order_of_waiting_buffers(first_core_elsewhere(), 1);
}

}  // namespace
