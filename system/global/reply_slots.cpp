#include "system/global/reply_slots.hpp"

namespace Grappa {
namespace detail {

GRAPPA_CORE_LOCAL(ReplySlots*) the_reply_slots = GRAPPA_ABSENT(ReplySlots);

ReplySlots::ReplySlots() {
  GRAPPA_CHECK(is_absent(the_reply_slots)) << "this core already has a table of reply slots";
  the_reply_slots = this;
}

ReplySlots::~ReplySlots() { the_reply_slots = GRAPPA_ABSENT(ReplySlots); }

void ReplySlots::grow() {
  const uintptr_t next = entries_.size() + 1;
  entries_.push_back(reinterpret_cast<void*>(next));
}

}  // namespace detail
}  // namespace Grappa
