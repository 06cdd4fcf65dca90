#pragma once

/// The events of this core, in a ring buffer that keeps the latest events. docs/tracing.md states
/// which activities have their own events, and which are merged or only counted. Unless
/// `each_switch` is set, the log is called only at switches where the scheduler polls, and at a
/// sample of the ends of tasks, because a switch is faster than reading the clock. The sender and
/// the receiver number the buffers between them in the order of the sends, and equal numbers denote
/// the same buffer.
///
/// The events of a core are properly nested, except waits and commits, which may overlap.
/// Invariant: the running worker started at since_ticks_ or later, and merged runs that are not
/// recorded yet end at since_ticks_.

#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

struct Event {  // copied between cores as bytes
  enum class Kind : uint8_t {
    Run,       // one worker ran, from a switch or the end of a task to the next switch or end
    Runs,      // several runs, which were short or were not timed one by one
    Idle,      // no worker was ready and no buffer arrived
    Send,      // a buffer was passed to the transport
    Buffer,    // a buffer was executed
    Messages,  // a run of messages of one closure type in a buffer
    Wait,      // a worker waited until it ran again
    Commit     // a combiner committed a proxy
  };

  uint64_t begin_ticks;
  uint64_t end_ticks;
  uint64_t what;    // Run, Messages: address of the type signature; Buffer: number of messages;
                    // Wait: detail of the reason
  uint32_t number;  // Run, Wait: worker; Send, Buffer: sequence number between the two cores
  uint32_t count;   // Runs: number of runs; Send, Buffer: bytes; Messages: number of messages;
                    // Commit: requests; Wait: unrecorded waits of this reason since the last event
  Core peer;        // Send: receiver; Buffer: sender
  Kind kind;
  uint8_t reason;  // Run: reason of the wait that follows, 0 if none; Wait: its reason
};

class EventLog {
 public:
  /// The `number` of all parts except the first of a buffer that is executed in parts.
  static constexpr uint32_t rest_of_buffer() { return ~uint32_t{0}; }

  /// Keeps the latest `capacity` events. An activity shorter than `min_ns` has no event of its own.
  /// `each_switch`: the scheduler calls leave() at every switch and every end of a task.
  EventLog(size_t capacity, uint64_t min_ns, int cores, bool each_switch);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void enter();  // the scheduler starts to run workers

  bool each_switch() const { return each_switch_; }

  /// Called at the end of a task, and at a switch without a poll or a recorded wait. If the log
  /// does not sample this task, returns true, and the caller may skip leave().
  bool passes_over() {
    if (passed_over_ + 1 >= stride_) return false;
    ++passed_over_;
    return true;
  }

  /// Records that a worker stops running or ends its task. `runs` is the signature of the task, or
  /// null. `polls`: the worker polls. `reason` (below kReasons; 0: none) and `detail` describe the
  /// wait that starts here. `others` is the number of unreported runs since the last call.
  void leave(uint32_t worker, const char* runs, bool polls, uint8_t reason, uint64_t detail,
             uint32_t others);

  void resume(uint32_t worker);  // a worker runs again after a wait

  void sent(Core to, uint32_t bytes, uint64_t begin_ticks);  // the event ends now
  void committed(uint64_t begin_ticks, uint32_t requests);   // the event ends now

  void begin_buffer(Core from, uint32_t bytes, bool rest);  // `rest`: not the first part
  void handler_ended(const char* runs, uint32_t messages);
  void end_buffer();

  void stop();

  size_t kept() const { return ring_.size(); }

  /// Returns at most `n` events, starting at index `first`, in the order of recording.
  std::vector<Event> events(size_t first, size_t n) const;

  uint64_t left_out() const { return left_out_; }  // number of overwritten events

  /// Both clocks at the start of recording, and the ratio of their advances from start to stop.
  uint64_t start_ticks() const { return start_ticks_; }
  uint64_t start_ns() const { return start_ns_; }
  double ns_per_tick() const { return ns_per_tick_; }

 private:
  enum { kReasons = 32 };

  struct Waiting {
    uint64_t since_ticks;
    uint64_t detail;
    uint8_t reason;  // 0: the worker does not wait
  };
  struct Followed {
    uint64_t end_ticks;  // end of the last recorded wait
    uint32_t others;     // unrecorded waits since then
  };

  void record(const Event& event);
  void record_idle(uint64_t begin_ticks, uint64_t end_ticks);
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
  double ns_per_tick_ = 0;
  std::vector<Event> ring_;
  size_t oldest_ = 0;  // index of the oldest event once the ring is full
  uint64_t left_out_ = 0;
  uint64_t since_ticks_;
  uint32_t stride_ = 1;  // one task in this many is sampled
  uint32_t passed_over_ = 0;
  uint64_t lately_ticks_ = 0;  // exponentially weighted ticks of recent runs
  uint64_t lately_runs_ = 0;   // exponentially weighted number of recent runs
  Event runs_;                 // the merged runs; if its count is 0, there are none
  Event buffer_;               // the buffer that is being executed
  uint64_t handler_since_ticks_ = 0;
  uint64_t buffer_ended_ticks_ = 0;      // end of the last buffer
  std::vector<Waiting> waiting_;         // by worker
  Followed followed_[kReasons] = {};     // by reason
  std::vector<uint32_t> sent_to_;        // number of buffers, by receiving core
  std::vector<uint32_t> received_from_;  // number of buffers, by sending core
};

extern EventLog* the_event_log;  // null if the job does not record events

inline EventLog* event_log() { return the_event_log; }

}}  // namespace Grappa::detail
