#include "system/observe/event_log.hpp"

#include "system/observe/clock.hpp"

#include <algorithm>

namespace Grappa::detail {

EventLog* the_event_log = nullptr;

namespace {

/// The maximum length of merged runs. A buffer takes about as long to fill, so the trace still
/// shows between which buffers the runs were.
constexpr int64_t kLongestTogetherNs = 100000;

constexpr uint64_t kLongestStride = 16;    // the log samples at least one task in this many
constexpr int64_t kLongWaitNs = 10000000;  // longer waits are recorded even if they overlap

Event event_of(Event::Kind kind, uint64_t begin_ticks, uint64_t end_ticks, uint32_t count = 0,
               uint32_t number = 0, Core peer = 0) {
  return {begin_ticks, end_ticks, 0, number, count, peer, kind, 0};
}

}  // namespace

EventLog::EventLog(size_t capacity, uint64_t min_ns, int cores, bool each_switch)
    : capacity_(capacity),
      each_switch_(each_switch),
      start_ns_(steady_ns()),
      start_ticks_(ticks()),
      min_ticks_(ticks_of(static_cast<int64_t>(min_ns))),
      longest_together_ticks_(ticks_of(kLongestTogetherNs)),
      long_wait_ticks_(ticks_of(kLongWaitNs)),
      since_ticks_(start_ticks_),
      runs_(),
      buffer_(),
      sent_to_(static_cast<size_t>(cores), 0),
      received_from_(static_cast<size_t>(cores), 0) {
  ring_.reserve(capacity);
}

void EventLog::record(const Event& event) {
  if (ring_.size() < capacity_) {
    ring_.push_back(event);
  } else {
    ring_[oldest_] = event;
    oldest_ = oldest_ + 1 == capacity_ ? 0 : oldest_ + 1;
    ++left_out_;
  }
}

void EventLog::record_idle(uint64_t begin_ticks, uint64_t end_ticks) {
  if (end_ticks - begin_ticks < min_ticks_) return;
  record(event_of(Event::Kind::Idle, begin_ticks, end_ticks));
}

void EventLog::enter() { since_ticks_ = ticks(); }

void EventLog::add_runs(uint64_t begin_ticks, uint64_t end_ticks, uint32_t runs) {
  if (runs_.count == 0) runs_.begin_ticks = begin_ticks;
  runs_.end_ticks = end_ticks;
  runs_.count += runs;
  if (end_ticks - runs_.begin_ticks >= longest_together_ticks_) end_runs();
}

void EventLog::end_runs() {
  if (runs_.count == 0) return;
  runs_.kind = Event::Kind::Runs;
  record(runs_);
  runs_.count = 0;
}

/// Adapts the stride to the length of recent runs: the clock is read about once per min_ticks_.
void EventLog::adapt_stride(uint64_t ticks_run, uint32_t runs) {
  if (each_switch_) return;
  lately_ticks_ = lately_ticks_ / 2 + ticks_run;
  lately_runs_ = lately_runs_ / 2 + runs;
  const uint64_t fitting = min_ticks_ * lately_runs_ / std::max<uint64_t>(1, lately_ticks_);
  stride_ = static_cast<uint32_t>(std::max<uint64_t>(1, std::min(fitting, kLongestStride)));
}

void EventLog::leave(uint32_t worker, const char* runs, bool polls, uint8_t reason, uint64_t detail,
                     uint32_t others) {
  const uint64_t begin = since_ticks_, now = ticks();
  since_ticks_ = now;
  others = std::max(others, passed_over_);
  passed_over_ = 0;
  if (now - begin < min_ticks_ || others != 0) {
    add_runs(begin, now, others + 1);
  } else {
    end_runs();
    if (polls && (runs == nullptr || buffer_ended_ticks_ > begin)) {
      record_idle(std::max(begin, buffer_ended_ticks_), now);
    } else {
      Event event = event_of(Event::Kind::Run, begin, now, 0, worker);
      event.what = reinterpret_cast<uint64_t>(runs);
      event.reason = reason;
      record(event);
    }
  }
  if (!polls) adapt_stride(now - begin, others + 1);
  if (reason == 0) return;
  if (worker >= waiting_.size()) waiting_.resize(worker + 1, Waiting());
  waiting_[worker] = Waiting{now, detail, reason};
}

void EventLog::resume(uint32_t worker) {
  if (worker >= waiting_.size() || waiting_[worker].reason == 0) return;
  const uint64_t end_ticks = each_switch_ ? since_ticks_ : ticks();
  const Waiting wait = waiting_[worker];
  waiting_[worker].reason = 0;
  Followed& followed = followed_[wait.reason % kReasons];
  const uint64_t length = end_ticks - wait.since_ticks;
  const bool fresh = wait.since_ticks >= followed.end_ticks;
  if (length < min_ticks_ || (!fresh && length < long_wait_ticks_)) {
    ++followed.others;
    return;
  }
  Event event = event_of(Event::Kind::Wait, wait.since_ticks, end_ticks, followed.others, worker);
  event.what = wait.detail;
  event.reason = wait.reason;
  record(event);
  followed = Followed{end_ticks, 0};
}

void EventLog::sent(Core to, uint32_t bytes, uint64_t begin_ticks) {
  const uint32_t number = sent_to_[static_cast<size_t>(to)]++;
  record(event_of(Event::Kind::Send, begin_ticks, ticks(), bytes, number, to));
}

void EventLog::begin_buffer(Core from, uint32_t bytes, bool rest) {
  complete_loads();  // otherwise the trace may show that a buffer arrived before it was sent
  const uint64_t now = ticks();
  const uint64_t idle_since = std::max(since_ticks_, buffer_ended_ticks_);
  if (now - idle_since >= min_ticks_) {
    end_runs();
    record_idle(idle_since, now);
  }
  const uint32_t number = rest ? rest_of_buffer() : received_from_[static_cast<size_t>(from)]++;
  buffer_ = event_of(Event::Kind::Buffer, now, now, bytes, number, from);
  handler_since_ticks_ = now;
}

void EventLog::handler_ended(const char* runs, uint32_t messages) {
  const uint64_t begin = handler_since_ticks_, now = ticks();
  handler_since_ticks_ = now;
  buffer_.what += messages;
  if (now - begin < min_ticks_) return;
  Event event = event_of(Event::Kind::Messages, begin, now, messages);
  event.what = reinterpret_cast<uint64_t>(runs);
  record(event);
}

void EventLog::end_buffer() {
  buffer_ended_ticks_ = ticks();
  buffer_.end_ticks = buffer_ended_ticks_;
  record(buffer_);
}

void EventLog::committed(uint64_t begin_ticks, uint32_t requests) {
  record(event_of(Event::Kind::Commit, begin_ticks, ticks(), requests));
}

void EventLog::stop() {
  end_runs();
  const uint64_t ns = steady_ns() - start_ns_;
  const uint64_t elapsed_ticks = std::max<uint64_t>(1, ticks() - start_ticks_);
  ns_per_tick_ = static_cast<double>(ns) / static_cast<double>(elapsed_ticks);
}

std::vector<Event> EventLog::events(size_t first, size_t n) const {
  std::vector<Event> some;
  for (size_t k = first; k < kept() && some.size() < n; ++k) {
    some.push_back(ring_[(oldest_ + k) % kept()]);
  }
  return some;
}

}  // namespace Grappa::detail
