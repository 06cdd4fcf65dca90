#pragma once

/// Executes received buffers, run after run, on the worker that polls.
///
/// A message that suspends keeps its worker. What is left of its buffer becomes a remainder, which
/// the next worker to poll executes. A message that does not suspend pays nothing for this but its
/// index in memory. Invariants: at most one delivery is current, the one whose message runs now; it
/// has a worker with in_handler set. There is at most one remainder, and no delivery starts while
/// there is one.

#include "system/message/wire.hpp"
#include "system/net/buffer.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Inbox {
 public:
  /// Executes all messages of `buffer` and releases it, or leaves the rest as a remainder. Returns
  /// when the last message that this worker began has ended. From: a worker without a task.
  void execute(Buffer* buffer) { execute(Position{buffer, 0, 0}); }

  bool has_remainder() const { return has_remainder_; }
  /// Goes on with the remainder.
  void execute_remainder();

  /// The running message suspends: leave the rest of its buffer to others.
  void detach();

  /// The running message no longer uses its buffer.
  void unpin() { current_->cursor.pinned = false; }

  /// Who sent the message that runs now. Meaningful until that message suspends.
  Core source() const { return source_; }

 private:
  struct Position {
    Buffer* buffer;
    uint32_t run_offset;  // of the next run's header
    uint32_t next;        // the run's next payload, in bytes behind its header
  };
  struct Delivery {  // on the stack of the worker that executes it
    Position position;
    RunCursor cursor;
    bool detached;
  };

  void execute(Position position);
  void execute_run_at(Delivery* delivery);

  Delivery* current_ = nullptr;
  Core source_ = 0;
  bool has_remainder_ = false;
  Position remainder_;
};

}  // namespace detail
}  // namespace Grappa
