#pragma once

/// Numbers of reply slots.
///
/// A request contains the number of its reply slot instead of the slot's address. Most numbers fit
/// in the 16 unused bits of a 48-bit pointer, which makes requests and answers smaller. The number
/// freed last is reused first. The table grows only if all its numbers are in use.

#include "system/base/check.hpp"
#include "system/base/core_local.hpp"

#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

class ReplySlots {
 public:
  ReplySlots();
  ~ReplySlots();
  ReplySlots(const ReplySlots&) = delete;
  ReplySlots& operator=(const ReplySlots&) = delete;

  /// Returns a number that refers to `slot` until take_back().
  uint32_t give(void* slot) {
    if (free_ == entries_.size()) grow();
    const uint32_t number = free_;
    free_ = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(entries_[number]));
    entries_[number] = slot;
    return number;
  }

  void* at(uint32_t number) const { return entries_[number]; }

  /// Makes a number in use refer to `slot`.
  void move(uint32_t number, void* slot) { entries_[number] = slot; }

  void* take_back(uint32_t number) {
    GRAPPA_DCHECK(number < entries_.size());
    void* slot = entries_[number];
    entries_[number] = reinterpret_cast<void*>(uintptr_t{free_});
    free_ = number;
    return slot;
  }

 private:
  void grow();

  std::vector<void*> entries_;  // by number: the slot, or the next free number
  uint32_t free_ = 0;           // the first free number; entries_.size() if none is free
};

extern GRAPPA_CORE_LOCAL(ReplySlots*) the_reply_slots;

/// The table of this core. Exists between init and finalize.
inline ReplySlots& reply_slots() { return *the_reply_slots; }

}  // namespace detail
}  // namespace Grappa
