/// Sends many messages (--messages). Each message must arrive once, and the messages of one type
/// must arrive in order, at any speed of senders and receivers. The used memory must not grow.

#include "tests/harness/counted.hpp"

#include "system/net/transport.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <vector>

#include <unistd.h>

DEFINE_int64(messages, 0, "total number of messages; 0: as many as take about a second");

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr int kTypes = 6;

/// The messages of one type that a core has received from one sender.
struct Received {
  int64_t count = 0;
  int64_t out_of_order = 0;
  uint64_t checksum = 0;

  void add(int64_t number, uint64_t check) {
    out_of_order += number != count;
    ++count;
    checksum += check;
  }
};

std::vector<Received> received;  // for each sender and type; each core has its own instance
int slowness = 0;                // number of steps of each message on this core

Received& received_from(Core sender, int type) {
  return received[static_cast<size_t>(sender) * kTypes + static_cast<size_t>(type)];
}

uint64_t check_of(Core sender, int type, int64_t number) {
  uint64_t x = static_cast<uint64_t>(number) * 0x9e3779b97f4a7c15u +
               static_cast<uint64_t>(sender) * 0xbf58476d1ce4e5b9u + static_cast<uint64_t>(type);
  x ^= x >> 29;
  return x * 0x94d049bb133111ebu;
}

void take_time() {
  volatile int step = 0;
  while (step < slowness) step = step + 1;
}

/// Message `number` of type `kType`. Each word holds the checksum.
template <int kType, size_t kWords>
struct Message {
  Core from;
  int32_t number;
  uint64_t words[kWords];

  Message(Core f, int64_t n) : from(f), number(static_cast<int32_t>(n)) {
    for (uint64_t& word : words) word = check_of(f, kType, n);
  }
  void operator()() const {
    for (size_t k = 1; k < kWords; ++k) EXPECT_EQ(words[0], words[k]);
    received_from(from, kType).add(number, words[0]);
    take_time();
    if (kType == 2 && number % 1000 == 0) yield();
    if (kType == 1 && number % 1000 == 0) spawn([] { yield(); });
  }
};

struct Payload {
  Core from;
  int64_t number;
  void operator()(void* bytes, size_t) const {
    uint64_t first;
    std::memcpy(&first, bytes, sizeof first);
    received_from(from, 4).add(number, first);
  }
};

/// A handler that sends a message of type 5 to core `to`.
struct PassOn {
  Core to;
  int64_t number;
  void operator()() const {
    send_message(to,
                 unchecked(Message<5, 3>(mycore(), sent_by_handlers[static_cast<size_t>(to)]++)));
  }
  static std::vector<int64_t> sent_by_handlers;  // number of messages for each destination
};
std::vector<int64_t> PassOn::sent_by_handlers;

void send(Core dest, int64_t number) {
  const Core me = mycore();
  // The two numbers at the beginning of a message may look like an address.
  send_message(dest, unchecked(Message<0, 1>(me, number)));
  send_message(dest, unchecked(Message<1, 1>(me, number)));
  send_message(dest, unchecked(Message<2, 2>(me, number)));
  send_message(dest, unchecked(Message<3, 7>(me, number)));
  const uint64_t words[40] = {check_of(me, 4, number)};
  send_message(dest, Payload{me, number}, words, 8 + static_cast<size_t>(number % 300));
  send_message(me, PassOn{dest, number});
}

/// Resident memory of this process in bytes.
int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t pages = 0;
  statm >> pages >> pages;
  return pages * ::sysconf(_SC_PAGESIZE);
}

int64_t count_received() {
  return sum_all_cores([] {
    int64_t count = 0;
    for (const Received& r : received) count += r.count;
    return count;
  });
}

/// All cores send `each` messages of each type to all cores. On odd cores, each message takes
/// `slowness_of_some` additional steps.
void flood(int64_t each, int slowness_of_some) {
  on_all_cores([slowness_of_some] {
    received.assign(static_cast<size_t>(cores()) * kTypes, Received());
    PassOn::sent_by_handlers.assign(static_cast<size_t>(cores()), 0);
    slowness = mycore() % 2 == 1 ? slowness_of_some : 0;
  });
  on_all_cores([each] {
    for (int64_t k = 0; k < each; ++k) {
      for (Core dest = 0; dest < cores(); ++dest) send(dest, k);
    }
  });
  const int64_t all = each * cores() * cores() * kTypes;
  while (count_received() < all) {
    for (int turns = 0; turns < 100; ++turns) yield();
  }
  on_all_cores([each] {
    for (int turns = 0; turns < 10; ++turns) yield();
    for (Core from = 0; from < cores(); ++from) {
      for (int type = 0; type < kTypes; ++type) {
        const Received& r = received_from(from, type);
        uint64_t checksum = 0;
        for (int64_t k = 0; k < each; ++k) checksum += check_of(from, type, k);
        EXPECT_EQ(each, r.count) << "type " << type << " from core " << from;
        EXPECT_EQ(0, r.out_of_order) << "type " << type << " from core " << from;
        EXPECT_EQ(checksum, r.checksum) << "type " << type << " from core " << from;
      }
    }
  });
}

/// The number of rounds that together send about `messages` messages.
int64_t rounds_for(int64_t messages) {
  return std::max<int64_t>(1, messages / (kTypes * cores() * cores()));
}

bool starved() { return transport().available() < static_cast<size_t>(cores()); }

int64_t default_messages() {
  if (FLAGS_messages != 0) return FLAGS_messages;
  return starved() ? 60000 : 3000000;
}

/// Sends messages only from tasks. Unlike handlers, tasks wait for free buffers.
void flood_from_tasks(int64_t each) {
  static int64_t arrived;
  on_all_cores([] {
    arrived = 0;
    slowness = mycore() == cores() - 1 ? 200 : 0;
  });
  on_all_cores([each] {
    const Core dest = static_cast<Core>(cores() - 1);
    struct Large {
      uint64_t words[16];
      void operator()() const {
        ++arrived;
        take_time();
      }
    };
    for (int64_t k = 0; k < each; ++k) send_message(dest, Large());
  });
  const Core dest = static_cast<Core>(cores() - 1);
  while (delegate::call(dest, [] { return arrived; }) < each * cores()) yield();
}

// This test must run first. Memory that other tests leave on the heap would hide a growth.
TEST(Flood, FromTasksNeedsNoMemoryBeyondTheBuffers) {
  static int64_t resident_before;
  static uint64_t overflow_before;
  flood_from_tasks(2000);
  on_all_cores([] {
    resident_before = resident_bytes();
    overflow_before = counted("message.overflow_high_water");
  });
  const int64_t each = 400000 / cores();  // 51 MB
  flood_from_tasks(each);
  on_all_cores([] {
    // The memory may grow by the buffers of the locale that were not used before, and by the
    // buffers of MPI.
    const int64_t buffers = int64_t{cores()} * (4 * cores() + 240 + 16);
    const int64_t bytes = static_cast<int64_t>(transport().buffer_bytes());
    EXPECT_LE(resident_bytes() - resident_before, buffers * bytes + 4 * int64_t{MiB})
        << "core " << mycore();
    // Only replies and acknowledgements may be on the overflow list. Their number is small.
    EXPECT_LE(counted("message.overflow_high_water"),
              std::max(overflow_before, static_cast<uint64_t>(4 * cores())));
  });
}

TEST(Flood, OfManyTypesArrivesOnceAndInOrder) { flood(rounds_for(default_messages()), 0); }

TEST(Flood, ToASlowReceiverArrivesOnceAndInOrder) {
  flood(rounds_for(default_messages() / 10), 2000);
}

}  // namespace
