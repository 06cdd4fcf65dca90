#pragma once

/// The answers of delegates. An answer is a message that fills a reply slot of the caller.
///
/// The caller owns the slot, which is on the stack of a waiting task or in a Future. A request is
/// open work of the caller's scope, even if no task waits for the answer. The answer is also the
/// acknowledgement, unless a flag in the answer reports that the body has left work behind
/// (docs/design.md, Completion scopes).

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/core_local.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate_body.hpp"
#include "system/message/append.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace Grappa { namespace detail {

/// Numbers of reply slots. A request contains a number instead of the address of its slot, because
/// most numbers fit in the 16 unused bits of a pointer. The number freed last is reused first.
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

extern GRAPPA_CORE_LOCAL(ReplySlots*) the_reply_slots;  // exists between init and finalize
inline ReplySlots& reply_slots() { return *the_reply_slots; }

/// True if copying an R copies its bytes. R may have a destructor or its own assignment operator,
/// like std::pair, because each copy is assigned and destroyed separately.
template <class R>
struct CopiesAsBytes : std::integral_constant<bool, std::is_void<R>::value || travels<R>::value ||
                                                        (std::is_copy_constructible<R>::value &&
                                                         __has_trivial_copy(R))> {};

template <class R>
struct LiesInMessage
    : std::integral_constant<bool, travels<R>::value && alignof(R) <= kRunAlignment> {};
template <>
struct LiesInMessage<void> : std::true_type {};

template <class R, bool = LiesInMessage<R>::value>
class Answer {
 public:
  template <class F>
  explicit Answer(F& body) : value_(body()) {}
  R get() const { return value_; }

 private:
  R value_;
};

/// An answer as bytes: trivially copyable, and aligned for messages.
template <class R>
class Answer<R, false> {
 public:
  template <class F>
  explicit Answer(F& body) {
    const R value(body());
    std::memcpy(bytes_, static_cast<const void*>(&value), sizeof(R));
  }
  R get() const {
    alignas(R) unsigned char aligned[sizeof(R)];
    std::memcpy(aligned, bytes_, sizeof(R));
    return *reinterpret_cast<const R*>(aligned);
  }

 private:
  alignas(alignof(R) < kRunAlignment ? alignof(R) : kRunAlignment) unsigned char bytes_[sizeof(R)];
};

template <>
class Answer<void, true> {
 public:
  template <class F>
  explicit Answer(F& body) {
    body();
  }
  void get() const {}
};

/// The answer of a message without padding, so that a message with an 8-byte answer has 12 bytes.
template <class R, bool = std::is_empty<Answer<R>>::value>
class PackedAnswer {
 public:
  explicit PackedAnswer(const Answer<R>& answer) {
    std::memcpy(bytes_, static_cast<const void*>(&answer), sizeof(answer));
  }
  void copy_to(void* answer) const { std::memcpy(answer, bytes_, sizeof(bytes_)); }

 private:
  unsigned char bytes_[sizeof(Answer<R>)];
};
template <class R>
class PackedAnswer<R, true> {
 public:
  explicit PackedAnswer(const Answer<R>&) {}
  void copy_to(void*) const {}
};

constexpr size_t kMaxAnswerBytes = 65432;  // fits in a message buffer of default size

/// Compiles only if R can be the return type of a delegate.
template <class R>
struct CanAnswer {
  static_assert(!std::is_reference<R>::value,
                "a delegate must return a value: a reference is valid on the owner only");
  static_assert(!HoldsView<R>::value,
                "a delegate must not return a View, which is valid on the owner only: return a "
                "copy, such as view.copy()");
  static_assert(CopiesAsBytes<R>::value,
                "the return type of a delegate must be trivially copyable: it is sent as bytes (a "
                "call with payload() also returns strings, vectors and types with a Serialize)");
  static_assert(sizeof(Answer<R>) <= kMaxAnswerBytes,
                "the return value of a delegate must fit in 65432 bytes of a message buffer: "
                "return its address, or read it in parts");
  static constexpr bool value = true;
};

/// The part of a reply slot that does not depend on the answer's type. While the answer is
/// expected, reply_slots() maps number_ to the slot.
class ReplySlot {
 public:
  ReplySlot() = default;
  ReplySlot(const ReplySlot&) = delete;
  ReplySlot& operator=(const ReplySlot&) = delete;

  /// Registers an expected answer as open work of the caller's scope.
  void expect() {
    state_ = State::Expected;
    number_ = reply_slots().give(this);
    scope_ = current_scope();
    if (scope_ != nullptr) scope_->enroll(1);
  }

  bool expected() const { return state_ == State::Expected; }
  bool answered() const { return state_ == State::Answered; }
  bool has_waiter() const { return worker_ != nullptr; }
  uint32_t number() const { return number_; }
  TaskScope* scope() const { return scope_; }

  /// Waits for the expected answer. At most one task may wait. From: task or handler.
  void wait(Core owner) {
    worker_ = waiting_worker();
    request_appended();
    ++work_done.calls;
    suspend(WaitReason(WaitReason::Kind::Delegate, static_cast<uint64_t>(owner)));
  }

  /// Discards the expected answer, if any. The scope still waits until the answer has arrived.
  void drop() {
    if (expected()) drop_expected();
    state_ = State::Empty;
  }

 protected:
  /// Takes over the state of `other` and leaves `other` empty. No task may wait for `other`.
  void take(ReplySlot* other) {
    if (GRAPPA_UNLIKELY(other->has_waiter())) refuse_move();
    state_ = other->state_;
    scope_ = other->scope_;
    number_ = other->number_;
    if (expected()) reply_slots().move(number_, this);
    other->state_ = State::Empty;
  }

  enum class State : uint8_t { Empty, Expected, Answered };

  Worker* worker_ = nullptr;  // the waiting task
  TaskScope* scope_ = nullptr;
  uint32_t number_ = 0;
  State state_ = State::Empty;

 private:
  void drop_expected();
  [[noreturn]] static void refuse_move();
};

template <class R>
class ReplySlotFor : public ReplySlot {
 public:
  void take(ReplySlotFor* other) {
    if (other->answered()) new (storage_) Answer<R>(other->answer());
    ReplySlot::take(other);
  }

  /// Stores an answer that has arrived. If `work_left`, the owner acknowledges it separately.
  void fill(const PackedAnswer<R>& answer, bool work_left) {
    answer.copy_to(storage_);
    state_ = State::Answered;
    if (scope_ != nullptr && !work_left) scope_->complete(1);
    if (worker_ == nullptr) return;
    wake(worker_);
    worker_ = nullptr;
  }

  /// Runs the call immediately on this core. An exception that leaves the call aborts the job.
  template <class Call>
  void fill_here(Call& call) noexcept {
    new (storage_) Answer<R>(call);
    state_ = State::Answered;
  }

  const Answer<R>& answer() const { return *reinterpret_cast<const Answer<R>*>(storage_); }

 private:
  alignas(Answer<R>) unsigned char storage_[sizeof(Answer<R>)];
};

/// Handles the arrival of a dropped answer. `slot` is the address of the scope, plus 1.
void arrive_dropped(void* slot, bool work_left);

/// Writes an answer into its reply slot. The sending handler stores the answer only once on its
/// stack, because a stack is only a little larger than the largest answer.
template <class R, bool WorkLeft>
class Reply : private PackedAnswer<R> {
 public:
  Reply(uint32_t number, const Answer<R>& answer) : PackedAnswer<R>(answer), number_(number) {}

  void operator()() {
    void* slot = reply_slots().take_back(number_);
    if (GRAPPA_UNLIKELY((reinterpret_cast<uintptr_t>(slot) & 1) != 0)) {
      return arrive_dropped(slot, WorkLeft);
    }
    static_cast<ReplySlotFor<R>*>(static_cast<ReplySlot*>(slot))->fill(*this, WorkLeft);
  }
  void prefetch() const { GRAPPA_PREFETCH(reply_slots().at(number_)); }

 private:
  uint32_t number_;
};

/// Sends the answer of a request of `caller`. Never waits for a buffer. No other code may run
/// between answer_leaves_work() and the send.
template <class R>
GRAPPA_ALWAYS_INLINE void send_answer(Core caller, uint32_t number, const Answer<R>& answer) {
  TaskScope* scope = current_scope();
  if (scope != nullptr && scope_hooks().answer_leaves_work(scope, caller)) {
    emplace<Reply<R, true>, Acknowledged::Never, MayWait::Never>(NothingToCheck(), caller, nullptr,
                                                                 number, answer);
  } else {
    emplace<Reply<R, false>, Acknowledged::Never, MayWait::Never>(NothingToCheck(), caller, nullptr,
                                                                  number, answer);
  }
}

template <class R, class Call>
class Request : public Call {
 public:
  explicit Request(const Call& call) : Call(call) {}

  void operator()() {
    const Core caller = the_sender;
    const uint32_t number = this->number();
    Call& call = *this;
    const Answer<R> answer(call);
    send_answer(caller, number, answer);
  }
};

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
template <class R, class T, class F>
void start(ReplySlotFor<R>* slot, int64_t dest, const AtObject<T, F>& body) {
  typedef NumberedAtObject<T, F> Small;
  slot->expect();
  if (GRAPPA_LIKELY(slot->number() < Small::kNumbers)) {
    send_request<R>(dest, slot->scope(), Small(slot->number(), body.object(), body.body()));
  } else {
    send_request<R>(dest, slot->scope(), Numbered<AtObject<T, F>>(slot->number(), body));
  }
}

/// In checked mode, examines the body of a call on core `dest`, and the object if there is one.
template <class F>
void check_call(int64_t, const F& body) {
  check_closure(body);
}
template <class T, class F>
void check_call(int64_t dest, const AtObject<T, F>& body) {
  check_closure(body.body());
  check_access(static_cast<Core>(dest), body.object());
}

/// Runs `body()` on core `dest`, which is not this core, and waits for the answer. It is a separate
/// function, so its callers need no stack frame if this core is the owner.
template <class R, class F>
GRAPPA_NOINLINE R request(int64_t dest, F body) {
  ReplySlotFor<R> slot;
  start(&slot, dest, body);
  slot.wait(static_cast<Core>(dest));
  return slot.answer().get();
}

}}  // namespace Grappa::detail
