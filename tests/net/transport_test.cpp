#include "system/net/transport.hpp"

#include "system/observe/counters.hpp"
#include "tests/harness/in_step.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <sched.h>

namespace Grappa {

using namespace detail;

namespace {

/// The contents of a buffer in these tests.
struct Letter {
  Core from;
  Core to;
  uint32_t number;  // for each pair of cores, the numbers begin with 0
};

Letter& letter(Buffer* buffer) { return *reinterpret_cast<Letter*>(buffer->runs()); }

struct Way {
  const char* name;
  int buffers_per_core;
  int ring_entries;
  int posted_receives;
  int cores_per_locale;
};

std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }

uint64_t counter(const std::string& name) {
  for (const Counter* it = Counter::first(); it != nullptr; it = it->next()) {
    if (it->name() == name) return it->value();
  }
  ADD_FAILURE() << "unknown counter " << name;
  return 0;
}

class TransportBy : public testing::TestWithParam<Way> {
 protected:
  TransportBy() {
    detail::the_topology = detail::world().discover_topology(GetParam().cores_per_locale);
    NetOptions options;
    options.buffer_bytes = 4 * KiB;
    options.buffers_per_core = GetParam().buffers_per_core;
    options.ring_entries = GetParam().ring_entries;
    options.posted_receives = GetParam().posted_receives;
    options.cores_per_locale = GetParam().cores_per_locale;
    transport_.reset(new Transport(options));
  }

  void SetUp() override {
    if (!can_pretend(GetParam().cores_per_locale))
      GTEST_SKIP() << "locales are pretended only in the MPI world";
  }

  ~TransportBy() {
    wait_until_all_are_free();
    detail::world().barrier();
    transport_.reset();
    detail::the_topology = detail::world().discover_topology(0);
  }

  size_t owned_buffers() const { return static_cast<size_t>(GetParam().buffers_per_core); }
  Core next() const { return static_cast<Core>((mycore() + 1) % cores()); }
  Core previous() const { return static_cast<Core>((mycore() + cores() - 1) % cores()); }
  bool shares_memory(Core core) const { return locale_of(core) == mylocale(); }

  Buffer* wait_for_free() {
    Buffer* buffer = transport_->acquire();
    while (buffer == nullptr) {
      ::sched_yield();
      buffer = transport_->acquire();
    }
    return buffer;
  }

  Buffer* wait_for_received() {
    Buffer* buffer = transport_->receive();
    while (buffer == nullptr) {
      transport_->progress();
      ::sched_yield();
      buffer = transport_->receive();
    }
    return buffer;
  }

  void wait_until_all_are_free() {
    while (transport_->available() < owned_buffers() || transport_->sending()) {
      transport_->progress();
      ::sched_yield();
    }
  }

  void write(Core to, uint32_t number, Buffer* buffer) {
    buffer->used_bytes = sizeof(Letter);
    letter(buffer) = Letter{mycore(), to, number};
  }

  void send(Core to, uint32_t number) {
    Buffer* buffer = wait_for_free();
    write(to, number, buffer);
    transport_->send(to, buffer);
  }

  std::unique_ptr<Transport> transport_;
};

TEST_P(TransportBy, AllBuffersAreInitiallyFree) {
  EXPECT_EQ(transport_->available(), owned_buffers());
  EXPECT_EQ(transport_->receive(), nullptr);
  EXPECT_FALSE(transport_->sending());
}

TEST_P(TransportBy, HasNoMoreBuffersThanItOwns) {
  std::vector<Buffer*> mine;
  for (size_t k = 0; k < owned_buffers(); ++k) mine.push_back(transport_->acquire());
  EXPECT_EQ(std::count(mine.begin(), mine.end(), nullptr), 0);
  EXPECT_EQ(transport_->acquire(), nullptr);
  EXPECT_EQ(transport_->acquire_for_relay(), nullptr) << "no buffer is reserved";
  EXPECT_EQ(transport_->available(), 0u);
  std::sort(mine.begin(), mine.end());
  for (size_t k = 1; k < owned_buffers(); ++k) {
    EXPECT_GE(reinterpret_cast<char*>(mine[k]) - reinterpret_cast<char*>(mine[k - 1]),
              static_cast<ptrdiff_t>(transport_->buffer_bytes()));
  }
  for (Buffer* buffer : mine) {
    std::memset(buffer->runs(), 1, transport_->payload_bytes());
    transport_->release(buffer);
  }
  EXPECT_EQ(transport_->available(), owned_buffers());
}

TEST_P(TransportBy, DeliversSelfSendsInPlaceAndInOrder) {
  std::vector<Buffer*> sent;
  for (uint32_t k = 0; k < owned_buffers(); ++k) {
    sent.push_back(transport_->acquire());
    write(mycore(), k, sent.back());
    transport_->send(mycore(), sent.back());
  }
  for (uint32_t k = 0; k < owned_buffers(); ++k) {
    Buffer* buffer = transport_->receive();
    EXPECT_EQ(buffer, sent[k]);
    EXPECT_EQ(letter(buffer).number, k);
    transport_->release(buffer);
  }
  EXPECT_EQ(transport_->receive(), nullptr);
  EXPECT_EQ(transport_->available(), owned_buffers());
}

TEST_P(TransportBy, ReportsTheSourceOfABuffer) {
  send(next(), 0);
  Buffer* buffer = wait_for_received();
  EXPECT_EQ(buffer->source, previous());
  transport_->release(buffer);
}

TEST_P(TransportBy, CarriesAFullBuffer) {
  Buffer* mine = wait_for_free();
  const size_t bytes = transport_->payload_bytes();
  mine->used_bytes = static_cast<uint32_t>(bytes);
  std::memset(mine->runs(), 'a' + mycore(), bytes);
  transport_->send(next(), mine);
  Buffer* buffer = wait_for_received();
  EXPECT_EQ(buffer->used_bytes, bytes);
  EXPECT_EQ(std::count(buffer->runs(), buffer->runs() + bytes, 'a' + previous()),
            static_cast<ptrdiff_t>(bytes));
  transport_->release(buffer);
}

TEST_P(TransportBy, TheReceiverUsesTheSendersMemoryIfShared) {
  std::vector<Buffer*> others;  // all free buffers except the sent buffer
  while (transport_->available() > 1) others.push_back(transport_->acquire());
  send(next(), 1);
  Buffer* received = wait_for_received();
  EXPECT_EQ(letter(received).number, 1u);
  letter(received).number = 2;
  transport_->release(received);
  Buffer* mine = wait_for_free();
  EXPECT_EQ(letter(mine).to, next());
  EXPECT_EQ(letter(mine).number, shares_memory(next()) ? 2u : 1u);
  transport_->release(mine);
  for (Buffer* buffer : others) transport_->release(buffer);
}

TEST_P(TransportBy, ABufferIsUnavailableUntilTheReceiverReleasesIt) {
  send(next(), 0);
  Buffer* held = wait_for_received();
  detail::world().barrier();
  transport_->progress();
  // If the cores do not share memory, MPI copies the buffer, so the buffer may be free earlier.
  if (shares_memory(next())) {
    EXPECT_EQ(transport_->available(), owned_buffers() - 1);
  }
  detail::world().barrier();
  transport_->release(held);
  detail::world().barrier();
  if (shares_memory(next())) {
    transport_->progress();
    EXPECT_EQ(transport_->available(), owned_buffers());
  }
}

TEST_P(TransportBy, QueuesBuffersWhenTheRingIsFull) {
  if (cores() == 1 || locales() != 1) return;
  const uint64_t waited_before = counter("net.ring_full");
  for (uint32_t k = 0; k < owned_buffers(); ++k) send(next(), k);
  const bool overflows = GetParam().ring_entries < GetParam().buffers_per_core;
  EXPECT_EQ(transport_->sending(), overflows);
  EXPECT_EQ(counter("net.ring_full") > waited_before, overflows);
  detail::world().barrier();
  for (uint32_t k = 0; k < owned_buffers(); ++k) {
    Buffer* buffer = wait_for_received();
    EXPECT_EQ(letter(buffer).number, k);
    transport_->release(buffer);
  }
  wait_until_all_are_free();
  EXPECT_FALSE(transport_->sending());
}

TEST_P(TransportBy, CountsTheBuffersOfEachLink) {
  const uint64_t by_memory = counter("net.buffers_by_shared_memory");
  const uint64_t by_mpi = counter("net.buffers_by_mpi");
  for (uint32_t k = 0; k < 5; ++k) {
    send(next(), k);
    transport_->release(wait_for_received());
  }
  const bool self = cores() == 1;
  EXPECT_EQ(transport_->buffers_sent(), 5u);
  EXPECT_EQ(transport_->buffers_received(), 5u);
  EXPECT_EQ(counter("net.buffers_by_shared_memory") - by_memory,
            !self && shares_memory(next()) ? 5u : 0u);
  EXPECT_EQ(counter("net.buffers_by_mpi") - by_mpi, shares_memory(next()) ? 0u : 5u);
  const Transport::Traffic& sent = transport_->traffic()[static_cast<size_t>(locale_of(next()))];
  EXPECT_EQ(sent.buffers, self ? 0u : 5u);
  EXPECT_EQ(sent.bytes, self ? 0u : 5 * sizeof(Letter));
  transport_->reset_traffic();
  EXPECT_EQ(sent.buffers + sent.bytes, 0u);
  transport_->count_pages();
  EXPECT_GT(counter("net.buffer_resident"), 0u);
}

/// All cores send to all cores, including themselves. Each core holds up to `may_hold` received
/// buffers and releases them in random order.
class TransportTraffic : public TransportBy {
 protected:
  void exchange(uint32_t letters_per_pair, size_t may_hold, uint64_t seed) {
    std::mt19937_64 random(seed + static_cast<uint64_t>(mycore()));
    const size_t n = static_cast<size_t>(cores());
    std::vector<uint32_t> sent(n), received(n);
    const uint64_t all = uint64_t{letters_per_pair} * n;
    uint64_t total_sent = 0, total_received = 0, wrong = 0;
    std::vector<Buffer*> held;
    while (total_sent < all || total_received < all) {
      bool idle = true;
      if (total_sent < all) {
        if (Buffer* mine = transport_->acquire()) {
          size_t to = random() % n;
          while (sent[to] == letters_per_pair) to = (to + 1) % n;
          write(static_cast<Core>(to), sent[to]++, mine);
          transport_->send(static_cast<Core>(to), mine);
          ++total_sent;
          idle = false;
        }
      }
      if (Buffer* buffer = transport_->receive()) {
        const Letter& it = letter(buffer);
        const size_t from = static_cast<size_t>(it.from);
        wrong += it.to != mycore() || buffer->source != it.from || it.number != received[from];
        ++received[from];
        ++total_received;
        held.push_back(buffer);
        idle = false;
      }
      if (!held.empty() && (idle || held.size() > may_hold)) {
        std::swap(held[random() % held.size()], held.back());
        transport_->release(held.back());
        held.pop_back();
      }
      transport_->progress();
      if (idle) ::sched_yield();
    }
    for (Buffer* buffer : held) transport_->release(buffer);
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(received, std::vector<uint32_t>(n, letters_per_pair));
    wait_until_all_are_free();
    detail::world().barrier();
    EXPECT_EQ(transport_->receive(), nullptr);
    EXPECT_EQ(transport_->available(), owned_buffers());
  }
};

TEST_P(TransportTraffic, ArrivesOnceAndInOrderBetweenAnyTwoCores) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  exchange(400, 0, seed);
}

TEST_P(TransportTraffic, BuffersReleasedInAnyOrderAreReturned) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  exchange(400, 5, seed);
}

std::string name_of(const testing::TestParamInfo<Way>& way) { return way.param.name; }

const Way kWays[] = {
    {"SharedMemory", 16, 16, 16, 0},     {"StarvedSharedMemory", 1, 1, 1, 0},
    {"SmallRings", 8, 1, 16, 0},         {"ManyBuffersOneReceive", 8, 8, 1, 1},
    {"MpiOnly", 16, 16, 16, 1},          {"StarvedMpiOnly", 1, 1, 1, 1},
    {"TwoCoresPerLocale", 16, 2, 16, 2}, {"StarvedTwoCoresPerLocale", 1, 1, 1, 2},
};

INSTANTIATE_TEST_SUITE_P(Ways, TransportBy, testing::ValuesIn(kWays), name_of);
INSTANTIATE_TEST_SUITE_P(Ways, TransportTraffic, testing::ValuesIn(kWays), name_of);

TEST(Transport, OwnsFourBuffersPerCoreAnd240ByDefault) {
  {
    Transport transport{NetOptions()};
    EXPECT_EQ(transport.available(), static_cast<size_t>(4 * cores() + 240));
    EXPECT_EQ(transport.buffer_bytes(), NetOptions().buffer_bytes);
    EXPECT_EQ(transport.payload_bytes(), NetOptions().buffer_bytes - sizeof(Buffer));
  }
  detail::world().barrier();
}

}  // namespace
}  // namespace Grappa
