#include "system/message/aggregator.hpp"
#include "system/message/send.hpp"

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

// Each core has its own instances, at the same addresses.
int64_t received = 0;
int64_t started = 0;
std::vector<int64_t> last_from;   // last number from each sender
std::vector<unsigned char> text;  // the payload to send

unsigned char byte_of(uint32_t seed, size_t k) {
  return static_cast<unsigned char>(seed * 37 + k * 11 + (k >> 8) * 5 + (k >> 16));
}

/// Fills `text` with the bytes that Check expects, and returns it.
const unsigned char* write_text(uint32_t seed, size_t bytes) {
  text.resize(std::max(bytes, size_t{1}));
  for (size_t k = 0; k < bytes; ++k) text[k] = byte_of(seed, k);
  return text.data();
}

/// A body that checks its payload and then overwrites the payload. This is permitted.
struct Check {
  uint32_t seed;
  size_t wanted;

  void operator()(void* payload, size_t bytes) const {
    EXPECT_EQ(wanted, bytes);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(payload) % 16);
    unsigned char* at = static_cast<unsigned char*>(payload);
    size_t wrong = 0;
    for (size_t k = 0; k < bytes; ++k) wrong += at[k] != byte_of(seed, k);
    EXPECT_EQ(0u, wrong) << "of " << bytes << " bytes, seed " << seed;
    std::memset(payload, 0xee, bytes);
    ++received;
  }
};

void send_checked(Core dest, uint32_t seed, size_t bytes) {
  send_message(dest, Check{seed, bytes}, write_text(seed, bytes), bytes);
}

int64_t sum_received() {
  return sum_all_cores([] { return received; });
}

void await_received(int64_t n) {
  while (sum_received() < n) yield();
  for (int turns = 0; turns < 50; ++turns) yield();
  EXPECT_EQ(n, sum_received()) << "no message twice";
}

void reset() {
  on_all_cores([] {
    received = started = 0;
    last_from.assign(static_cast<size_t>(cores()), -1);
  });
}

/// The maximum size of a payload for F that is sent in one message.
template <class F>
size_t longest_whole() {
  return largest_message() - detail::PayloadMessage<F>::prefix_bytes();
}

/// A longer payload is sent in parts. All parts except the last one have this number of bytes.
template <class F>
size_t part_bytes() {
  return longest_whole<F>() - sizeof(detail::PartHeader);
}

TEST(Payload, ArrivesCompleteAtAnyLength) {
  const size_t whole = longest_whole<Check>(), part = part_bytes<Check>();
  std::vector<size_t> lengths = {0, 1, 15, 16, 17, 1000, 4096, 65535, 65536, 65537, 1 << 20};
  for (const size_t border : {whole, part, 2 * part, 5 * part}) {
    for (const size_t length : {border - 16, border - 1, border, border + 1, border + 16}) {
      lengths.push_back(length);
    }
  }
  reset();
  int64_t sent = 0;
  for (const size_t length : lengths) {
    for (Core dest = 0; dest < cores(); ++dest) {
      send_checked(dest, static_cast<uint32_t>(length + static_cast<size_t>(dest)), length);
      ++sent;
    }
  }
  await_received(sent);
}

TEST(Payload, IsSplitOnlyIfItIsLongerThanABuffer) {
  const Core last = static_cast<Core>(cores() - 1);
  const size_t whole = longest_whole<Check>(), part = part_bytes<Check>();
  const auto parts_seen = [] { return counted("message.payload_parts"); };
  for (const size_t length : {size_t{0}, whole - 1, whole, whole + 1, 3 * part, 3 * part + 1}) {
    reset();
    const uint64_t before = delegate::call(last, parts_seen);
    send_checked(last, 1, length);
    await_received(1);
    const size_t parts = length <= whole ? 0 : (length + part - 1) / part;
    EXPECT_EQ(parts, delegate::call(last, parts_seen) - before) << length << " bytes";
  }
}

TEST(Payload, MayBeNullIfItIsEmpty) {
  reset();
  for (Core dest = 0; dest < cores(); ++dest) send_message(dest, Check{9, 0}, nullptr, 0);
  await_received(cores());
}

TEST(Payload, IsCopiedBeforeTheCallReturns) {
  reset();
  for (uint32_t k = 0; k < 200; ++k) {
    for (Core dest = 0; dest < cores(); ++dest) {
      send_checked(dest, k, 300 * k);
      std::memset(&text[0], 0, text.size());
    }
  }
  await_received(int64_t{200} * cores());
}

TEST(Payload, OfConcurrentSendersIsNotMixed) {
  reset();
  on_all_cores([] {
    forall_here(0, 6, [](int64_t k) {
      // Each task needs its own buffer, because the task may suspend in the send. All callers of
      // write_text share one buffer.
      std::vector<unsigned char> mine;
      for (uint32_t turn = 0; turn < 6; ++turn) {
        const uint32_t seed =
            static_cast<uint32_t>(mycore()) * 100 + static_cast<uint32_t>(k) * 10 + turn;
        const size_t bytes = (seed * 7919) % 300000;
        mine.resize(std::max(bytes, size_t{1}));
        for (size_t at = 0; at < bytes; ++at) mine[at] = byte_of(seed, at);
        for (Core dest = 0; dest < cores(); ++dest) {
          send_message(dest, Check{seed, bytes}, mine.data(), bytes);
        }
      }
    });
  });
  await_received(int64_t{36} * cores() * cores());
}

TEST(Payload, MayBeSentByHandlers) {
  reset();
  const size_t whole = longest_whole<Check>();
  on_all_cores([whole] {
    for (uint32_t k = 0; k < 12; ++k) {
      const size_t lengths[] = {0, 5000, whole, whole + 1, 200000, 1 << 20};
      const size_t bytes = lengths[k % 6];
      send_message(static_cast<Core>((mycore() + 1) % cores()), [k, bytes] {
        send_checked(static_cast<Core>((mycore() + static_cast<int>(k)) % cores()), k, bytes);
      });
    }
  });
  await_received(int64_t{12} * cores());
}

TEST(Payload, KeepsItsOrderAmongOtherMessages) {
  reset();
  struct Odd {
    unsigned char bytes[13];
    void operator()() const {
      for (size_t k = 0; k < sizeof bytes; ++k) EXPECT_EQ(byte_of(3, k), bytes[k]);
      ++received;
    }
  };
  on_all_cores([] {
    Odd odd;
    for (size_t k = 0; k < sizeof odd.bytes; ++k) odd.bytes[k] = byte_of(3, k);
    for (uint32_t k = 0; k < 1000; ++k) {
      const Core dest = static_cast<Core>((mycore() + static_cast<int>(k)) % cores());
      send_message(dest, odd);
      send_checked(dest, k, k % 97);
      send_message(dest, [] { ++received; });
    }
  });
  await_received(int64_t{3000} * cores());
}

/// Message `number` from core `from`. Checks that the numbers of each sender arrive in order.
struct InOrder {
  Core from;
  int64_t number;
  void operator()(void* payload, size_t bytes) const {
    EXPECT_EQ(last_from[static_cast<size_t>(from)] + 1, number);
    last_from[static_cast<size_t>(from)] = number;
    for (size_t k = 0; k < bytes; k += 61) {
      EXPECT_EQ(static_cast<unsigned char>(number), static_cast<unsigned char*>(payload)[k]);
    }
    ++received;
  }
};

void send_in_order(int64_t each, size_t least, size_t most) {
  reset();
  on_all_cores([=] {
    for (int64_t k = 0; k < each; ++k) {
      const size_t bytes = least + static_cast<size_t>(k * 7919) % (most - least);
      text.assign(bytes, static_cast<unsigned char>(k));
      for (Core dest = 0; dest < cores(); ++dest) {
        send_message(dest, InOrder{mycore(), k}, text.data(), bytes);
      }
    }
  });
  await_received(each * cores() * cores());
}

TEST(Payload, OfOneSenderArrivesInOrder) { send_in_order(3000, 0, 700); }

TEST(Payload, InPartsArrivesInOrder) {
  const size_t whole = longest_whole<InOrder>();
  send_in_order(20, whole + 1, 4 * whole);
}

TEST(Payload, WholeAndInPartsArriveInOrder) {
  const size_t whole = longest_whole<InOrder>();
  send_in_order(50, 0, 2 * whole);
}

/// A body that passes its payload from core to core, `left` times. On each core, the body appends
/// one byte to the payload and starts a task.
struct Traveller {
  int left;
  void operator()(void* payload, size_t bytes) const {
    const unsigned char* from = static_cast<unsigned char*>(payload);
    std::vector<unsigned char> longer(from, from + bytes);
    for (size_t k = 0; k < bytes; ++k) EXPECT_EQ(k % 256, longer[k]);
    longer.push_back(static_cast<unsigned char>(bytes));
    const size_t seen = bytes;
    spawn([seen] {
      yield();
      started += static_cast<int64_t>(seen);
    });
    ++received;
    if (left == 0) return;
    send_message(static_cast<Core>((mycore() + 1) % cores()), Traveller{left - 1}, longer.data(),
                 longer.size());
  }
};

TEST(Payload, BodiesMaySendAndSpawn) {
  reset();
  on_all_cores([] {
    for (int k = 0; k < 20; ++k) send_message(mycore(), Traveller{99}, nullptr, 0);
  });
  await_received(int64_t{20} * 100 * cores());
  const int64_t steps = int64_t{20} * cores() * (99 * 100 / 2);
  while (sum_all_cores([] { return started; }) < steps) yield();
  EXPECT_EQ(steps, sum_all_cores([] { return started; }));
}

TEST(Payload, InPartsStaysValidWhileTheBodySuspends) {
  reset();
  struct Patient {
    Check check;
    void operator()(void* payload, size_t bytes) const {
      for (int turns = 0; turns < 10; ++turns) yield();
      delegate::call(static_cast<Core>((mycore() + 1) % cores()), [] {});
      check(payload, bytes);
    }
  };
  const size_t bytes = 2 * longest_whole<Patient>();
  on_all_cores([bytes] {
    for (uint32_t k = 0; k < 20; ++k) {
      const Core dest = static_cast<Core>((mycore() + 1) % cores());
      const unsigned char* bytes_of_k = write_text(k, bytes);
      send_message(dest, Patient{Check{k, bytes}}, bytes_of_k, bytes);
    }
  });
  await_received(int64_t{20} * cores());
}

TEST(Payload, IsAlsoSentByTheOldName) {
  received = 0;
  send_heap_message(mycore(), Check{5, 300}, write_text(5, 300), 300);
  while (received == 0) yield();
  EXPECT_EQ(1, received);
}

}  // namespace
