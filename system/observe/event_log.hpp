#pragma once

/// What happens on this core, event by event, in a ring that keeps the latest.
///
/// Who has something to tell asks event_log() first. It is null unless the job records events, and
/// that test, once for a buffer or a poll, is all that it then costs. So that recording costs
/// little too, only what takes long has an event of its own: shorter runs of workers are put
/// together, shorter handlers only counted in their buffer, and of the waits for one reason one is
/// followed at a time while the others are counted. A switch is faster than a look at the clock: so
/// the log hears only of those at which the scheduler polls, and of a sample of the ends of tasks,
/// unless it wants each switch. Buffers between two cores arrive in the order sent, so each end
/// counts them and the numbers say which belong together: nothing travels for it.
///
/// The events of a core nest, those apart that have several at a time (waits and commits).
/// Invariant: whoever runs does so since since_ticks_ or later; runs that are put together and not
/// recorded yet end there.

#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Travels as bytes.
struct Event {
  enum class Kind : uint8_t {
    Run,       // a worker ran, from a switch or the end of a task to the next
    Runs,      // several did, none for long or nobody knows for how long
    Idle,      // nothing was ready and nothing arrived
    Send,      // a buffer was handed over
    Buffer,    // a buffer was executed
    Messages,  // those of one type in a buffer: a run
    Wait,      // a worker waited, until it ran again
    Commit     // a combiner committed a proxy
  };

  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t what;    // Run, Messages: address of the type's signature; Buffer: messages
                    // Wait: detail of the reason
  uint32_t number;  // Run, Wait: worker; Send, Buffer: counts those between the two cores
  uint32_t count;   // Runs: how many; Send, Buffer: bytes; Messages: how many; Commit: requests;
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
  /// `each_switch`: leave() is called for every switch and every end of a task.
  EventLog(size_t capacity, uint64_t min_ns, int cores, bool each_switch);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  /// The first worker of a series begins to run.
  void enter();

  bool each_switch() const { return each_switch_; }

  /// At the end of a task, and at a switch that has no other reason to be told of: whether the log
  /// does without. Of tasks that are short it wants one in some only.
  bool passes_over() {
    if (passed_over_ + 1 >= stride_) return false;
    ++passed_over_;
    return true;
  }

  /// A worker stops to run, or ends the task that it runs. `runs`: signature of that, or null;
  /// `polls`: its work is polling; `reason`: the kind of what it waits for from here on, 0 if it
  /// does not wait, below 32; `detail`: more about that; `others`: how often somebody else did so
  /// since the last call.
  void leave(uint32_t worker, const char* runs, bool polls, uint8_t reason, uint64_t detail,
             uint32_t others);

  /// A worker runs again that has left to wait.
  void resume(uint32_t worker);

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
  void add_runs(uint64_t begin_ticks, uint64_t end_ticks, uint32_t runs);
  void end_runs();
  void adapt_stride(uint64_t ticks_run, uint32_t runs);

  const size_t capacity_;
  const bool each_switch_;
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
  uint32_t stride_ = 1;  // tasks of which one is looked at
  uint32_t passed_over_ = 0;
  uint64_t lately_ticks_ = 0;  // of runs, the earlier ones counted less and less
  uint64_t lately_runs_ = 0;
  Event runs_;    // that are put together; none while its count is 0
  Event buffer_;  // that is being executed
  uint64_t handler_since_ticks_ = 0;
  uint64_t buffer_ended_ticks_ = 0;  // the last one
  std::vector<Waiting> waiting_;     // by worker
  Followed followed_[kReasons] = {};
  std::vector<uint32_t> sent_to_;        // buffers, by core
  std::vector<uint32_t> received_from_;  // the same
};

extern EventLog* the_event_log;

/// This core's; null unless events are being recorded.
inline EventLog* event_log() { return the_event_log; }

}  // namespace detail
}  // namespace Grappa
