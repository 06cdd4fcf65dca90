#pragma once

/// An open buffer and its runs, for one core or for the cores of one locale.
///
/// Each closure type and destination has a separate run in the buffer, so alternating types do not
/// close each other's runs. A run owns a chunk of the buffer and allocates another when the chunk
/// is full. If the run is the last one in the buffer, it grows in place. A chunk of counted
/// messages is enrolled in their scope with the number of messages that fit. The unused part is
/// completed when the run is closed, so appending a message does not update a counter. Invariants:
/// runs_ contains exactly the open runs; without a buffer it is empty. tail_ is a multiple of
/// kRunAlignment, and all bytes below it belong to a run. An open run has or is about to receive a
/// message.

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
  /// Buffers are sent to `receiver`, which is the destination or relays the runs.
  explicit Outbox(Core receiver) : receiver_(receiver) {}

  Core receiver() const { return receiver_; }
  bool has_buffer() const { return buffer_ != nullptr; }

  /// True while messages for the receiver wait on the overflow list.
  bool has_overflow() const { return overflow_ != 0; }
  void overflow_added() { ++overflow_; }
  void overflow_sent() { --overflow_; }

  uint64_t opened_ticks() const { return opened_ticks_; }

  /// True if the open buffer contains latency-critical messages.
  bool latency_critical() const { return latency_critical_; }

  /// Opens `buffer`, which has a capacity of `payload_bytes` for runs.
  void open_buffer(Buffer* buffer, size_t payload_bytes, uint64_t now_ticks);

  /// Reserves `bytes` for one message in the type's open run for `dest`, or in a new run. Returns
  /// null if the buffer has too little space.
  char* append(MessageType& type, Core dest, TaskScope* scope, size_t bytes);

  /// Appends a copy of a closed run. Returns false if the buffer has too little space.
  bool append_run(const RunHeader& run);

  /// Closes all runs and returns the completed buffer.
  Buffer* close_buffer();

 private:
  bool grow(OpenRun* run, size_t bytes);
  bool open(OpenRun* run, const MessageType& type, Core dest, TaskScope* scope, size_t bytes);
  void close(OpenRun* run);
  char* take(size_t wanted_bytes, size_t needed_bytes);

  const Core receiver_;
  int overflow_ = 0;  // number of entries on the overflow list
  bool latency_critical_ = false;
  bool mixed_ = false;  // contains runs for cores other than the receiver
  Buffer* buffer_ = nullptr;
  char* tail_ = nullptr;
  char* end_ = nullptr;
  uint64_t opened_ticks_ = 0;
  std::vector<OpenRun*> runs_;
};

}  // namespace detail
}  // namespace Grappa
