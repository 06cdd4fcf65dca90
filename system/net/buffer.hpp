#pragma once

/// A message buffer: what moves between cores.
///
///     byte 0          64                     64 + used_bytes      buffer_bytes
///          | Buffer   | runs of messages ... | unused             |
///
/// It belongs to exactly one core at a time. Within a locale it lies in memory that all its cores
/// map: the sender fills it, hands it over, the receiver executes the messages where they lie and
/// gives it back to its owner. Between locales MPI copies header and used bytes into a buffer of
/// the receiver. Every core maps it at another address, so it holds no pointers but the link of its
/// present holder.

#include "system/base/ids.hpp"
#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Where a buffer's memory comes from, and thus where it returns to.
enum class BufferOrigin : uint8_t {
  Stock,     // a core's fixed stock; `owner` and `index` name it
  Received,  // posted for MPI to receive into
  Overflow,  // taken from the heap by a handler that found no stock
};

struct alignas(kCacheLineBytes) Buffer {
  uint32_t used_bytes;  // of the runs behind the header
  uint32_t index;       // in the owner's stock, or among the posted receives
  Core source;          // who filled it
  Core owner;           // whose stock it belongs to
  BufferOrigin origin;
  bool mixed;    // some runs are for other cores of the receiver's locale
  Buffer* next;  // in a list of whoever holds it; means nothing to others

  char* runs() { return reinterpret_cast<char*>(this + 1); }
  const char* runs() const { return reinterpret_cast<const char*>(this + 1); }
};

static_assert(sizeof(Buffer) == kCacheLineBytes, "runs begin on a cache line of their own");

}  // namespace detail
}  // namespace Grappa
