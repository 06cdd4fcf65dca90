#pragma once

/// Executes received buffers, run by run, on the polling worker.
///
/// A handler that suspends keeps its worker. The rest of its buffer becomes the remainder, which
/// the next polling worker executes. A handler that does not suspend pays only for storing its
/// index. Invariants: At most one delivery is current, and its worker has in_handler set. There is
/// at most one remainder, and no delivery starts while there is one.

#include "system/message/wire.hpp"
#include "system/net/buffer.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Inbox {
 public:
  /// Executes the messages of `buffer` and releases it. If a handler suspends, the rest becomes the
  /// remainder. Returns when the last handler that this worker began has ended. From: a worker
  /// without a task.
  void execute(Buffer* buffer) { execute(Position{buffer, 0, 0}); }

  bool has_remainder() const { return has_remainder_; }
  /// Continues with the remainder.
  void execute_remainder();

  /// Called when the running handler suspends. Makes the rest of its buffer the remainder.
  void detach();

  /// Declares that the running handler no longer uses its buffer.
  void unpin() { current_->cursor.pinned = false; }

 private:
  struct Position {
    Buffer* buffer;
    uint32_t run_offset;  // offset of the next run's header
    uint32_t next;        // offset of the run's next payload after its header
  };
  struct Delivery {  // on the stack of the worker that executes it
    Position position;
    RunCursor cursor;
    bool detached;
  };

  void execute(Position position);
  void execute_run_at(Delivery* delivery);

  Delivery* current_ = nullptr;
  bool has_remainder_ = false;
  Position remainder_;
};

}  // namespace detail
}  // namespace Grappa
