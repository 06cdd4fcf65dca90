#pragma once

/// What synchronization objects and delegates need of the scheduler: what runs, suspend, and wake.
///
/// This header is small because mutexes and events are members of the data structures of a program.

#include "system/base/core_local.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct TaskScope;
struct Worker;

/// The reason why a worker is suspended, in one word: for reports, and for the limit on tasks.
///
/// Each suspension writes the reason, so writing must cost only one store. The word holds a kind,
/// the source of the wake-up, and 56 bits of detail: the address of an object on this core, or the
/// number of a core. This layer does not interpret kinds of higher layers; the reporting code
/// interprets the addresses.
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

  /// The source of the wake-up.
  enum class Source : uint8_t {
    OwnCore,    // a task of this core, as far as is known
    OtherCore,  // another core: a standstill is no sign of too few workers
    Buffer      // a buffer that comes back: helper tasks would only wait for the next one
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

/// What runs on this core: the part of the scheduler that other modules read.
class Running {
 public:
  /// The running worker; null on the root stack.
  Worker* current() const { return current_; }

  /// The scope of the running task or handler, which new tasks join. Null outside of all scopes.
  TaskScope* scope() const { return scope_; }
  void set_scope(TaskScope* scope) { scope_ = scope; }

  /// True while the current worker runs the handlers of a buffer. Such a worker must not wait for a
  /// buffer. If the worker suspends, another worker runs the rest of the buffer (SchedulerHooks).
  bool in_handler() const { return in_handler_; }
  void set_in_handler(bool in_handler) { in_handler_ = in_handler; }

 protected:
  Worker* current_ = nullptr;
  TaskScope* scope_ = nullptr;
  bool in_handler_ = false;
};

/// The scheduler of this core.
extern GRAPPA_CORE_LOCAL(Running*) the_scheduler;

/// True on the thread of a core, between init and finalize.
inline bool in_job() { return !is_absent(the_scheduler); }

/// From: any, in a job.
inline Worker* current_worker() { return the_scheduler->current(); }
inline TaskScope* current_scope() { return the_scheduler->scope(); }

/// The worker of the running task or handler, which is about to suspend. Aborts the job if no task
/// runs.
Worker* waiting_worker();

/// Suspends the running worker until wake() is called with it. Reports print `reason`. From: task
/// or handler. Suspends: always.
void suspend(WaitReason reason);

/// Puts a suspended worker at the back of the ready queue.
void wake(Worker* worker);

/// Yields if the network is due, and returns true if it has yielded. For tasks that run long
/// without a switch. From: any; has no effect outside of a task. Suspends: at most once in
/// poll_interval_us.
bool yield_if_due();

/// Records for reports which body the running worker runs.
void set_running_body(const char* signature);

/// Replaces the reason of a suspended worker.
void change_reason(Worker* worker, WaitReason reason);

}  // namespace detail

/// Lets every other ready worker run first. From: task or handler. Suspends: always.
void yield();

/// Suspends the calling task for at least `seconds`. The task resumes when its core next selects
/// it. From: task or handler. Suspends: always.
void sleep_for(double seconds);

}  // namespace Grappa
