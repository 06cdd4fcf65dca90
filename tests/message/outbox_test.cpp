#include "system/message/aggregator.hpp"

#include "system/base/units.hpp"
#include "system/message/options.hpp"
#include "system/message/wire.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr size_t kPayloadBytes = 16 * KiB - sizeof(Buffer);

constexpr Core kReceiver = 0;

alignas(64) char memory[16 * KiB];

void no_handler(RunCursor*) {}

/// A fixture with seven closure types of different strides.
class OutboxTest : public testing::Test {
 protected:
  OutboxTest() : outbox({kReceiver, Hop::ToDestination}) {
    detail::the_known_topology = &detail::the_topology;
    outbox.open_buffer(reinterpret_cast<Buffer*>(memory), kPayloadBytes, 0);
    one.wire_id = 7;
    another.wire_id = 8;
    one.drained = another.drained = [](TaskScope*) { FAIL() << "scope with messages drained"; };
  }

  MessageType& type(uint16_t stride) {
    std::unique_ptr<Type>& entry = types_[stride];
    if (entry == nullptr) {
      entry.reset(
          new Type{{}, {no_handler, stride, Acknowledged::ByRun, MayWait::InTasks, nullptr, 2}});
      entry->type.runs = entry->runs;
    }
    return entry->type;
  }

  /// Appends a message that contains `value`. Returns false if the buffer is full.
  bool append(MessageType& of_type, TaskScope* scope, char value, Core dest = kReceiver) {
    char* place = outbox.append(of_type, dest, scope, of_type.stride_bytes);
    if (place == nullptr) return false;
    std::memset(place, value, of_type.stride_bytes);
    return true;
  }

  struct Run {
    uint32_t stride;
    uint64_t scope;
    Core dest;
    std::vector<char> values;
  };

  /// Closes the buffer and reads its runs in the same way as a receiver.
  std::vector<Run> close_and_walk() {
    const Buffer* buffer = outbox.close_buffer();
    EXPECT_LE(buffer->used_bytes, kPayloadBytes);
    std::vector<Run> runs;
    uint32_t offset = 0;
    while (offset < buffer->used_bytes) {
      EXPECT_EQ(0u, offset % kRunAlignment);
      const RunHeader* header = reinterpret_cast<const RunHeader*>(buffer->runs() + offset);
      Run run = {header->stride_bytes, header->scope, header->dest, {}};
      EXPECT_EQ(0u, header->payload_bytes % header->stride_bytes);
      for (uint32_t at = 0; at < header->payload_bytes; at += header->stride_bytes) {
        const char* payload = header->payloads() + at;
        for (uint32_t byte = 1; byte < header->stride_bytes; ++byte) {
          EXPECT_EQ(payload[0], payload[byte]);
        }
        run.values.push_back(payload[0]);
      }
      runs.push_back(run);
      EXPECT_GE(header->span_bytes, sizeof(RunHeader) + header->payload_bytes);
      offset += header->span_bytes;
    }
    EXPECT_EQ(offset, buffer->used_bytes);
    return runs;
  }

  Outbox outbox;
  TaskScope one, another;

 private:
  struct Type {
    OpenRun runs[2];
    MessageType type;
  };
  std::map<uint16_t, std::unique_ptr<Type>> types_;
};

TEST_F(OutboxTest, PacksClosuresOfOneTypeIntoOneRun) {
  const int count = static_cast<int>((kPayloadBytes - sizeof(RunHeader)) / 16);
  for (int k = 0; k < count; ++k) ASSERT_TRUE(append(type(16), nullptr, static_cast<char>(k)));
  EXPECT_FALSE(append(type(16), nullptr, 0)) << "the buffer is full";
  const std::vector<Run> runs = close_and_walk();
  ASSERT_EQ(1u, runs.size());
  ASSERT_EQ(static_cast<size_t>(count), runs[0].values.size());
  for (int k = 0; k < count; ++k) EXPECT_EQ(static_cast<char>(k), runs[0].values[size_t(k)]);
}

TEST_F(OutboxTest, KeepsARunOpenForEachOfTwoAlternatingTypes) {
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(append(type(16), nullptr, static_cast<char>(k)));
    ASSERT_TRUE(append(type(8), nullptr, static_cast<char>(k)));
  }
  // The messages of a type have up to 3.2 KB. They fit in four chunks of 256, 512, 1024 and 2048
  // bytes, and each chunk has one run.
  EXPECT_LE(close_and_walk().size(), 8u);
}

TEST_F(OutboxTest, StartsANewRunForAnotherScope) {
  ASSERT_TRUE(append(type(8), &one, 'a'));
  ASSERT_TRUE(append(type(8), &another, 'b'));
  ASSERT_TRUE(append(type(8), &another, 'c'));
  const std::vector<Run> runs = close_and_walk();
  ASSERT_EQ(2u, runs.size());
  EXPECT_EQ(7u, runs[0].scope);
  EXPECT_EQ(8u, runs[1].scope);
  EXPECT_EQ((std::vector<char>{'b', 'c'}), runs[1].values);
}

TEST_F(OutboxTest, FreesTheUnusedPartOfTheLastRun) {
  ASSERT_TRUE(append(type(8), nullptr, 'a'));
  Buffer* buffer = outbox.close_buffer();
  EXPECT_EQ(sizeof(RunHeader) + 16, buffer->used_bytes) << "8 bytes, rounded up to kRunAlignment";
}

alignas(64) char large[64 * KiB];

class SharedOutbox : public OutboxTest {
 protected:
  SharedOutbox() { outbox.close_buffer(); }

  /// The bytes of a buffer that `destinations` share, full of messages of 1 KiB.
  size_t full_bytes(int destinations) {
    outbox.destinations = destinations;
    outbox.open_buffer(reinterpret_cast<Buffer*>(large), sizeof large - sizeof(Buffer), 0);
    while (append(type(1 * KiB), nullptr, 'x', kReceiver)) {}
    return outbox.close_buffer()->used_bytes;
  }
};

TEST_F(SharedOutbox, IsFullWhenItHoldsEnough) {
  EXPECT_GT(full_bytes(1), 62 * KiB);
  for (const int destinations : {2, 16, 32}) {
    const size_t enough = destinations == 32 ? 32 * KiB : 16 * KiB;
    EXPECT_GE(full_bytes(destinations), enough);
    EXPECT_LE(full_bytes(destinations), enough + kRunChunkBytes);
  }
  EXPECT_GT(full_bytes(1000), 62 * KiB);
}

TEST_F(OutboxTest, AcceptsTheLargestClosureInAnEmptyBuffer) {
  ASSERT_TRUE(append(type(kMaxClosureBytes), nullptr, 'x'));
  EXPECT_EQ(1u, close_and_walk().size());
}

TEST_F(OutboxTest, CanBeFilledAgainAfterClosing) {
  ASSERT_TRUE(append(type(8), nullptr, 'a'));
  Buffer* buffer = outbox.close_buffer();
  outbox.open_buffer(buffer, kPayloadBytes, 0);
  ASSERT_TRUE(append(type(8), nullptr, 'b'));
  const std::vector<Run> runs = close_and_walk();
  ASSERT_EQ(1u, runs.size());
  EXPECT_EQ((std::vector<char>{'b'}), runs[0].values);
}

TEST_F(OutboxTest, CountsItsMessagesAsOpenWorkOfTheScope) {
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(append(type(8), &one, 'a'));
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(append(type(16), &one, 'b'));
  ASSERT_TRUE(append(type(8), &another, 'c'));
  EXPECT_GE(one.open, 503) << "an open run counts its whole capacity";
  EXPECT_GE(another.open, 1);
  outbox.close_buffer();
  EXPECT_EQ(503, one.open);
  EXPECT_EQ(1, another.open);
}

TEST_F(OutboxTest, DoesNotCountMessagesCountedElsewhere) {
  MessageType& request = type(8);
  request.acknowledged = Acknowledged::ByAnswer;
  ASSERT_TRUE(append(request, &one, 'a'));
  EXPECT_EQ(0, one.open);
  outbox.close_buffer();
  EXPECT_EQ(0, one.open);
}

TEST_F(OutboxTest, ReportsWhetherItIsLatencyCritical) {
  ASSERT_TRUE(append(type(8), &one, 'a'));
  EXPECT_FALSE(outbox.latency_critical());
  MessageType& answer = type(16);
  answer.acknowledged = Acknowledged::Never;
  answer.may_wait = MayWait::Never;
  ASSERT_TRUE(append(answer, nullptr, 'b'));
  EXPECT_TRUE(outbox.latency_critical());
  Buffer* buffer = outbox.close_buffer();
  outbox.open_buffer(buffer, kPayloadBytes, 0);
  EXPECT_FALSE(outbox.latency_critical());
}

TEST_F(OutboxTest, SeparatesRunsOfTheReceiverAndItsNeighbours) {
  ASSERT_TRUE(append(type(8), &one, 'a'));
  EXPECT_FALSE(outbox.close_buffer()->mixed);
  outbox.open_buffer(reinterpret_cast<Buffer*>(memory), kPayloadBytes, 0);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(append(type(8), &one, 'a'));
    ASSERT_TRUE(append(type(8), &one, 'b', 1));
  }
  const std::vector<Run> runs = close_and_walk();
  EXPECT_TRUE(reinterpret_cast<Buffer*>(memory)->mixed);
  for (const Run& run : runs) {
    for (const char value : run.values) EXPECT_EQ(run.dest == 0 ? 'a' : 'b', value);
  }
  outbox.open_buffer(reinterpret_cast<Buffer*>(memory), kPayloadBytes, 0);
  ASSERT_TRUE(append(type(8), &one, 'a'));
  EXPECT_FALSE(outbox.close_buffer()->mixed) << "the next buffer begins unmixed";
}

TEST_F(OutboxTest, CopiesClosedRunsUnchanged) {
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(append(type(12), &one, static_cast<char>(k)));
  Buffer* first = outbox.close_buffer();
  alignas(64) static char second[16 * KiB];
  Outbox relay({kReceiver, Hop::ToDestination});
  relay.open_buffer(reinterpret_cast<Buffer*>(second), kPayloadBytes, 0);
  const RunHeader& run = *reinterpret_cast<const RunHeader*>(first->runs());
  const int64_t open = one.open;
  int copies = 0;
  while (relay.append_run(run)) ++copies;
  EXPECT_EQ(kPayloadBytes / run.span_bytes, static_cast<size_t>(copies));
  Buffer* buffer = relay.close_buffer();
  EXPECT_EQ(open, one.open);
  for (int k = 0; k < copies; ++k) {
    const auto* copy = reinterpret_cast<const RunHeader*>(
        buffer->runs() + static_cast<uint32_t>(k) * run.span_bytes);
    EXPECT_EQ(0, std::memcmp(copy, &run, sizeof run + run.payload_bytes));
  }
}

TEST_F(OutboxTest, CopiesARunWithoutItsUnusedPart) {
  ASSERT_TRUE(append(type(12), &one, 'a'));
  ASSERT_TRUE(append(type(8), &one, 'b'));
  const RunHeader& run = *reinterpret_cast<const RunHeader*>(outbox.close_buffer()->runs());
  EXPECT_LT(sizeof run + 16, run.span_bytes) << "the next run was open, too";
  alignas(64) static char second[16 * KiB];
  Outbox relay({kReceiver, Hop::ToDestination});
  relay.open_buffer(reinterpret_cast<Buffer*>(second), kPayloadBytes, 0);
  ASSERT_TRUE(relay.append_run(run));
  Buffer* buffer = relay.close_buffer();
  EXPECT_EQ(sizeof run + 16, buffer->used_bytes) << "12 bytes, rounded up to kRunAlignment";
  EXPECT_EQ(buffer->used_bytes, reinterpret_cast<const RunHeader*>(buffer->runs())->span_bytes);
}

TEST_F(OutboxTest, IsLatencyCriticalIfARelayedRunIs) {
  MessageType& request = type(16);
  request.acknowledged = Acknowledged::ByAnswer;
  for (MessageType* const sent : {&type(8), &request}) {
    ASSERT_TRUE(append(*sent, &one, 'a'));
    Buffer* const first = outbox.close_buffer();
    alignas(64) static char second[16 * KiB];
    Outbox relay({kReceiver, Hop::ToDestination});
    relay.open_buffer(reinterpret_cast<Buffer*>(second), kPayloadBytes, 0);
    ASSERT_TRUE(relay.append_run(*reinterpret_cast<const RunHeader*>(first->runs())));
    EXPECT_EQ(sent == &request, relay.latency_critical());
    outbox.open_buffer(reinterpret_cast<Buffer*>(memory), kPayloadBytes, 0);
  }
}

TEST_F(OutboxTest, LosesNoMessageOfARandomMixture) {
  const unsigned seed = 20130901;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const uint16_t strides[] = {1, 8, 12, 16, 24, 40, 1000};
  std::vector<std::vector<char>> sent(7);
  for (;;) {
    const uint32_t t = random() % 7;
    const char value = static_cast<char>(random());
    if (!append(type(strides[t]), random() % 2 == 0 ? &one : nullptr, value)) break;
    sent[t].push_back(value);
  }
  std::vector<std::vector<char>> received(7);
  for (const Run& run : close_and_walk()) {
    size_t t = 0;
    while (strides[t] != run.stride) ++t;
    received[t].insert(received[t].end(), run.values.begin(), run.values.end());
  }
  EXPECT_EQ(sent, received) << "messages of one type also arrive in order";
}

}  // namespace
