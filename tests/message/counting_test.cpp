/// These tests check that the message counters are exact. The job runs with --steal=false, so idle
/// cores send no messages. Between two suspensions of the main task, only the main task changes the
/// counters of core 0.

#include "system/message/aggregator.hpp"
#include "system/net/transport.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t received = 0;  // each core has its own instance

template <size_t N>
struct Bytes {
  char bytes[N];
  void operator()() { ++received; }
};

int64_t sum_received() {
  return sum_all_cores([] { return received; });
}

void reset() {
  on_all_cores([] { received = 0; });
  // No buffer may be open when a test starts to count.
  while (aggregator().holds_messages()) yield();
}

Core last_core() { return static_cast<Core>(cores() - 1); }

uint64_t flushes() {
  uint64_t sum = 0;
  for (const char* cause : {"full", "aged", "latency_critical", "idle", "on_request"}) {
    sum += counted((std::string("message.flushed_") + cause).c_str());
  }
  return sum;
}

/// The number of bytes of the last run of a buffer, including the header of the run.
size_t span(size_t messages, size_t stride) {
  return align_up(sizeof(RunHeader) + messages * stride, kRunAlignment);
}

template <size_t N>
void expect_exact_counts_of_a_stream() {
  SCOPED_TRACE(testing::Message() << "messages of " << N << " bytes");
  reset();
  const size_t fit = (transport().payload_bytes() - sizeof(RunHeader)) / N;  // messages per buffer
  const size_t whole_buffers = 3, rest = fit / 3;
  const size_t n = whole_buffers * fit + rest;
  GRAPPA_CHECK(transport().available() > whole_buffers);
  const Gain messages("message.messages"), runs("message.runs"), bytes("message.bytes");
  const Gain full("message.flushed_full"), asked("message.flushed_on_request");
  const Gain copied("message.bytes_copied"), waits("message.buffer_waits");
  const uint64_t sent = transport().buffers_sent(), flushed = flushes();
  for (size_t k = 0; k < n; ++k) send_message(last_core(), Bytes<N>{});
  flush_to(last_core(), FlushCause::Asked);
  EXPECT_EQ(n, messages.value());
  EXPECT_EQ(whole_buffers + 1, runs.value()) << "one run per buffer";
  EXPECT_EQ(whole_buffers * span(fit, N) + span(rest, N), bytes.value());
  EXPECT_EQ(whole_buffers, full.value());
  EXPECT_EQ(1u, asked.value());
  EXPECT_EQ(whole_buffers + 1, flushes() - flushed);
  EXPECT_EQ(whole_buffers + 1, transport().buffers_sent() - sent);
  EXPECT_EQ(0u, copied.value());
  EXPECT_EQ(0u, waits.value());
  while (sum_received() < static_cast<int64_t>(n)) yield();
}

TEST(MessageCounters, AreExactForAStreamOfOneType) {
  expect_exact_counts_of_a_stream<1>();
  expect_exact_counts_of_a_stream<8>();
  expect_exact_counts_of_a_stream<16>();
  expect_exact_counts_of_a_stream<24>();
  expect_exact_counts_of_a_stream<1000>();
  expect_exact_counts_of_a_stream<kMaxClosureBytes>();
}

TEST(MessageCounters, AreExactForTypesThatAlternate) {
  reset();
  const size_t rounds = 1000;
  // Each chunk of a type has twice the size of the preceding chunk, up to a limit. Each chunk has
  // one run, so the sizes determine the number of runs.
  size_t runs_of_each = 0;
  for (size_t left = rounds, chunk = kFirstRunChunkBytes; left > 0; ++runs_of_each) {
    left -= std::min(left, (chunk - sizeof(RunHeader)) / 8);
    chunk = std::min(2 * chunk, kRunChunkBytes);
  }
  const Gain messages("message.messages"), runs("message.runs");
  const uint64_t sent = transport().buffers_sent();
  struct Another : Bytes<8> {};
  for (size_t k = 0; k < rounds; ++k) {
    send_message(last_core(), Bytes<8>{});
    send_message(last_core(), Another{});
  }
  flush_to(last_core(), FlushCause::Asked);
  EXPECT_EQ(2 * rounds, messages.value());
  EXPECT_EQ(2 * runs_of_each, runs.value());
  EXPECT_EQ(1u, transport().buffers_sent() - sent);
  while (sum_received() < static_cast<int64_t>(2 * rounds)) yield();
}

TEST(MessageCounters, AreExactForPayloads) {
  reset();
  const auto body = [](void*, size_t) { ++received; };
  typedef detail::PayloadMessage<decltype(body)> Message;
  const Gain messages("message.messages"), runs("message.runs"), bytes("message.bytes");
  size_t expected = sizeof(RunHeader);
  const std::vector<char> text(200);
  for (size_t k = 0; k < 200; ++k) {
    send_message(last_core(), body, text.data(), k);
    expected += Message::size(k);
  }
  flush_to(last_core(), FlushCause::Asked);
  EXPECT_EQ(200u, messages.value());
  EXPECT_EQ(1u, runs.value());
  EXPECT_EQ(expected, bytes.value());
  while (sum_received() < 200) yield();
}

TEST(MessageCounters, ShowNoCopiesWithinALocale) {
  static uint64_t before;
  reset();
  on_all_cores([] { before = counted("message.bytes_copied"); });
  on_all_cores([] {
    for (int k = 0; k < 20000; ++k) {
      send_message(static_cast<Core>(k % cores()), Bytes<16>{});
    }
  });
  while (sum_received() < int64_t{20000} * cores()) yield();
  EXPECT_EQ(0u, sum_all_cores([] { return counted("message.bytes_copied") - before; }));
}

TEST(MessageCounters, AttributeEachSentBufferToOneCause) {
  reset();
  on_all_cores([] {
    forall_here(0, 3000, [](int64_t k) {
      const Core dest = static_cast<Core>(k % cores());
      send_message(dest, Bytes<100>{});
      if (k % 10 == 0) delegate::call(dest, [] {});
      if (k % 100 == 0) yield();
    });
  });
  while (sum_received() < int64_t{3000} * cores()) yield();
  on_all_cores([] {
    while (aggregator().holds_messages()) yield();
    EXPECT_EQ(flushes() - counted("message.overflow_joined"), transport().buffers_sent())
        << "core " << mycore();
  });
}

/// The counters of a core while the core executes a request. The reply has not been sent.
struct Sent {
  uint64_t messages, buffers, latency_critical, flushes, completions;
};
Sent sent_so_far() {
  return Sent{counted("message.messages"), transport().buffers_sent(),
              counted("message.flushed_latency_critical"), flushes(),
              counted("scope.completion_messages")};
}

void expect_gain(const Sent& after, const Sent& before, uint64_t messages,
                 uint64_t latency_critical) {
  EXPECT_EQ(messages, after.messages - before.messages);
  EXPECT_EQ(messages, after.buffers - before.buffers);
  EXPECT_EQ(latency_critical, after.latency_critical - before.latency_critical);
  EXPECT_EQ(messages, after.flushes - before.flushes);
  EXPECT_EQ(0u, after.completions - before.completions);
}

TEST(MessageCounters, ShowARequestAndAReplyForABlockingDelegate) {
  if (cores() == 1) return;
  reset();
  for (const bool in_a_scope : {false, true}) {
    const auto ask_twenty_times = [] {
      Sent there = delegate::call(last_core(), sent_so_far);
      for (int k = 0; k < 20; ++k) {
        const Sent here = sent_so_far();
        const Sent there_now = delegate::call(last_core(), sent_so_far);
        expect_gain(sent_so_far(), here, 1, 1);
        expect_gain(there_now, there, 1, 1);  // counts the previous reply, but not this reply
        there = there_now;
      }
    };
    in_a_scope ? finish(ask_twenty_times) : ask_twenty_times();
  }
}

TEST(MessageCounters, ShowNoMessageForADelegateToTheOwnCore) {
  reset();
  const Sent before = sent_so_far();
  for (int k = 0; k < 100; ++k) delegate::call(mycore(), [] {});
  expect_gain(sent_so_far(), before, 0, 0);
}

TEST(MessageCounters, ShowOneCompletionForARunOfAsyncMessages) {
  if (cores() == 1) return;
  reset();
  const auto completions = [] { return counted("scope.completion_messages"); };
  for (const int64_t n : {1, 2, 1000}) {
    const uint64_t before = delegate::call(last_core(), completions);
    finish([n] {
      for (int64_t k = 0; k < n; ++k) delegate::call<async>(last_core(), [] { ++received; });
    });
    EXPECT_EQ(1u, delegate::call(last_core(), completions) - before) << n << " messages";
  }
}

/// Many tasks run `body`, which sends messages of one type to the last core. Checks that each
/// message has `bytes_each` bytes, without the headers of runs. The size of a run is rounded up.
template <class F>
void expect_bytes(uint64_t bytes_each, F body) {
  reset();
  const Gain messages("message.messages"), runs("message.runs"), bytes("message.bytes");
  forall_here(0, 5000, [body](int64_t) { body(); });
  const uint64_t payload = bytes.value() - runs.value() * sizeof(RunHeader);
  EXPECT_GE(payload, bytes_each * messages.value());
  EXPECT_LT(payload, bytes_each * messages.value() + kRunAlignment * runs.value());
}

TEST(MessageCounters, ShowTheBytesOfOperationsOnWords) {
#ifdef NDEBUG  // only an optimizing compiler detects the constant 1
  if (cores() == 1) return;
  static int64_t word;
  volatile int64_t one = 1;
  const auto there = make_global(&word, last_core());
  expect_bytes(8, [there] { delegate::fetch_and_add(there, 1); });
  expect_bytes(8, [there] { delegate::increment(there, 1); });
  expect_bytes(8, [there] { delegate::read(there); });
  const int64_t change = one;
  expect_bytes(16, [=] { delegate::fetch_and_add(there, change); });
  expect_bytes(16, [=] { delegate::write(there, change); });
  expect_bytes(8, [there] { delegate::increment<async>(there, 1); });
#endif
}

}  // namespace
