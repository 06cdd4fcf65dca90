#include "system/global/delegate.hpp"

#include "system/base/units.hpp"
#include "system/net/buffer.hpp"
#include "system/net/transport.hpp"

namespace Grappa::detail {
namespace {

static_assert(kMaxAnswerBytes == 64 * KiB - sizeof(Buffer) - sizeof(RunHeader) - sizeof(uint64_t),
              "kMaxAnswerBytes must fill a message buffer of the default size");

}  // namespace

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

void ReplySlot::drop_expected() {
  GRAPPA_CHECK(!has_waiter())
      << "a future was destroyed while a task waits for it: keep it until get() has returned";
  // The entry becomes the address of the scope plus 1, which is odd. Addresses of slots are even.
  static_assert(alignof(TaskScope) > 1, "");
  reply_slots().move(number_, reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(scope_) | 1));
}

void ReplySlot::refuse_move() {
  GRAPPA_CHECK(false)
      << "a future was moved while a task waits for it: do not move it until get() has returned";
  std::abort();  // not reached, but CHECK is not [[noreturn]]
}

void arrive_dropped(void* slot, bool work_left) {
  TaskScope* scope = reinterpret_cast<TaskScope*>(reinterpret_cast<uintptr_t>(slot) - 1);
  if (scope != nullptr && !work_left) scope->complete(1);
}

void check_answer_fits(size_t bytes) {
  const size_t most = largest_message();
  const size_t needed = transport().buffer_bytes() + bytes - most;
  GRAPPA_CHECK(bytes <= most) << "the answer of a delegate has " << bytes
                              << " bytes, but a message buffer holds only " << most
                              << ": raise --buffer_bytes to " << align_up(needed, kCacheLineBytes)
                              << ", or return a smaller value";
}

}  // namespace Grappa::detail
