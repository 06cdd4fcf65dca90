#include "system/observe/event_log.hpp"

#include "system/observe/clock.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

constexpr uint64_t kMinNs = 1000;
constexpr uint8_t kReason = 3, kOtherReason = 4;

/// With the VirtualClock, a tick is a nanosecond.
class EventLogTest : public testing::Test {
 protected:
  EventLogTest() : log_(10, kMinNs, 4, true) { log_.enter(); }

  void run(uint64_t ns, uint32_t worker, uint8_t then_waits_for = 0) {
    log_.resume(worker);
    clock_.advance_ns(ns);
    log_.leave(worker, "work", false, then_waits_for, 0, 0);
  }

  void poll(uint64_t ns) {
    clock_.advance_ns(ns);
    log_.leave(99, nullptr, true, 0, 0, 0);
  }

  std::vector<Event> of(Event::Kind kind) {
    std::vector<Event> some;
    for (const Event& event : log_.events(0, log_.kept())) {
      if (event.kind == kind) some.push_back(event);
    }
    return some;
  }

  VirtualClock clock_;
  EventLog log_;
};

TEST_F(EventLogTest, RecordsARunFromOneSwitchToTheNext) {
  run(kMinNs, 7, kReason);
  run(2 * kMinNs, 8);
  const std::vector<Event> runs = of(Event::Kind::Run);
  ASSERT_EQ(2u, runs.size());
  EXPECT_EQ(7u, runs[0].number);
  EXPECT_EQ(kReason, runs[0].reason);
  EXPECT_STREQ("work", reinterpret_cast<const char*>(runs[0].what));
  EXPECT_EQ(runs[0].end_ticks, runs[1].begin_ticks);
  EXPECT_EQ(2 * kMinNs, runs[1].end_ticks - runs[1].begin_ticks);
}

TEST_F(EventLogTest, MergesShortRunsUntilALongRun) {
  const uint64_t begin = clock_.now_ns();
  for (int k = 0; k < 5; ++k) run(kMinNs - 1, 7);
  EXPECT_EQ(0u, log_.kept());
  run(kMinNs, 7);
  const std::vector<Event> together = of(Event::Kind::Runs);
  ASSERT_EQ(1u, together.size());
  EXPECT_EQ(5u, together[0].count);
  EXPECT_EQ(begin, together[0].begin_ticks);
  EXPECT_EQ(together[0].end_ticks, of(Event::Kind::Run).at(0).begin_ticks);
}

TEST_F(EventLogTest, LimitsTheLengthOfMergedRuns) {
  for (int k = 0; k < 1000; ++k) run(kMinNs - 1, 7);
  EXPECT_GT(of(Event::Kind::Runs).size(), 5u);
}

TEST_F(EventLogTest, KeepsTheLatestEventsAndCountsTheOthers) {
  for (uint32_t k = 0; k < 25; ++k) run(kMinNs, k);
  EXPECT_EQ(10u, log_.kept());
  EXPECT_EQ(15u, log_.left_out());
  uint32_t next = 15;
  for (const Event& event : log_.events(0, 100)) EXPECT_EQ(next++, event.number);
  EXPECT_EQ(25u, next);
  ASSERT_EQ(2u, log_.events(8, 100).size());
  EXPECT_EQ(23u, log_.events(8, 1).at(0).number);
}

TEST_F(EventLogTest, RecordsOneWaitPerReasonAtATime) {
  run(10, 1, kReason);
  run(10, 2, kReason);       // a later wait for the same reason
  run(10, 3, kOtherReason);  // a later wait for another reason
  poll(5 * kMinNs);
  run(10, 1, kReason);
  run(10, 2, 0);  // this wait ends after the recorded wait
  run(10, 3, 0);
  poll(5 * kMinNs);
  run(10, 1, 0);
  const std::vector<Event> waits = of(Event::Kind::Wait);
  ASSERT_EQ(3u, waits.size());
  EXPECT_EQ(1u, waits[0].number);
  EXPECT_EQ(3u, waits[1].number);
  EXPECT_EQ(kOtherReason, waits[1].reason);
  EXPECT_EQ(1u, waits[2].number);
  EXPECT_EQ(1u, waits[2].count) << "the wait that was not recorded is counted";
}

TEST_F(EventLogTest, RecordsALongWaitThatOverlapsAnother) {
  run(10, 1, kReason);
  run(10, 2, kReason);
  poll(50000000);
  run(10, 2, 0);
  run(10, 1, 0);
  EXPECT_EQ(2u, of(Event::Kind::Wait).size());
}

TEST_F(EventLogTest, RecordsPollingWithoutArrivalsAsIdle) {
  poll(5 * kMinNs);
  clock_.advance_ns(2 * kMinNs);
  log_.begin_buffer(1, 640, false);
  clock_.advance_ns(kMinNs);
  log_.handler_ended("handler", 40);
  log_.end_buffer();
  poll(3 * kMinNs);
  const std::vector<Event> idle = of(Event::Kind::Idle);
  ASSERT_EQ(3u, idle.size());
  const Event buffer = of(Event::Kind::Buffer).at(0);
  EXPECT_EQ(idle[1].end_ticks, buffer.begin_ticks);
  EXPECT_EQ(idle[2].begin_ticks, buffer.end_ticks);
  EXPECT_EQ(40u, buffer.what);
  EXPECT_TRUE(of(Event::Kind::Run).empty());
}

TEST_F(EventLogTest, CountsMessagesOfShortHandlersInTheirBuffer) {
  log_.begin_buffer(2, 64, false);
  log_.handler_ended("short", 3);
  clock_.advance_ns(kMinNs);
  log_.handler_ended("long", 4);
  log_.end_buffer();
  ASSERT_EQ(1u, of(Event::Kind::Messages).size());
  EXPECT_EQ(4u, of(Event::Kind::Messages)[0].count);
  EXPECT_EQ(7u, of(Event::Kind::Buffer).at(0).what);
}

TEST_F(EventLogTest, NumbersBuffersBetweenTwoCores) {
  log_.sent(1, 10, clock_.now_ns());
  log_.sent(2, 10, clock_.now_ns());
  log_.sent(1, 10, clock_.now_ns());
  for (const int from : {3, 3, 0}) {
    log_.begin_buffer(static_cast<Core>(from), 10, false);
    log_.end_buffer();
  }
  log_.begin_buffer(3, 10, true);
  log_.end_buffer();
  const std::vector<Event> sent = of(Event::Kind::Send), received = of(Event::Kind::Buffer);
  ASSERT_EQ(3u, sent.size());
  EXPECT_EQ(0u, sent[0].number);
  EXPECT_EQ(0u, sent[1].number);
  EXPECT_EQ(1u, sent[2].number);
  ASSERT_EQ(4u, received.size());
  EXPECT_EQ(1u, received[1].number);
  EXPECT_EQ(0u, received[2].number);
  EXPECT_EQ(EventLog::rest_of_buffer(), received[3].number);
}

TEST_F(EventLogTest, RecordsPendingMergedRunsAtTheStop) {
  run(10, 7);
  log_.stop();
  EXPECT_EQ(1u, of(Event::Kind::Runs).size());
}

TEST(EventLogs, AreAbsentByDefault) { EXPECT_EQ(nullptr, event_log()); }

}  // namespace
}  // namespace Grappa
