#pragma once

/// Where an answer is awaited.
///
/// The slot belongs to whoever has asked: it lies on the stack of a task that waits, or in a
/// Future. An answer that is awaited is open work of the scope in which it was asked for, until it
/// arrives; whether anybody waits for it, at once, later, or not at all, makes no difference to the
/// scope.

#include "system/base/traits.hpp"
#include "system/base/units.hpp"
#include "system/global/reply_slots.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/wire.hpp"
#include "system/net/buffer.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace Grappa {
namespace detail {

/// Copies of an R are the same bytes. It may have a destructor, or an assignment of its own, as a
/// std::pair has: every copy is assigned to and destroyed by itself.
template <class R>
struct CopiesAsBytes
    : std::integral_constant<bool, travels<R>::value || (std::is_copy_constructible<R>::value &&
                                                         __has_trivial_copy(R))> {};
template <>
struct CopiesAsBytes<void> : std::true_type {};

/// Whether a message can hold an R itself.
template <class R>
struct LiesInMessage
    : std::integral_constant<bool, travels<R>::value && alignof(R) <= kRunAlignment> {};
template <>
struct LiesInMessage<void> : std::true_type {};

/// An answer of type R, or none for void.
template <class R, bool = LiesInMessage<R>::value>
class Answer {
 public:
  template <class F>
  explicit Answer(F& body) : value_(body()) {}
  R get() const { return value_; }

 private:
  R value_;
};

/// As bytes, so that it travels, and is aligned as messages are.
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

/// What a message buffer of the default size holds beside the number of the slot.
constexpr size_t kMaxAnswerBytes = 64 * KiB - sizeof(Buffer) - sizeof(RunHeader) - 8;
static_assert(kMaxAnswerBytes == 65432, "as the sentence below says");

/// The compile-time check that R can be sent back: one English sentence where it cannot.
template <class R>
struct CanAnswer {
  static_assert(!std::is_reference<R>::value,
                "a delegate's body returns a value: a reference would name memory of the owner");
  static_assert(CopiesAsBytes<R>::value,
                "what a delegate returns is sent back as bytes, so it must be trivially copyable");
  static_assert(sizeof(Answer<R>) <= kMaxAnswerBytes,
                "what a delegate returns must fit in a message buffer, in 65432 bytes: leave it at "
                "the owner and return its address, or ask for it in pieces");
  static constexpr bool value = true;
};

/// Where an answer is awaited, whatever its type. Invariant: while the answer is to come, the slot
/// has a number, by which reply_slots() finds it.
class ReplySlot {
 public:
  ReplySlot() = default;
  ReplySlot(const ReplySlot&) = delete;
  ReplySlot& operator=(const ReplySlot&) = delete;

  /// An answer is to come, which is open work of the caller's scope.
  void expect() {
    state_ = State::Expected;
    number_ = reply_slots().give(this);
    scope_ = current_scope();
    if (scope_ != nullptr) scope_->enroll(1);
  }

  bool expected() const { return state_ == State::Expected; }
  bool answered() const { return state_ == State::Answered; }
  /// A task waits for what is expected.
  bool awaited() const { return worker_ != nullptr; }

  uint32_t number() const { return number_; }
  TaskScope* scope() const { return scope_; }

  /// For one task, while the answer is expected. From: task or handler. Suspends: until it is here.
  void wait(Core owner) {
    worker_ = scheduler().current();
    aggregator().request_appended();
    Scheduler::Waiting wait(scheduler(), Scheduler::WaitFor::Others);
    scheduler().suspend(WaitReason(WaitReason::Kind::Delegate, static_cast<uint64_t>(owner)));
  }

  /// The answer that is expected, if one is, will find nobody; the scope waits for it all the same.
  void drop();

 protected:
  /// Becomes what `other` is, of which nothing is left. Nobody waits for `other`.
  void take(ReplySlot* other);

  /// From: the handler of the answer, which is in its place. `work_left`: the owner owes the
  /// acknowledgement.
  void arrive(bool work_left) {
    state_ = State::Answered;
    if (scope_ != nullptr && !work_left) scope_->complete(1);
    if (worker_ != nullptr) scheduler().wake(worker_);
    worker_ = nullptr;
  }

  /// There is an answer for which nothing was sent.
  void answer_here() { state_ = State::Answered; }

 private:
  enum class State : uint8_t { Empty, Expected, Answered };

  Worker* worker_ = nullptr;  // who waits
  TaskScope* scope_ = nullptr;
  uint32_t number_ = 0;
  State state_ = State::Empty;
};

/// With the place for an answer of type R.
template <class R>
class ReplySlotFor : public ReplySlot {
 public:
  ReplySlotFor() = default;

  /// The answer, wherever it comes from, is now here.
  void take(ReplySlotFor* other) {
    if (other->answered()) new (place_) Answer<R>(other->answer());
    ReplySlot::take(other);
  }

  void fill(const Answer<R>& answer, bool work_left) {
    new (place_) Answer<R>(answer);
    arrive(work_left);
  }

  /// Runs the call here and now instead of sending it. An exception that leaves it aborts the job.
  template <class Call>
  void fill_here(Call& call) noexcept {
    new (place_) Answer<R>(call);
    answer_here();
  }

  const Answer<R>& answer() const { return *reinterpret_cast<const Answer<R>*>(place_); }

 private:
  alignas(Answer<R>) unsigned char place_[sizeof(Answer<R>)];
};

/// True if what reply_slots() found is the scope of an answer that was dropped.
inline bool is_dropped(const void* slot) { return (reinterpret_cast<uintptr_t>(slot) & 1) != 0; }

/// Such an answer has arrived.
void arrive_dropped(void* slot, bool work_left);

}  // namespace detail
}  // namespace Grappa
