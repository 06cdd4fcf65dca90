#pragma once

/// What happens on this core, event by event, in a ring that keeps the latest.
///
/// Who has something to tell asks event_log() first. It is null unless the job records events, and
/// that test, once for a buffer or a switch, is all that it then costs. So that recording costs
/// little too, only what takes long has an event of its own: shorter runs of workers are put
/// together, shorter handlers only counted in their buffer, and of the waits for one reason one is
/// followed at a time while the others are counted. Buffers between two cores arrive in the order
/// sent, so each end counts them and the numbers say which belong together: nothing travels for it.
///
/// The events of a core nest, those apart that have several at a time (waits and commits).
/// Invariant: a worker runs since since_ticks_; short runs that are not recorded yet end there.

#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {

/// Travels as bytes.
struct Event {
  enum class Kind : uint8_t {
    Run,        // a worker ran, from a switch or the end of a task to the next
    ShortRuns,  // several did, none for long
    Idle,       // nothing was ready and nothing arrived
    Send,       // a buffer was handed over
    Buffer,     // a buffer was executed
    Messages,   // those of one type in a buffer: a run
    Wait,       // a worker waited, until it ran again
    Commit      // a combiner committed a proxy
  };

  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t what;    // Run, Messages: address of the type's signature; Buffer: messages
                    // Wait: detail of the reason
  uint32_t number;  // Run, Wait: worker; Send, Buffer: counts those between the two cores
  uint32_t count;   // ShortRuns: runs; Send, Buffer: bytes; Messages: how many; Commit: requests;
                    // Wait: others for such a reason that ended since the last one was recorded
  Core peer;        // Send: receiver; Buffer: sender
  Kind kind;
  uint8_t reason;  // Run: kind of what it waited for then, 0 if it did not; Wait: its kind
};

class EventLog {
 public:
  /// Of a Buffer that was executed in several parts: not the first of them.
  static constexpr uint32_t rest_of_buffer() { return ~uint32_t{0}; }

  /// Keeps the latest `capacity` events. What takes less than `min_ns` has none of its own.
  EventLog(size_t capacity, uint64_t min_ns, int cores);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// The first worker of a series begins to run.
  void enter();

  /// A worker stops to run, or ends the task that it runs. `runs`: signature of that, or null;
  /// `polls`: its work is polling; `reason`: the kind of what it waits for from here on, 0 if it
  /// does not wait, below 32; `detail`: more about that.
  void leave(uint32_t worker, const char* runs, bool polls, uint8_t reason, uint64_t detail);

  /// A buffer has been handed over to the transport, which has had it since `begin_ticks`.
  void sent(Core to, uint32_t bytes, uint64_t begin_ticks);

  /// A buffer, or the rest of one, is about to be executed.
  void begin_buffer(Core from, uint32_t bytes, bool rest);
  /// A run of its messages has been executed.
  void handler_ended(const char* runs, uint32_t messages);
  void end_buffer();

  void committed(uint64_t begin_ticks, uint32_t requests);

  /// Ends recording.
  void stop();

  /// Events that are kept.
  size_t kept() const { return ring_.size(); }

  /// Of those `n` at most from the `first` on, in the order in which they were recorded.
  std::vector<Event> events(size_t first, size_t n) const;

  /// Events that are not kept, since later ones took their places.
  uint64_t left_out() const { return left_out_; }

  /// Both clocks when recording began and when it ended.
  uint64_t start_ticks() const { return start_ticks_; }
  uint64_t start_ns() const { return start_ns_; }
  uint64_t stop_ticks() const { return stop_ticks_; }
  uint64_t stop_ns() const { return stop_ns_; }

 private:
  enum { kReasons = 32 };

  struct Waiting {
    uint64_t since_ticks;
    uint64_t detail;
    uint8_t reason;  // 0: it does not
  };
  struct Followed {
    uint64_t end_ticks;  // of the last wait that was recorded
    uint32_t others;     // since then
  };

  void record(const Event& event);
  void record_idle(uint64_t begin_ticks, uint64_t end_ticks);
  void record_run(uint64_t begin_ticks, uint64_t end_ticks, uint32_t worker, const char* runs,
                  uint8_t reason);
  void end_wait(uint32_t worker, uint64_t end_ticks);
  void add_short_run(uint64_t begin_ticks, uint64_t end_ticks);
  void end_short_runs();

  const size_t capacity_;
  const uint64_t start_ns_;
  const uint64_t start_ticks_;
  const uint64_t min_ticks_;
  const uint64_t longest_together_ticks_;
  const uint64_t long_wait_ticks_;
  uint64_t stop_ns_ = 0;
  uint64_t stop_ticks_ = 0;
  std::vector<Event> ring_;
  size_t oldest_ = 0;  // in the ring
  uint64_t left_out_ = 0;
  uint64_t since_ticks_;
  Event short_runs_;  // none while its count is 0
  Event buffer_;      // that is being executed
  uint64_t handler_since_ticks_ = 0;
  uint64_t buffer_ended_ticks_ = 0;  // the last one
  std::vector<Waiting> waiting_;     // by worker
  Followed followed_[kReasons] = {};
  std::vector<uint32_t> sent_to_;        // buffers, by core
  std::vector<uint32_t> received_from_;  // the same
};

namespace detail {
extern EventLog* the_event_log;
}  // namespace detail

/// This core's; null unless events are being recorded.
inline EventLog* event_log() { return detail::the_event_log; }

}  // namespace Grappa
