#include "system/global/reply_slots.hpp"

namespace Grappa {
namespace detail {

ReplySlots* the_reply_slots = nullptr;

ReplySlots::ReplySlots() {
  GRAPPA_CHECK(the_reply_slots == nullptr) << "a core has one table of reply slots";
  the_reply_slots = this;
}

ReplySlots::~ReplySlots() { the_reply_slots = nullptr; }

void ReplySlots::grow() {
  const uintptr_t next = entries_.size() + 1;
  entries_.push_back(reinterpret_cast<void*>(next));
}

}  // namespace detail
}  // namespace Grappa
