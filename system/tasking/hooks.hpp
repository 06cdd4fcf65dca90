#pragma once

/// Functions of higher layers that the scheduler calls. The higher layers set them.

namespace Grappa {
namespace detail {

struct SchedulerHooks {
  /// Receives messages and runs their handlers on the calling worker. Returns true if any was
  /// received. A suspended handler keeps the worker, and the call returns when the handler has
  /// ended.
  bool (*poll)() = nullptr;

  /// Flushes the open buffers when no worker is ready. Returns true if data was sent.
  bool (*flush)() = nullptr;

  /// Requests tasks from other cores. Called repeatedly while no worker is ready, no task is
  /// queued, no data is unsent, and a task could start.
  void (*steal)() = nullptr;

  /// Called repeatedly while the core is quiescent: no worker is ready, no task is queued, no data
  /// is unsent, and no timer is set. Only a message ends this state. `first` marks the first call.
  void (*quiescent)(bool first) = nullptr;

  /// Sends stealable tasks to cores that wait for tasks. Called at intervals while there are some.
  void (*share)() = nullptr;

  /// Hands the rest of the current buffer to another worker, when a handler is about to suspend.
  void (*handler_suspends)() = nullptr;
};

}  // namespace detail
}  // namespace Grappa
