#pragma once

/// The part of the scheduler that synchronization objects and delegates use: the running worker and
/// its scope, suspend and wake, and the queue of the tasks that wait for an object.

#include "system/base/check.hpp"
#include "system/base/core_local.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct TaskScope;
struct Worker;

/// The reason why a worker is suspended, for reports and for the limit on tasks. A reason has a
/// kind, the source of the wake-up, and 56 bits of detail: the address of an object on this core or
/// the number of a core. The reason is one word, because each suspension writes it.
class WaitReason {
 public:
  enum class Kind : uint8_t {
    None,         // the worker does not wait
    Mutex,        // a mutex to be unlocked
    Condition,    // a condition variable to be signalled
    Semaphore,    // units of a semaphore
    Full,         // a FullEmpty to be full
    Empty,        // a FullEmpty to be empty
    Event,        // a CompletionEvent to be completed
    Scope,        // a finish scope to be drained
    GlobalEvent,  // a GlobalCompletionEvent to be completed
    Delegate,     // a reply from a core
    Transfer,     // replies from several cores
    Collective,   // the other cores in a collective
    Combiner,     // the commit of a flat-combined operation
    Buffer,       // a free message buffer
    Time,         // a deadline
    End,          // the end of the job
    Other
  };

  enum class Source : uint8_t {
    OwnCore,    // probably a task of this core
    OtherCore,  // another core, so a standstill does not indicate too few workers
    Buffer      // a buffer that another core returns; helper tasks would also wait for one
  };

  constexpr WaitReason() : bits_(0) {}
  constexpr explicit WaitReason(Kind kind, uint64_t detail = 0)
      : bits_(static_cast<uint64_t>(source_of(kind)) << kSourceShift |
              static_cast<uint64_t>(kind) << kKindShift | detail) {}
  template <class T>
  WaitReason(Kind kind, const T* object) : WaitReason(kind, reinterpret_cast<uint64_t>(object)) {}

  Kind kind() const { return static_cast<Kind>(bits_ >> kKindShift & 63); }
  Source source() const { return static_cast<Source>(bits_ >> kSourceShift); }
  uint64_t detail() const { return bits_ & ((uint64_t{1} << kKindShift) - 1); }
  const void* object() const { return reinterpret_cast<const void*>(detail()); }

  bool operator==(WaitReason other) const { return bits_ == other.bits_; }
  bool operator<(WaitReason other) const { return bits_ < other.bits_; }

 private:
  enum { kKindShift = 56, kSourceShift = 62 };

  static constexpr Source source_of(Kind kind) {
    return kind == Kind::Delegate || kind == Kind::Transfer || kind == Kind::Collective
               ? Source::OtherCore
           : kind == Kind::Buffer ? Source::Buffer
                                  : Source::OwnCore;
  }

  uint64_t bits_;
};

/// The running worker and its state: the part of the scheduler that other modules read.
class Running {
 public:
  /// Returns the running worker, or null on the root stack.
  Worker* current() const { return current_; }

  /// The scope of the running task or handler. New tasks join it. Null outside of all scopes.
  TaskScope* scope() const { return scope_; }
  void set_scope(TaskScope* scope) { scope_ = scope; }

  /// If true, the current worker runs handlers and must not wait for a buffer (see SchedulerHooks).
  bool in_handler() const { return in_handler_; }
  void set_in_handler(bool in_handler) { in_handler_ = in_handler; }

 protected:
  Worker* current_ = nullptr;
  TaskScope* scope_ = nullptr;
  bool in_handler_ = false;
};

extern GRAPPA_CORE_LOCAL(Running*) the_scheduler;

/// Returns true on the thread of a core, between init and finalize.
inline bool in_job() { return !is_absent(the_scheduler); }

inline Worker* current_worker() { return the_scheduler->current(); }
inline TaskScope* current_scope() { return the_scheduler->scope(); }

/// The running worker, which is about to suspend. Aborts the job outside of tasks and handlers.
Worker* waiting_worker();

/// Suspends the running worker until wake() puts it at the back of the ready queue. Until then,
/// change_reason() may replace the reason. From: task or handler. Suspends: always.
void suspend(WaitReason reason);
void wake(Worker* worker);
void change_reason(Worker* worker, WaitReason reason);

/// Yields and returns true if a poll is due, for tasks that run long without a switch. From: any;
/// has no effect outside of a task. Suspends: at most once per poll_interval_us.
bool yield_if_due();

/// Records for reports which body the running worker runs.
void set_running_body(const char* signature);

struct Waiter {
  Worker* worker = nullptr;
  Waiter* next = nullptr;
};

/// Tasks of one core that wait for the same object: first in, first out.
///
/// Each waiting task puts a note, a struct derived from Waiter, on its own stack. The note lets the
/// object grant a request when it wakes the task, so no later task can overtake the woken task. The
/// queue is one word, so that arrays of such objects fill blocks of the global heap without
/// padding. Invariant: the notes form a ring, from the youngest to the oldest.
template <class Note = Waiter>
class WaitQueue {
 public:
  WaitQueue() = default;
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

  /// A queue at file scope is destroyed after the job, even if tasks still wait.
  ~WaitQueue() { GRAPPA_CHECK(empty() || !in_job()) << "destroyed while tasks wait for it"; }

  bool empty() const { return youngest_ == nullptr; }

  /// Removes all waiting tasks, which then never run again. Used only at the end of a job.
  void abandon() { youngest_ = nullptr; }

  /// Returns the note of the task that has waited longest. Requires a nonempty queue.
  Note& front() {
    GRAPPA_DCHECK(!empty()) << "the queue of waiting tasks is empty";
    return *static_cast<Note*>(youngest_->next);
  }

  /// Suspends the task with `note`, or an empty note. From: task or handler. Suspends: always.
  void suspend(Note* note, WaitReason reason = WaitReason(WaitReason::Kind::Other)) {
    note->worker = waiting_worker();
    push(note);
    detail::suspend(reason);
  }
  void suspend(WaitReason reason = WaitReason(WaitReason::Kind::Other)) {
    Note self;
    suspend(&self, reason);
  }

  /// Adds a task that is already suspended. The note is on the stack of that task.
  void push(Note* note) {
    GRAPPA_DCHECK(note->next == nullptr) << "a task waits in two queues";
    Waiter* const youngest = empty() ? note : youngest_;
    note->next = youngest->next;
    youngest->next = note;
    youngest_ = note;
  }

  /// Removes and returns front(). The task stays suspended. Requires a nonempty queue.
  Note* pop() {
    GRAPPA_DCHECK(!empty()) << "no task waits";
    Waiter* const oldest = youngest_->next;
    if (oldest == youngest_) {
      youngest_ = nullptr;
    } else {
      youngest_->next = oldest->next;
    }
    oldest->next = nullptr;
    return static_cast<Note*>(oldest);
  }

  /// Each wakes the task that has waited longest. If no task waits, wake_one() returns false.
  void wake_front() { wake(pop()->worker); }
  bool wake_one() {
    if (empty()) return false;
    wake_front();
    return true;
  }
  void wake_all() {
    while (wake_one()) {}
  }

 private:
  Waiter* youngest_ = nullptr;
};

}  // namespace detail

/// Lets every other ready worker run first. From: task or handler. Suspends: always.
void yield();

/// Suspends the calling task for at least `seconds`. From: task or handler. Suspends: always.
void sleep_for(double seconds);

}  // namespace Grappa
