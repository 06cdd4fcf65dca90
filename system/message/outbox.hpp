#pragma once

/// A buffer that is being filled with messages, for one core or for the cores of one locale.
///
/// Each closure type and destination has a run of its own in it, so that alternating types do not
/// close each other's runs. A run owns a chunk of the buffer and takes another when it is full; one
/// that lies last in the buffer grows in place. A chunk of counted messages is open work of their
/// scope for as many as fit in; what it does not use is given back when it is closed, so that
/// appending a message counts nothing. Invariants: runs_ are the runs that are open; without a
/// buffer none is. tail_ is a multiple of kRunAlignment, and everything below it belongs to a run.
/// An open run has a message, or is about to get one.

#include "system/message/message_type.hpp"
#include "system/message/wire.hpp"
#include "system/net/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

class Outbox {
 public:
  /// Buffers go to `receiver`, itself the destination or who passes their runs on.
  explicit Outbox(Core receiver) : receiver_(receiver) {}

  Core receiver() const { return receiver_; }
  bool has_buffer() const { return buffer_ != nullptr; }

  /// True while messages for the receiver wait on the overflow list, of which this keeps count.
  bool has_overflow() const { return overflow_ != 0; }
  void overflow_added() { ++overflow_; }
  void overflow_sent() { --overflow_; }

  uint64_t opened_ticks() const { return opened_ticks_; }

  /// True if the open buffer holds messages that somebody waits for.
  bool awaited() const { return awaited_; }

  /// Starts filling `buffer`, which has room for `payload_bytes` of runs.
  void open_buffer(Buffer* buffer, size_t payload_bytes, uint64_t now_ticks);

  /// The place for one message of `bytes` in the open buffer, in the type's open run for `dest`, or
  /// in a new one. Null if the buffer is too full.
  char* append(MessageType& type, Core dest, TaskScope* scope, size_t bytes);

  /// Appends a copy of a closed run. False if the buffer is too full.
  bool append_run(const RunHeader& run);

  /// Closes all runs and gives the buffer away, complete.
  Buffer* close_buffer();

 private:
  bool grow(OpenRun* run, size_t bytes);
  bool open(OpenRun* run, const MessageType& type, Core dest, TaskScope* scope, size_t bytes);
  void close(OpenRun* run);
  char* take(size_t wanted_bytes, size_t needed_bytes);

  const Core receiver_;
  int overflow_ = 0;  // entries of the list
  bool awaited_ = false;
  bool mixed_ = false;  // holds runs for others than the receiver
  Buffer* buffer_ = nullptr;
  char* tail_ = nullptr;
  char* end_ = nullptr;
  uint64_t opened_ticks_ = 0;
  std::vector<OpenRun*> runs_;
};

}  // namespace detail
}  // namespace Grappa
