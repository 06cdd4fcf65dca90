#pragma once

/// How a blocking delegate gets its answer: a slot on the caller's stack, filled by a message.
///
/// The request is open work of the caller's scope like any counted message, and the answer is its
/// acknowledgement: a subtraction instead of a message. If the body has brought the owner into the
/// scope and left work there, the answer says so, and the owner owes the acknowledgement until that
/// work has ended. (It may then arrive before the answer, which is harmless: the request was
/// counted when sent.)

#include "system/global/delegate_body.hpp"
#include "system/global/reply_slots.hpp"
#include "system/message/scope_hooks.hpp"
#include "system/message/send.hpp"
#include "system/tasking/scheduler.hpp"

#include <new>
#include <type_traits>

namespace Grappa {
namespace detail {

/// An answer of type R, or none for void.
template <class R>
class Answer {
 public:
  template <class F>
  explicit Answer(F& body) : value_(body()) {}
  R get() const { return value_; }

 private:
  R value_;
};

template <>
class Answer<void> {
 public:
  template <class F>
  explicit Answer(F& body) {
    body();
  }
  void get() const {}
};

/// On the stack of the task that waits.
template <class R>
class ReplySlot {
 public:
  ReplySlot() : worker_(scheduler().current()), number_(reply_slots().give(this)) {}
  ReplySlot(const ReplySlot&) = delete;
  ReplySlot& operator=(const ReplySlot&) = delete;

  uint32_t number() const { return number_; }

  /// From: the handler of the answer. `work_left`: the owner owes the acknowledgement.
  void fill(const Answer<R>& answer, bool work_left) {
    work_left_ = work_left;
    new (place_) Answer<R>(answer);
    scheduler().wake(worker_);
  }

  bool work_left() const { return work_left_; }
  const Answer<R>& answer() const { return *reinterpret_cast<const Answer<R>*>(place_); }

 private:
  Worker* const worker_;
  const uint32_t number_;
  bool work_left_ = false;
  alignas(Answer<R>) unsigned char place_[sizeof(Answer<R>)];
};

template <class R, bool WorkLeft>
class Reply : private Answer<R> {
 public:
  Reply(uint32_t number, const Answer<R>& answer) : Answer<R>(answer), number_(number) {}

  void operator()() {
    static_cast<ReplySlot<R>*>(reply_slots().take_back(number_))->fill(*this, WorkLeft);
  }
  void prefetch() const { GRAPPA_PREFETCH(reply_slots().at(number_)); }

 private:
  uint32_t number_;
};

/// Runs a call at the owner and answers.
template <class R, class Call>
class Request : public Call {
 public:
  explicit Request(const Call& call) : Call(call) {}

  /// Answers do not wait for a buffer: between deciding on the answer and sending it nothing else
  /// runs.
  void operator()() {
    const Core caller = aggregator().inbox().source();
    const uint32_t number = this->number();
    Call& call = *this;
    const Answer<R> answer(call);
    TaskScope* scope = current_scope();
    if (scope != nullptr && scope_hooks().answer_leaves_work(scope, caller)) {
      send(caller, Reply<R, true>(number, answer));
    } else {
      send(caller, Reply<R, false>(number, answer));
    }
  }

 private:
  template <class M>
  static void send(Core caller, const M& reply) {
    aggregator().append<Acknowledged::Never, MayWait::Never>(caller, nullptr, reply);
  }
};

/// Sends `call` to core `dest`, which is not this one, and waits for the answer in `slot`.
template <class R, class Call>
R await_answer(ReplySlot<R>* slot, Core dest, const Call& call) {
  typedef Request<R, Call> Message;
  static_assert(WireSafe<Message>::value, "");
  static_assert(travels<Answer<R>>::value,
                "what a delegate returns is sent back as bytes, so it must be trivially copyable");
  static_assert(WireSafe<Reply<R, true>>::value, "");
  TaskScope* scope = current_scope();
  if (scope != nullptr) scope->enroll(1);
  aggregator().append<Acknowledged::ByAnswer>(dest, scope, Message(call));
  aggregator().request_appended();
  {
    Scheduler::Waiting wait(scheduler(), Scheduler::WaitFor::Others);
    scheduler().suspend(WaitReason(WaitReason::Kind::Delegate, static_cast<uint64_t>(dest)));
  }
  if (scope != nullptr && !slot->work_left()) scope->complete(1);
  return slot->answer().get();
}

/// Runs `body()` on core `dest`, which is not this one, and waits for the answer.
template <class R, class F>
R request(Core dest, const F& body) {
  ReplySlot<R> slot;
  return await_answer(&slot, dest, Numbered<F>(slot.number(), body));
}

/// Runs `body` with an object of core `dest`, which is not this one, and waits for the answer.
template <class R, class T, class F>
R request_at(Core dest, T* object, const F& body) {
  typedef NumberedAtObject<T, F> Small;
  ReplySlot<R> slot;
  if (GRAPPA_LIKELY(slot.number() < Small::kNumbers)) {
    return await_answer(&slot, dest, Small(slot.number(), object, body));
  }
  typedef AtObject<T, F> Large;
  return await_answer(&slot, dest, Numbered<Large>(slot.number(), Large(object, body)));
}

}  // namespace detail
}  // namespace Grappa
