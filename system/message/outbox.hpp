#pragma once

/// The messages of this core for one destination: an open buffer with an open run per closure type.
///
/// Each closure type has a slot of its own, found by the type's number, so that alternating types
/// do not close each other's runs. A run owns a chunk of the buffer and takes another when it is
/// full; one that lies last in the buffer grows in place. Invariants: open_ lists the types whose
/// run is open; without a buffer none is. tail_ is a multiple of kRunAlignment, and everything
/// below it belongs to a run.

#include "system/message/wire.hpp"
#include "system/net/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {

struct OpenRun {
  char* cursor = nullptr;  // where the next payload goes
  char* limit = nullptr;   // end of the run's chunk
  uint64_t scope = 0;
  RunHeader* header = nullptr;  // null while closed
  uint32_t next_chunk_bytes = 0;

  size_t room() const { return static_cast<size_t>(limit - cursor); }
};

/// What a run's header is made of.
struct RunType {
  uint32_t closure_type;
  uint32_t stride_bytes;
  Handler handler;
  Acknowledged acknowledged;
};

class Outbox {
 public:
  OpenRun& run(uint32_t closure_type) { return runs_[closure_type]; }
  void resize(size_t closure_types) { runs_.resize(closure_types); }

  bool has_buffer() const { return buffer_ != nullptr; }
  uint64_t opened_ticks() const { return opened_ticks_; }

  /// Starts filling `buffer`, which has room for `payload_bytes` of runs.
  void open_buffer(Buffer* buffer, size_t payload_bytes, uint64_t now_ticks);

  /// Makes room for one payload in the open buffer: grows the type's run or opens a new one. False
  /// if the buffer is too full.
  bool make_room(const RunType& type, uint64_t scope);

  /// Closes all runs and gives the buffer away, complete.
  Buffer* close_buffer();

 private:
  void close_run(OpenRun* run);
  uint32_t chunk_for(OpenRun* run, size_t needed_bytes) const;

  Buffer* buffer_ = nullptr;
  char* tail_ = nullptr;
  char* end_ = nullptr;
  uint64_t opened_ticks_ = 0;
  std::vector<OpenRun> runs_;   // by closure type
  std::vector<uint32_t> open_;  // closure types with an open run or a chunk size of this buffer
};

}  // namespace Grappa
