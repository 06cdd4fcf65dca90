#include "system/global/reply_slot.hpp"

#include "system/base/check.hpp"
#include "system/base/units.hpp"
#include "system/net/buffer.hpp"

namespace Grappa {
namespace detail {

static_assert(kMaxAnswerBytes == 64 * KiB - sizeof(Buffer) - sizeof(RunHeader) - sizeof(uint64_t),
              "a message buffer of the default size");

void ReplySlot::drop() {
  GRAPPA_CHECK(!has_waiter())
      << "a future was destroyed while a task waits for it: keep it until get() has returned";
  if (expected()) {
    // The entry becomes the scope, marked by the lowest bit, which is 0 in addresses of scopes.
    static_assert(alignof(TaskScope) > 1, "");
    reply_slots().move(number_, reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(scope_) | 1));
  }
  state_ = State::Empty;
}

void ReplySlot::take(ReplySlot* other) {
  GRAPPA_CHECK(!other->has_waiter())
      << "a future was moved while a task waits for it: do not move it "
         "until get() has returned";
  state_ = other->state_;
  scope_ = other->scope_;
  number_ = other->number_;
  if (expected()) reply_slots().move(number_, this);
  other->state_ = State::Empty;
}

void arrive_dropped(void* slot, bool work_left) {
  TaskScope* scope = reinterpret_cast<TaskScope*>(reinterpret_cast<uintptr_t>(slot) - 1);
  if (scope != nullptr && !work_left) scope->complete(1);
}

}  // namespace detail
}  // namespace Grappa
