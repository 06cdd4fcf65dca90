#pragma once

/// Short names for the places in which answers are awaited.
///
/// A request names its place by a small number instead of an address, so that it fits beside a
/// pointer of 48 bits: requests and answers are what blocking delegates move, and each byte counts.
/// The number freed last is given out next. Not more numbers are in use than answers are awaited.

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

  /// A number that stands for `slot` until it is taken back.
  uint32_t give(void* slot) {
    if (free_ == entries_.size()) grow();
    const uint32_t number = free_;
    free_ = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(entries_[number]));
    entries_[number] = slot;
    return number;
  }

  void* at(uint32_t number) const { return entries_[number]; }

  /// A number in use stands for `slot` from now on.
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

  std::vector<void*> entries_;  // by number: the slot, or the number that is free next
  uint32_t free_ = 0;           // entries_.size() if none is
};

extern GRAPPA_CORE_LOCAL(ReplySlots*) the_reply_slots;

/// This core's. Exists between init and finalize.
inline ReplySlots& reply_slots() { return *the_reply_slots; }

}  // namespace detail
}  // namespace Grappa
