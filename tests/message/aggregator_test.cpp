#include "system/net/transport.hpp"

#include "system/message/aggregator.hpp"
#include "system/net/buffer.hpp"

#include <Grappa.hpp>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

// Each core has its own instances, at the same addresses.
std::vector<int64_t> last_from;  // number of the last message from each sender
int64_t received = 0;
int64_t checksum = 0;
CompletionEvent reopened;

int64_t sum_received() {
  return sum_all_cores([] { return received; });
}

/// Waits until the cores together have executed `n` messages.
void await_received(int64_t n) {
  while (sum_received() < n) yield();
}

void reset() {
  on_all_cores([] {
    last_from.assign(static_cast<size_t>(cores()), -1);
    received = 0;
    checksum = 0;
  });
}

TEST(Aggregator, DeliversEachMessageOnceAndInOrder) {
  reset();
  // If a core has few buffers, each buffer may contain only one message, so the number is small.
  const int64_t each = 60000 / (cores() * cores());
  on_all_cores([each] {
    for (int64_t k = 0; k < each; ++k) {
      for (Core dest = 0; dest < cores(); ++dest) {
        const Core from = mycore();
        send_message(dest, [from, k] {
          EXPECT_EQ(last_from[static_cast<size_t>(from)] + 1, k);
          last_from[static_cast<size_t>(from)] = k;
          ++received;
        });
      }
    }
  });
  const int64_t all = each * cores() * cores();
  await_received(all);
  for (int rounds = 0; rounds < 100; ++rounds) yield();
  EXPECT_EQ(all, sum_received()) << "no message twice";
}

template <size_t N>
struct Payload {
  unsigned char bytes[N];
  void operator()() {
    for (size_t k = 0; k < N; ++k) ASSERT_EQ(static_cast<unsigned char>(k * 7 + N), bytes[k]);
    ++received;
  }
};

template <size_t N>
void send_to_all() {
  Payload<N> payload;
  for (size_t k = 0; k < N; ++k) payload.bytes[k] = static_cast<unsigned char>(k * 7 + N);
  for (Core dest = 0; dest < cores(); ++dest) send_message(dest, payload);
}

TEST(Aggregator, DeliversEverySizeUnchanged) {
  reset();
  on_all_cores([] {
    for (int k = 0; k < 50; ++k) {
      send_to_all<1>();
      send_to_all<3>();
      send_to_all<8>();
      send_to_all<17>();
      send_to_all<64>();
      send_to_all<1000>();
      send_to_all<4097>();
      send_to_all<kMaxClosureBytes>();
    }
  });
  await_received(int64_t{50} * 8 * cores() * cores());
}

struct alignas(16) Aligned {
  double values[2];
  void operator()() {
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(this) % 16);
    EXPECT_EQ(1.5, values[1]);
    ++received;
  }
};

TEST(Aggregator, KeepsTheAlignmentOfClosuresAmongOddSizes) {
  reset();
  on_all_cores([] {
    for (int k = 0; k < 500; ++k) {
      send_to_all<3>();
      for (Core dest = 0; dest < cores(); ++dest) send_message(dest, Aligned{{0.5, 1.5}});
      send_to_all<17>();
    }
  });
  await_received(int64_t{3} * 500 * cores() * cores());
}

TEST(Aggregator, RunsClosuresWithoutCaptures) {
  reset();
  on_all_cores([] {
    for (int k = 0; k < 1000; ++k) {
      send_message(static_cast<Core>((mycore() + 1) % cores()), [] { ++received; });
    }
  });
  await_received(int64_t{1000} * cores());
}

TEST(Aggregator, LetsHandlersSend) {
  reset();
  // Each message is forwarded around the ring. More messages are in flight than the buffers hold.
  struct Hop {
    int left;
    int64_t padding[30];
    void operator()() {
      ++received;
      if (left > 0) {
        send_message(static_cast<Core>((mycore() + 1) % cores()), Hop{left - 1, {}});
      }
    }
  };
  on_all_cores([] {
    for (int k = 0; k < 2000; ++k) send_message(mycore(), Hop{10, {}});
  });
  await_received(int64_t{2000} * 11 * cores());
}

TEST(Aggregator, KeepsTheOrderOfMessagesSentByHandlers) {
  reset();
  static int64_t sent;
  on_all_cores([] { sent = 0; });
  struct Numbered {
    Core from;
    int64_t number;
    char padding[500];
    void operator()() {
      EXPECT_EQ(last_from[static_cast<size_t>(from)] + 1, number);
      last_from[static_cast<size_t>(from)] = number;
      ++received;
    }
  };
  int64_t each = 20000;
  on_all_cores([each] {
    for (int64_t k = 0; k < each; ++k) {
      send_message(mycore(), [] {
        const Core next = static_cast<Core>((mycore() + 1) % cores());
        send_message(next, Numbered{mycore(), sent++, {}});
      });
    }
  });
  await_received(each * cores());
}

TEST(Aggregator, MessagesDoNotOvertakeTheOverflowList) {
  reset();
  const auto send_numbered = [](int64_t number) {
    send_message(static_cast<Core>(cores() - 1), [number] {
      EXPECT_EQ(received, number);
      ++received;
    });
    flush_to(static_cast<Core>(cores() - 1), FlushCause::Asked);
  };
  send_message(mycore(), [send_numbered] {
    std::vector<Buffer*> owned_buffers;
    while (Buffer* buffer = transport().acquire()) owned_buffers.push_back(buffer);
    send_numbered(0);
    for (Buffer* buffer : owned_buffers) transport().release(buffer);
    send_numbered(1);
    send_numbered(2);
  });
  await_received(3);
}

TEST(Aggregator, ASuspendedHandlerDoesNotDelayTheRestOfTheBuffer) {
  reset();
  on_all_cores([] { reopened.enroll(); });
  // Every third message waits for a later message of the same buffer.
  const int64_t each = 300;
  const Core dest = static_cast<Core>(cores() - 1);
  finish([=] {
    for (int64_t k = 0; k < each; ++k) {
      delegate::call<async>(dest, [k] {
        if (k % 3 == 0) reopened.wait();
        ++received;
        checksum += k;
      });
    }
    delegate::call<async>(dest, [] { reopened.complete(); });
  });
  EXPECT_EQ(each, delegate::call(dest, [] { return received; }));
  EXPECT_EQ(each * (each - 1) / 2, delegate::call(dest, [] { return checksum; }));
  on_all_cores([] {
    if (reopened.get_count() > 0) reopened.complete();
  });
}

TEST(Aggregator, RunsMessagesInOrderIfSomeSuspend) {
  reset();
  const Core dest = static_cast<Core>(cores() - 1);
  on_all_cores([] { checksum = -1; });
  finish([dest] {
    for (int64_t k = 0; k < 200000; ++k) {
      delegate::call<async>(dest, [k] {
        EXPECT_EQ(checksum + 1, k) << "started out of order";
        checksum = k;
        if (k % 1000 < 3) yield();
      });
    }
  });
}

TEST(Aggregator, LetsHandlersWaitForOtherCores) {
  const int64_t n = 2000;
  auto counter = make_global(new int64_t(0), 0);
  finish([=] {
    for (int64_t k = 0; k < n; ++k) {
      delegate::call<async>(static_cast<Core>(k % cores()),
                            [counter] { delegate::increment(counter, 1); });
    }
  });
  EXPECT_EQ(n, *counter.pointer());
  delete counter.pointer();
}

TEST(Aggregator, StopsSendersWhileAReceiverDoesNotPoll) {
  reset();
  const int64_t each = 100000;
  const Core deaf = static_cast<Core>(cores() - 1);
  on_all_cores([=] {
    // The slow receiver counts to a large number without suspending, so it does not poll.
    if (mycore() == deaf) {
      volatile int64_t spin = 0;
      while (spin < 20000000) spin = spin + 1;
    }
    for (int64_t k = 0; k < each; ++k) {
      send_message(deaf, [k] {
        ++received;
        checksum += k;
      });
    }
  });
  await_received(each * cores());
  EXPECT_EQ(each * (each - 1) / 2 * cores(), delegate::call(deaf, [] { return checksum; }));
}

}  // namespace
