#pragma once

/// A core's partial sums of insert_or_combine<async> on a map with entries of variable length.
///
/// The sums of one scope and one operation are in a table of their own. They are sent to their
/// owners when the table has as many keys as --partial_sums, when a value of another scope or
/// operation arrives, or by a flush task as soon as no more values arrive, at most 1 ms after it
/// has started. The table is open work of its scope until then. If fewer than half of the values
/// are combined, only a sample of the values is added (detail/sampling.hpp; the half was not
/// compared with other shares). The number of bytes of the sums is not limited.

#include "structures/detail/byte_table.hpp"
#include "structures/detail/sampling.hpp"
#include "system/base/check.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace Grappa { namespace detail {

class ByteSums {
 public:
  /// Sends the sums of a table. `state` are the bytes of the operation.
  typedef void (*Send)(void* map, const ByteTable& sums, const char* state);
  enum : size_t { kStateBytes = 16 };

  ByteSums(size_t value_bytes, size_t most_keys)
      : value_bytes_(value_bytes), most_keys_(most_keys), sums_(value_bytes) {}
  ~ByteSums() {
    GRAPPA_CHECK(!flush_pending_)
        << "a global map was destroyed while async operations on it were in progress";
  }

  /// Returns true if the next value should be added.
  bool takes() { return most_keys_ != 0 && sampling_.takes(); }

  /// Returns the table for a value of the running task's scope. If other sums are in the table, it
  /// first sends them. The caller must add the value and call added(). Suspends: if it sends.
  ByteTable* table_for(void* map, Send send, const char* state);
  void added(bool combined) {
    ++added_;
    sampling_.count(combined);
  }

  /// Returns true if the caller must start a task that calls flush().
  bool claim_flush() {
    if (flush_pending_ || sums_.size() == 0) return false;
    return flush_pending_ = true;
  }
  void flush(void* map);  // From: task. Suspends.

 private:
  bool fits(Send send, const char* state) const;
  void send_all(void* map);

  const size_t value_bytes_;
  const size_t most_keys_;
  ByteTable sums_;
  TaskScope* scope_ = nullptr;  // of all sums
  Send send_ = nullptr;
  char state_[kStateBytes] = {};
  uint64_t added_ = 0;
  bool flush_pending_ = false;
  Sampling<1, 2> sampling_;
};

}}  // namespace Grappa::detail
