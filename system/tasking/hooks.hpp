#pragma once

/// What the scheduler calls and does not know: filled in by the floors above.

namespace Grappa {
namespace detail {

struct SchedulerHooks {
  /// Receives and runs messages, on the worker that calls it. True if anything was received. A
  /// message that suspends keeps the worker; the call returns when that message has ended.
  bool (*poll)() = nullptr;

  /// Nothing is ready: send what is waiting to be sent. True if anything was.
  bool (*flush)() = nullptr;

  /// Nothing is ready, queued, or waiting to be sent, and a task could start: ask other cores for
  /// some. Called again and again while that lasts.
  void (*steal)() = nullptr;

  /// Nothing is ready, queued, or waiting to be sent, and no timer is set: only a message can
  /// change that. Called again and again while that lasts, with `first` when it begins.
  void (*still)(bool first) = nullptr;

  /// There are public tasks: give some to cores that wait for any. Called once in a while.
  void (*share)() = nullptr;

  /// The current worker runs a message and is about to suspend: hand the rest of its buffer over.
  void (*handler_suspends)() = nullptr;
};

}  // namespace detail
}  // namespace Grappa
