#include "system/net/mpi.hpp"

#include "system/base/mapping.hpp"
#include "tests/harness/in_step.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include <sched.h>

namespace Grappa {

using namespace detail;

namespace {

const size_t kBufferBytes = 32 * KiB;  // larger than the eager limit of MPI for shared memory

/// A fixture with a link and with buffers to send. The parameter is the number of posted receives.
/// Each core sends to the next core.
class MpiLinkOf : public testing::TestWithParam<int> {
 protected:
  MpiLinkOf()
      : memory_(static_cast<char*>(map_private(kBuffers * kBufferBytes))),
        link_(kBufferBytes, GetParam()) {}

  ~MpiLinkOf() {
    take_back(kBuffers);
    detail::world().barrier();
    unmap(memory_, kBuffers * kBufferBytes);
  }

  Core next() const { return static_cast<Core>((mycore() + 1) % cores()); }
  Core previous() const { return static_cast<Core>((mycore() + cores() - 1) % cores()); }

  /// Fills buffer k with its number, the sender, and `used_bytes` equal bytes.
  Buffer* fill(size_t k, size_t used_bytes, char byte) {
    Buffer* buffer = reinterpret_cast<Buffer*>(memory_ + k * kBufferBytes);
    buffer->used_bytes = static_cast<uint32_t>(used_bytes);
    buffer->index = static_cast<uint32_t>(k);
    buffer->source = buffer->owner = mycore();
    buffer->origin = BufferOrigin::Pool;
    for (size_t at = 0; at < used_bytes; ++at) buffer->runs()[at] = byte;
    return buffer;
  }

  void send(Buffer* buffer) {
    link_.try_send(next(), buffer);
    ++on_their_way_;
  }

  Buffer* wait_for_buffer() {
    Buffer* buffer = link_.receive();
    while (buffer == nullptr) {
      take_back(0);
      ::sched_yield();
      buffer = link_.receive();
    }
    return buffer;
  }

  /// Collects the buffers whose sends have completed. If `all` is not 0, waits for all sends.
  void take_back(size_t all) {
    do {
      while (Buffer* buffer = link_.completed()) {
        sent_.insert(buffer->index);
        --on_their_way_;
      }
      if (all != 0 && on_their_way_ != 0) ::sched_yield();
    } while (all != 0 && on_their_way_ != 0);
  }

  static const size_t kBuffers = 40;
  char* memory_;
  MpiLink link_;
  size_t on_their_way_ = 0;
  std::multiset<uint32_t> sent_;  // indices of the buffers returned by completed()
};

TEST_P(MpiLinkOf, IsInitiallyEmpty) {
  EXPECT_EQ(link_.receive(), nullptr);
  EXPECT_EQ(link_.completed(), nullptr);
  EXPECT_FALSE(link_.sending());
}

TEST_P(MpiLinkOf, CarriesHeaderAndUsedBytes) {
  send(fill(0, kBufferBytes - sizeof(Buffer), 7));
  Buffer* buffer = wait_for_buffer();
  EXPECT_EQ(buffer->source, previous());
  EXPECT_EQ(buffer->used_bytes, kBufferBytes - sizeof(Buffer));
  int wrong = 0;
  for (size_t at = 0; at < buffer->used_bytes; ++at) wrong += buffer->runs()[at] != 7;
  EXPECT_EQ(wrong, 0);
  link_.give_back(buffer);
}

TEST_P(MpiLinkOf, CarriesAnEmptyBuffer) {
  send(fill(0, 0, 0));
  Buffer* buffer = wait_for_buffer();
  EXPECT_EQ(buffer->used_bytes, 0u);
  EXPECT_EQ(buffer->source, previous());
  link_.give_back(buffer);
}

TEST_P(MpiLinkOf, MarksReceivedBuffers) {
  send(fill(0, 8, 1));
  Buffer* buffer = wait_for_buffer();
  EXPECT_EQ(buffer->origin, BufferOrigin::Received);
  link_.give_back(buffer);
}

TEST_P(MpiLinkOf, KeepsTheOrderOfSmallAndLargeBuffers) {
  for (size_t k = 0; k < kBuffers; ++k) send(fill(k, k % 3 == 0 ? 30000 : 8, 1));
  for (uint32_t k = 0; k < kBuffers; ++k) {
    Buffer* buffer = wait_for_buffer();
    EXPECT_EQ(buffer->index, k);
    link_.give_back(buffer);
  }
}

TEST_P(MpiLinkOf, ReturnsEachSentBufferOnce) {
  for (size_t k = 0; k < kBuffers; ++k) send(fill(k, 30000, 1));
  for (size_t k = 0; k < kBuffers; ++k) link_.give_back(wait_for_buffer());
  take_back(kBuffers);
  EXPECT_FALSE(link_.sending());
  EXPECT_EQ(link_.completed(), nullptr);
  EXPECT_EQ(sent_.size(), kBuffers + 0);
  EXPECT_EQ(std::set<uint32_t>(sent_.begin(), sent_.end()).size(), kBuffers + 0);
}

TEST_P(MpiLinkOf, DoesNotOverwriteAHeldBuffer) {
  send(fill(0, 8, 1));
  Buffer* held = wait_for_buffer();
  const bool others_posted = GetParam() > 1;
  if (others_posted) {
    send(fill(1, 8, 2));
    Buffer* second = wait_for_buffer();
    EXPECT_NE(second, held);
    EXPECT_EQ(second->runs()[0], 2);
    link_.give_back(second);
  }
  EXPECT_EQ(held->runs()[0], 1);
  link_.give_back(held);
}

INSTANTIATE_TEST_SUITE_P(PostedReceives, MpiLinkOf, testing::Values(1, 2, 16));

}  // namespace
}  // namespace Grappa
