#pragma once

/// The answers of delegates: a message fills a reply slot of the caller.
///
/// A request is open work of the caller's scope like any counted message. The answer is also the
/// acknowledgement: the caller subtracts 1 from the scope's count, without a message. If the body
/// has left work of the scope at the owner, the answer has a flag for it, and the owner sends the
/// acknowledgement when that work has ended. (The acknowledgement may arrive before the answer,
/// which is harmless: the request was counted when it was sent.)

#include "system/global/delegate_body.hpp"
#include "system/global/reply_slot.hpp"
#include "system/message/append.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Writes an answer into its reply slot. The sending handler stores the answer only once on its
/// stack, because stacks are little larger than the largest answers.
template <class R, bool WorkLeft>
class Reply : private Answer<R> {
 public:
  Reply(uint32_t number, const Answer<R>& answer) : Answer<R>(answer), number_(number) {}

  void operator()() {
    void* slot = reply_slots().take_back(number_);
    if (GRAPPA_UNLIKELY(is_dropped(slot))) return arrive_dropped(slot, WorkLeft);
    static_cast<ReplySlotFor<R>*>(static_cast<ReplySlot*>(slot))->fill(*this, WorkLeft);
  }
  void prefetch() const { GRAPPA_PREFETCH(reply_slots().at(number_)); }

 private:
  uint32_t number_;
};

/// Runs a call at the owner and sends the answer.
template <class R, class Call>
class Request : public Call {
 public:
  explicit Request(const Call& call) : Call(call) {}

  /// Never waits for a buffer: no other code may run between answer_leaves_work() and the send.
  void operator()() {
    const Core caller = the_sender;
    const uint32_t number = this->number();
    Call& call = *this;
    const Answer<R> answer(call);
    TaskScope* scope = current_scope();
    if (scope != nullptr && scope_hooks().answer_leaves_work(scope, caller)) {
      send<true>(caller, number, answer);
    } else {
      send<false>(caller, number, answer);
    }
  }

 private:
  template <bool WorkLeft>
  static void send(Core caller, uint32_t number, const Answer<R>& answer) {
    emplace<Reply<R, WorkLeft>, Acknowledged::Never, MayWait::Never>(NothingToCheck(), caller,
                                                                     nullptr, number, answer);
  }
};

/// Aborts the job if an answer of `bytes` bytes does not fit in the message buffers of this job.
void check_answer_fits(size_t bytes);

/// Sends `call` to core `dest`, which is not this core. The answer goes to slot `call.number()`.
template <class R, class Call>
void send_request(int64_t dest, TaskScope* scope, const Call& call) {
  typedef Request<R, Call> Message;
  static_assert(WireSafe<Message>::value, "");
  // A smaller answer fits in a message buffer of any permitted size.
  if (sizeof(Reply<R, true>) > kMaxClosureBytes) check_answer_fits(sizeof(Reply<R, true>));
  append<Acknowledged::ByAnswer>(dest, scope, Message(call));
}

/// Starts `body()` on core `dest`, which is not this core. The answer goes to `slot`.
template <class R, class F>
void start(ReplySlotFor<R>* slot, int64_t dest, const F& body) {
  slot->expect();
  send_request<R>(dest, slot->scope(), Numbered<F>(slot->number(), body));
}

/// Starts `body` with an object of core `dest`, which is not this core. The answer goes to `slot`.
template <class R, class T, class F>
void start_at(ReplySlotFor<R>* slot, Core dest, T* object, const F& body) {
  typedef NumberedAtObject<T, F> Small;
  typedef AtObject<T, F> Large;
  slot->expect();
  if (GRAPPA_LIKELY(slot->number() < Small::kNumbers)) {
    send_request<R>(dest, slot->scope(), Small(slot->number(), object, body));
  } else {
    send_request<R>(dest, slot->scope(), Numbered<Large>(slot->number(), Large(object, body)));
  }
}

// Separate functions: their callers then need no stack frame if this core is the owner.

/// Runs `body()` on core `dest`, which is not this core, and waits for the answer.
template <class R, class F>
GRAPPA_NOINLINE R request(int64_t dest, F body) {
  ReplySlotFor<R> slot;
  start(&slot, dest, body);
  slot.wait(static_cast<Core>(dest));
  return slot.answer().get();
}

/// Runs `body` with an object of core `dest`, which is not this core, and waits for the answer.
template <class R, class T, class F>
GRAPPA_NOINLINE R request_at(Core dest, T* object, F body) {
  ReplySlotFor<R> slot;
  start_at(&slot, dest, object, body);
  slot.wait(dest);
  return slot.answer().get();
}

}  // namespace detail
}  // namespace Grappa
