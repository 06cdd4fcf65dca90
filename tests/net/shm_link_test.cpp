#include "system/net/shm_link.hpp"

#include "tests/harness/in_step.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

#include <sched.h>

namespace Grappa {

using namespace detail;

namespace {

const uint32_t kOwned = 4;

/// A fixture with a link. Each core has a pool of kOwned buffers. The parameter is the number of
/// cores per locale.
class ShmLinkOf : public testing::TestWithParam<int> {
 protected:
  ShmLinkOf() { detail::the_topology = detail::world().discover_topology(GetParam()); }

  ~ShmLinkOf() {
    detail::world().barrier();
    link_.reset();
    detail::the_topology = detail::world().discover_topology(0);
  }

  void SetUp() override {
    if (!can_pretend(GetParam())) GTEST_SKIP() << "locales are pretended only in the MPI world";
  }

  void make_link(uint32_t inbound_entries) {
    const ShmLayout layout = {locale_cores(), kOwned, 4096, inbound_entries, kOwned};
    link_.reset(new ShmLink(layout));
    for (uint32_t index = 0; index < kOwned; ++index) {
      Buffer* buffer = link_->own_buffer(index);
      buffer->index = index;
      buffer->owner = buffer->source = mycore();
      buffer->used_bytes = 0;
    }
  }

  bool has_peer() const { return locale_cores() > 1; }
  size_t next_peer() const { return static_cast<size_t>((locale_mycore() + 1) % locale_cores()); }
  Core previous_core() const {
    const int place = (locale_mycore() + locale_cores() - 1) % locale_cores();
    return topology().locale_members[static_cast<size_t>(place)];
  }

  Buffer* wait_for_buffer() {
    Buffer* buffer = link_->receive();
    while (buffer == nullptr) {
      ::sched_yield();
      buffer = link_->receive();
    }
    return buffer;
  }

  Buffer* wait_for_own() {
    Buffer* buffer = link_->completed();
    while (buffer == nullptr) {
      ::sched_yield();
      buffer = link_->completed();
    }
    return buffer;
  }

  std::unique_ptr<ShmLink> link_;
};

TEST_P(ShmLinkOf, ReceivesNothingInitially) {
  make_link(kOwned);
  EXPECT_EQ(link_->receive(), nullptr);
  EXPECT_EQ(link_->completed(), nullptr);
}

TEST_P(ShmLinkOf, DeliversInTheOrderOfTheSends) {
  make_link(kOwned);
  if (!has_peer()) return;
  for (uint32_t index = 0; index < kOwned; ++index) {
    EXPECT_TRUE(link_->try_send(next_peer(), link_->own_buffer(index)));
  }
  for (uint32_t index = 0; index < kOwned; ++index) {
    const Buffer* buffer = wait_for_buffer();
    EXPECT_EQ(buffer->source, previous_core());
    EXPECT_EQ(buffer->index, index);
  }
  EXPECT_EQ(link_->receive(), nullptr);
}

TEST_P(ShmLinkOf, TheReceiverUsesTheSendersMemory) {
  make_link(kOwned);
  if (!has_peer()) return;
  link_->own_buffer(2)->runs()[0] = 1;
  link_->try_send(next_peer(), link_->own_buffer(2));
  Buffer* buffer = wait_for_buffer();
  EXPECT_EQ(buffer->runs()[0], 1);
  buffer->runs()[0] = 2;
  link_->give_back(buffer);
  const Buffer* own = wait_for_own();
  EXPECT_EQ(own, link_->own_buffer(2));
  EXPECT_EQ(own->runs()[0], 2);
}

TEST_P(ShmLinkOf, RejectsASendToAFullRing) {
  make_link(2);
  if (has_peer()) {
    EXPECT_TRUE(link_->try_send(next_peer(), link_->own_buffer(0)));
    EXPECT_TRUE(link_->try_send(next_peer(), link_->own_buffer(1)));
    EXPECT_FALSE(link_->try_send(next_peer(), link_->own_buffer(2)));
  }
  detail::world().barrier();  // all rings are full
  if (has_peer()) wait_for_buffer();
  detail::world().barrier();  // each core has taken one buffer
  if (!has_peer()) return;
  EXPECT_TRUE(link_->try_send(next_peer(), link_->own_buffer(2)));
}

TEST_P(ShmLinkOf, BuffersAreReturnedInAnyOrder) {
  make_link(kOwned);
  if (!has_peer()) return;
  for (uint32_t index = 0; index < kOwned; ++index) {
    link_->try_send(next_peer(), link_->own_buffer(index));
  }
  std::vector<Buffer*> held;
  for (uint32_t k = 0; k < kOwned; ++k) held.push_back(wait_for_buffer());
  for (const int k : {2, 0, 3, 1}) link_->give_back(held[static_cast<size_t>(k)]);
  for (const uint32_t index : {2u, 0u, 3u, 1u}) {
    EXPECT_EQ(wait_for_own(), link_->own_buffer(index));
  }
  EXPECT_EQ(link_->completed(), nullptr);
}

TEST_P(ShmLinkOf, ReceivesFromPeersInTurn) {
  make_link(kOwned);
  const size_t peers = static_cast<size_t>(locale_cores()) - 1;
  uint32_t index = 0;
  for (size_t turn = 0; turn < 2 && has_peer(); ++turn) {
    if (index + peers > kOwned) break;
    for (size_t k = 1; k <= peers; ++k) {
      const size_t peer = (static_cast<size_t>(locale_mycore()) + k) % (peers + 1);
      EXPECT_TRUE(link_->try_send(peer, link_->own_buffer(index++)));
    }
  }
  detail::world().barrier();
  std::set<Core> sources;
  for (size_t k = 0; k < peers; ++k) sources.insert(link_->receive()->source);
  EXPECT_EQ(sources.size(), peers);
}

INSTANTIATE_TEST_SUITE_P(CoresPerLocale, ShmLinkOf, testing::Values(0, 1, 2));

}  // namespace
}  // namespace Grappa
