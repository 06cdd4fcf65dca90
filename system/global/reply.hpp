#pragma once

/// How a blocking delegate gets its answer: a slot on the caller's stack, filled by a message.
///
/// The request is open work of the caller's scope like any counted message, and the answer is its
/// acknowledgement: a subtraction instead of a message. If the body has brought the owner into the
/// scope and left work there, the answer says so, and the owner owes the acknowledgement until that
/// work has ended. (It may then arrive before the answer, which is harmless: the request was
/// counted when sent.)

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
struct ReplySlot {
  Worker* worker;
  bool work_left;  // the owner owes the acknowledgement
  alignas(Answer<R>) unsigned char place[sizeof(Answer<R>)];

  void fill(const Answer<R>& answer) {
    new (place) Answer<R>(answer);
    scheduler().wake(worker);
  }
  const Answer<R>& answer() const { return *reinterpret_cast<const Answer<R>*>(place); }
};

template <class R>
struct Reply {
  ReplySlot<R>* slot;
  Answer<R> answer;

  void operator()() { slot->fill(answer); }
};

template <class R>
struct ReplyWithWork {
  ReplySlot<R>* slot;
  Answer<R> answer;

  void operator()() {
    slot->work_left = true;
    slot->fill(answer);
  }
};

template <class R, class F>
struct Request {
  ReplySlot<R>* slot;
  F body;

  /// Answers do not wait for a buffer: between deciding on the answer and sending it nothing else
  /// runs.
  void operator()() {
    const Core caller = aggregator().inbox().source();
    const Answer<R> answer(body);
    TaskScope* scope = current_scope();
    if (scope != nullptr && scope_hooks().answer_leaves_work(scope, caller)) {
      aggregator().append<Acknowledged::Never, MayWait::Never>(caller, 0,
                                                               ReplyWithWork<R>{slot, answer});
    } else {
      aggregator().append<Acknowledged::Never, MayWait::Never>(caller, 0, Reply<R>{slot, answer});
    }
  }
};

/// Runs `body` on core `dest`, which is not this one, and waits for the answer.
template <class R, class F>
R request(Core dest, const F& body) {
  typedef Request<R, F> Message;
  static_assert(WireSafe<Message>::value, "");
  static_assert(travels<Answer<R>>::value,
                "what a delegate returns is sent back as bytes, so it must be trivially copyable");
  static_assert(WireSafe<Reply<R>>::value, "");
  ReplySlot<R> slot;
  slot.worker = scheduler().current();
  slot.work_left = false;
  TaskScope* scope = current_scope();
  if (scope != nullptr) scope->enroll(1);
  aggregator().append<Acknowledged::ByAnswer>(dest, wire_id(scope), Message{&slot, body});
  scheduler().suspend();
  if (scope != nullptr && !slot.work_left) scope->complete(1);
  return slot.answer().get();
}

}  // namespace detail
}  // namespace Grappa
