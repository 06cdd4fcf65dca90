#include "system/message/outbox.hpp"

#include "system/base/units.hpp"
#include "system/message/options.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using namespace Grappa;

constexpr size_t kPayloadBytes = 16 * KiB - sizeof(Buffer);

alignas(64) char memory[16 * KiB];

void no_handler(RunCursor*) {}

RunType type(uint32_t number, uint32_t stride) {
  return RunType{number, stride, no_handler, Acknowledged::Never};
}

/// A buffer of its own and what appending means: room if there is some, else make_room.
class OutboxTest : public testing::Test {
 protected:
  OutboxTest() {
    outbox.resize(64);
    outbox.open_buffer(reinterpret_cast<Buffer*>(memory), kPayloadBytes, 0);
  }

  /// Appends `stride` bytes that hold `value`; false if the buffer is full.
  bool append(const RunType& run_type, uint64_t scope, char value) {
    OpenRun& run = outbox.run(run_type.closure_type);
    if (run.room() < run_type.stride_bytes || run.scope != scope) {
      if (!outbox.make_room(run_type, scope)) return false;
    }
    std::memset(run.cursor, value, run_type.stride_bytes);
    run.cursor += run_type.stride_bytes;
    return true;
  }

  struct Run {
    uint32_t stride;
    uint64_t scope;
    std::vector<char> values;
  };

  /// Walks the closed buffer as a receiver does.
  std::vector<Run> close_and_walk() {
    Buffer* buffer = outbox.close_buffer();
    EXPECT_LE(buffer->used_bytes, kPayloadBytes);
    std::vector<Run> runs;
    uint32_t offset = 0;
    while (offset < buffer->used_bytes) {
      EXPECT_EQ(0u, offset % kRunAlignment);
      RunHeader* header = reinterpret_cast<RunHeader*>(buffer->runs() + offset);
      Run run = {header->stride_bytes, header->scope, {}};
      for (uint32_t k = 0; k < header->count; ++k) {
        const char* payload = header->payloads() + k * header->stride_bytes;
        for (uint32_t byte = 1; byte < header->stride_bytes; ++byte) {
          EXPECT_EQ(payload[0], payload[byte]);
        }
        run.values.push_back(payload[0]);
      }
      runs.push_back(run);
      EXPECT_GE(header->span_bytes, sizeof(RunHeader) + header->count * header->stride_bytes);
      offset += header->span_bytes;
    }
    EXPECT_EQ(offset, buffer->used_bytes);
    return runs;
  }

  Outbox outbox;
};

TEST_F(OutboxTest, PacksEqualClosuresIntoOneRun) {
  const int count = static_cast<int>((kPayloadBytes - sizeof(RunHeader)) / 16);
  for (int k = 0; k < count; ++k) ASSERT_TRUE(append(type(1, 16), 0, static_cast<char>(k)));
  EXPECT_FALSE(append(type(1, 16), 0, 0)) << "the buffer is full";
  const std::vector<Run> runs = close_and_walk();
  ASSERT_EQ(1u, runs.size());
  ASSERT_EQ(static_cast<size_t>(count), runs[0].values.size());
  for (int k = 0; k < count; ++k) EXPECT_EQ(static_cast<char>(k), runs[0].values[size_t(k)]);
}

TEST_F(OutboxTest, KeepsARunOpenForEachOfTwoAlternatingTypes) {
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(append(type(1, 16), 0, static_cast<char>(k)));
    ASSERT_TRUE(append(type(2, 8), 0, static_cast<char>(k)));
  }
  // Chunks of 256, 512, 1024, 2048 bytes hold 3.2 KB of payload; one run a chunk, not one a
  // message.
  EXPECT_LE(close_and_walk().size(), 8u);
}

TEST_F(OutboxTest, StartsANewRunForAnotherScope) {
  ASSERT_TRUE(append(type(1, 8), 7, 'a'));
  ASSERT_TRUE(append(type(1, 8), 8, 'b'));
  ASSERT_TRUE(append(type(1, 8), 8, 'c'));
  const std::vector<Run> runs = close_and_walk();
  ASSERT_EQ(2u, runs.size());
  EXPECT_EQ(7u, runs[0].scope);
  EXPECT_EQ(8u, runs[1].scope);
  EXPECT_EQ((std::vector<char>{'b', 'c'}), runs[1].values);
}

TEST_F(OutboxTest, GivesBackWhatTheLastRunDoesNotNeed) {
  ASSERT_TRUE(append(type(1, 8), 0, 'a'));
  Buffer* buffer = outbox.close_buffer();
  EXPECT_EQ(sizeof(RunHeader) + 16, buffer->used_bytes) << "8 bytes, rounded up to kRunAlignment";
}

TEST_F(OutboxTest, TakesTheLargestClosureIntoAnEmptyBuffer) {
  ASSERT_TRUE(append(type(1, kMaxClosureBytes), 0, 'x'));
  EXPECT_EQ(1u, close_and_walk().size());
}

TEST_F(OutboxTest, CanBeFilledAgainAfterClosing) {
  ASSERT_TRUE(append(type(1, 8), 0, 'a'));
  Buffer* buffer = outbox.close_buffer();
  outbox.open_buffer(buffer, kPayloadBytes, 0);
  ASSERT_TRUE(append(type(1, 8), 0, 'b'));
  const std::vector<Run> runs = close_and_walk();
  ASSERT_EQ(1u, runs.size());
  EXPECT_EQ((std::vector<char>{'b'}), runs[0].values);
}

TEST_F(OutboxTest, LosesNothingOfARandomMixture) {
  const unsigned seed = 20130901;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const uint32_t strides[] = {1, 8, 12, 16, 24, 40, 1000};
  std::vector<std::vector<char>> sent(7);
  for (;;) {
    const uint32_t t = random() % 7;
    const char value = static_cast<char>(random());
    if (!append(type(t + 1, strides[t]), random() % 2, value)) break;
    sent[t].push_back(value);
  }
  std::vector<std::vector<char>> received(7);
  for (const Run& run : close_and_walk()) {
    size_t t = 0;
    while (strides[t] != run.stride) ++t;
    received[t].insert(received[t].end(), run.values.begin(), run.values.end());
  }
  EXPECT_EQ(sent, received) << "of one type also in the order sent";
}

}  // namespace
