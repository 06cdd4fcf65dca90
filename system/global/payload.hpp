#pragma once

/// Delegates with payloads of variable size: strings, vectors, and types with a Serialize.
///
///     delegate::call(core, payload(word, count), [](StringView word, int64_t count) { ... });
///     delegate::call<async>(core, payload(values), [](View<double> values) { ... });
///     delegate::call(address, payload(word), [](Node& node, StringView word) { ... });
///     std::string name = delegate::call(core, payload(), [] { return names[0]; });
///
/// The body takes each sequence either as a view or as an owned value:
///
/// | argument of payload()                       | view            | owned value      |
/// |---------------------------------------------|-----------------|------------------|
/// | std::string, View<char>, std::vector<char>, | View<char>      | std::string      |
/// | text in quotes                              |                 |                  |
/// | std::vector<T>, View<T>, T trivially copied | View<T>         | std::vector<T>   |
/// | any other T with a Serialize                |                 | T                |
///
/// A body with views reads the message buffer, or a copy if the payload is large or of this core.
/// The views are valid until the body returns, and the body must not suspend: a suspension aborts
/// the job, on every core and for payloads of any size. A body with owned values may suspend. A
/// char array is a text that ends at the first zero byte. Pass View<char>(data, n) for all bytes.
///
/// A payload may have any size that fits into memory. A sequence that is not the last value, or
/// that is an answer, has at most 4,294,967,295 elements. A payload that does not fit into a
/// message buffer is sent in parts. The sender then copies it twice, and the receiver once, into
/// memory that it allocates when the first part arrives. The values are copied before the call
/// suspends, so other tasks may change them while it waits. The async calls of a task with equal
/// bodies and types begin in program order, regardless of the sizes of their payloads. A blocking
/// call may overtake earlier async calls.

#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/global/payload_fields.hpp"
#include "system/global/reply.hpp"
#include "system/message/send.hpp"
#include "system/message/serialize.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace Grappa {

/// The arguments of payload(). A payload refers to its arguments, so it is only valid within the
/// expression that creates it.
template <class... Fields>
class Payload {
 public:
  typedef std::tuple<typename Fields::Held...> Held;
  explicit Payload(const Held& held) : held_(held) {}
  const Held& held() const { return held_; }

 private:
  Held held_;
};

/// Returns the payload of a delegate: any number of values. From: any thread.
template <class... Ts>
Payload<typename detail::FieldOf<typename std::decay<const Ts&>::type>::type...> payload(
    const Ts&... values) {
  typedef Payload<typename detail::FieldOf<typename std::decay<const Ts&>::type>::type...> Fields;
  return Fields(typename Fields::Held(
      detail::FieldOf<typename std::decay<const Ts&>::type>::type::hold(values)...));
}

namespace detail {

/// Sends `bytes` bytes that `write(char*)` writes, in one message or in parts. Calls `write` before
/// the first suspension, because other tasks may change what it reads.
template <class Message, class Body, class Write>
void send_written(int64_t dest, const Body& body, size_t bytes, TaskScope* scope,
                  const Write& write) {
  char* const place = Message::append_now(dest, body, bytes, scope);
  if (GRAPPA_LIKELY(place != nullptr)) return write(place);
  const PayloadCopy copy(bytes);
  write(copy.data());
  yield_if_due();  // append_now() has left this to its caller
  Message::send_any(dest, body, copy.data(), bytes, scope);
}

template <class F, class... Fields>
struct AsyncWithPayload {
  [[no_unique_address]] F body;
  explicit AsyncWithPayload(const F& its_body) : body(its_body) {}
  void operator()(const void* bytes, size_t n) { FieldCall<F, Fields...>::call(body, bytes, n); }

  /// Only if the body has such a member, which must not suspend, and reads the fields in place.
  template <class G = F>
  auto prefetch(const void* bytes, size_t n, int stage) const
      -> decltype(std::declval<const G&>().prefetch(bytes, n, stage)) {
    static_assert(FieldCall<F, Fields...>::kInPlace, "a body with owned values may suspend");
    body.prefetch(bytes, n, stage);
  }
};

/// A body that takes an object of the owner by reference, then the fields.
template <class T, class F>
class AtObjectWith {
 public:
  AtObjectWith(T* object, const F& body) : object_(object), body_(body) {}

  template <class... Fields>
  auto operator()(Fields&&... fields)
      -> decltype(std::declval<F&>()(std::declval<T&>(), std::forward<Fields>(fields)...)) {
    return body_(*object_, std::forward<Fields>(fields)...);
  }

 private:
  T* object_;  // valid at the owner
  [[no_unique_address]] F body_;
};

/// Sends a call. An exception of a Serialize aborts the job, because the call has already begun.
template <Acknowledged A, class Call, class Body>
void send_with_payload(int64_t dest, const Body& body, TaskScope* scope,
                       const typename Call::Held& held) noexcept {
  typedef PayloadMessage<Body, A, MayWait::InTasks, Call::kAlignment> Message;
  const size_t bytes = Call::bytes(held);
  send_written<Message>(dest, body, bytes, scope,
                        [&held, bytes](char* to) { Call::write(to, bytes, held); });
}

/// An answer of variable size.
template <class R>
struct LongAnswer {
  R value;
  const R& get() const { return value; }
};

/// The reply slot of an answer of variable size. A task waits for the answer, or a Future has it.
template <class R>
class LongReplySlot : public ReplySlot {
 public:
  ~LongReplySlot() {
    if (answered()) value()->~LongAnswer<R>();
  }

  void take(LongReplySlot* other) {
    const bool was_answered = other->answered();
    if (was_answered) new (storage_) LongAnswer<R>(std::move(*other->value()));
    ReplySlot::take(other);
    if (was_answered) other->value()->~LongAnswer<R>();
  }

  /// Stores an answer that has arrived.
  void fill(R&& answer, bool work_left) {
    new (storage_) LongAnswer<R>{std::move(answer)};
    state_ = State::Answered;
    if (scope_ != nullptr && !work_left) scope_->complete(1);
    if (worker_ == nullptr) return;
    wake(worker_);
    worker_ = nullptr;
  }

  /// Runs the call immediately on this core. An exception that leaves the call aborts the job.
  template <class Call>
  void fill_here(const Call& call) noexcept {
    new (storage_) LongAnswer<R>{call()};
    state_ = State::Answered;
  }

  /// Stores the answer in slot `number`, or discards it if the slot was dropped.
  static void fill_number(uint32_t number, R&& answer, bool work_left) {
    void* const slot = reply_slots().take_back(number);
    if (GRAPPA_UNLIKELY((reinterpret_cast<uintptr_t>(slot) & 1) != 0)) {
      return arrive_dropped(slot, work_left);
    }
    static_cast<LongReplySlot*>(static_cast<ReplySlot*>(slot))->fill(std::move(answer), work_left);
  }

  void drop() {
    if (answered()) value()->~LongAnswer<R>();
    ReplySlot::drop();
  }

  const LongAnswer<R>& answer() const { return *reinterpret_cast<const LongAnswer<R>*>(storage_); }
  R take_answer() { return std::move(value()->value); }

 private:
  LongAnswer<R>* value() { return reinterpret_cast<LongAnswer<R>*>(storage_); }

  alignas(LongAnswer<R>) unsigned char storage_[sizeof(LongAnswer<R>)];
};

template <class R>
struct FutureSlot<R, false> {
  typedef LongReplySlot<R> type;
};

template <class R, bool WorkLeft>
struct LongReply {
  uint32_t number;
  void operator()(const void* bytes, size_t n) const {
    LongReplySlot<R>::fill_number(number, read_checked<R>(bytes, n), WorkLeft);
  }
};

/// How a body answers: in a message of fixed size, or in a message of variable size.
template <class R, bool = CopiesAsBytes<R>::value>
struct AnswerForm {
  static_assert(CanAnswer<R>::value, "");
  typedef ReplySlotFor<R> Slot;
  static void check_fits() {  // as send_request() in reply.hpp
    if (sizeof(Reply<R, true>) > kMaxClosureBytes) check_answer_fits(sizeof(Reply<R, true>));
  }
  static R take(Slot* slot) { return slot->answer().get(); }
  template <class Call>
  static void answer(Core caller, uint32_t number, Call call) {
    const Answer<R> answer(call);
    send_answer(caller, number, answer);
  }
};

template <class R>
struct AnswerForm<R, false> {
  static_assert(!std::is_reference<R>::value,
                "a delegate must return a value: a reference is valid on the owner only");
  static_assert(!HoldsView<R>::value,
                "a delegate must not return views, which are valid on the owner only: return "
                "copies, such as view.copy()");
  static_assert(CanSerialize<R>::value,
                "the return type of a delegate with a payload must be trivially copyable or have a "
                "Serialize: specialise Grappa::Serialize for it");
  typedef LongReplySlot<R> Slot;
  static void check_fits() {}
  static R take(Slot* slot) { return slot->take_answer(); }
  template <class Call>
  static void answer(Core caller, uint32_t number, Call call) {
    const R value = call();
    const size_t bytes = Serialize<R>::size(value);
    const size_t most_bytes = Message<true, MayWait::Never>::most_bytes();
    if (GRAPPA_UNLIKELY(bytes > most_bytes)) {
      return send_in_parts(caller, number, value, bytes);
    }
    TaskScope* const scope = current_scope();
    if (scope != nullptr && scope_hooks().answer_leaves_work(scope, caller)) {
      write_checked(append<true>(caller, number, bytes), bytes, value);
    } else {
      write_checked(append<false>(caller, number, bytes), bytes, value);
    }
  }

 private:
  template <bool WorkLeft, MayWait W>
  using Message = PayloadMessage<LongReply<R, WorkLeft>, Acknowledged::Never, W, 1>;

  template <bool WorkLeft>
  static char* append(Core caller, uint32_t number, size_t bytes) {
    return Message<WorkLeft, MayWait::Never>::append(caller, LongReply<R, WorkLeft>{number}, bytes);
  }

  /// Sends the parts in a task, which may wait for buffers. The task is work of the caller's scope.
  GRAPPA_NOINLINE static void send_in_parts(Core caller, uint32_t number, const R& value,
                                            size_t bytes) {
    PayloadCopy* const copy = new PayloadCopy(bytes);
    write_checked(copy->data(), bytes, value);
    const auto send = [copy, bytes, caller, number] {
      const std::unique_ptr<PayloadCopy> until_sent(copy);
      TaskScope* const scope = current_scope();
      if (scope != nullptr && scope_hooks().answer_leaves_work(scope, caller)) {
        send_any<true>(caller, number, *copy, bytes);
      } else {
        send_any<false>(caller, number, *copy, bytes);
      }
      flush_to(caller, FlushCause::Asked);
    };
    start_helper_task(Closure::make(send), current_scope());
  }

  template <bool WorkLeft>
  static void send_any(Core caller, uint32_t number, const PayloadCopy& copy, size_t bytes) {
    Message<WorkLeft, MayWait::InTasks>::send_any(caller, LongReply<R, WorkLeft>{number},
                                                  copy.data(), bytes);
  }
};

template <class F, class... Fields>
struct RequestWithPayload {
  typedef FieldCall<F, Fields...> Call;
  typedef typename Call::Result R;

  uint32_t number;
  [[no_unique_address]] F body;
  RequestWithPayload(uint32_t its_number, const F& its_body) : number(its_number), body(its_body) {}

  void operator()(const void* bytes, size_t n) {
    AnswerForm<R>::answer(the_sender, number,
                          [this, bytes, n]() -> R { return Call::call(body, bytes, n); });
  }
};

template <class F, class... Fields>
struct NeverSuspends<AsyncWithPayload<F, Fields...>>
    : std::integral_constant<bool, FieldCall<F, Fields...>::kInPlace> {};
template <class F, class... Fields>
struct NeverSuspends<RequestWithPayload<F, Fields...>>
    : std::integral_constant<bool, FieldCall<F, Fields...>::kInPlace> {};

/// The core and the body of a call: at a core, or at an object of its owner.
template <class Dest, class F>
struct CallTarget {
  typedef F Body;
  static int64_t core(int64_t dest) { return dest; }
  static const F& body(int64_t, const F& body) { return body; }
};
template <class T, class F>
struct CallTarget<GlobalAddress<T>, F> {
  typedef AtObjectWith<T, F> Body;
  static int64_t core(GlobalAddress<T> address) { return address.core(); }
  static Body body(GlobalAddress<T> address, const F& body) {
    return Body(address.pointer(), body);
  }
};

template <class Dest, class F, class... Fields>
using CallAtTarget = FieldCall<typename CallTarget<Dest, F>::Body, Fields...>;

}  // namespace detail

namespace delegate {

/// Runs `body(fields...)` on core `dest`, or `body(object, fields...)` at the owner of the
/// GlobalAddress `dest`, where the body takes the object by reference. Returns the result of the
/// body: a value of fixed size, or any type with a Serialize. Suspends: as call(dest, body).
/// Messages: 2, or 1 for each part of a payload or answer that does not fit into a buffer; 0 at
/// this core.
template <SyncMode S = SyncMode::Blocking, class Dest, class F, class... Fields>
typename std::enable_if<S == SyncMode::Blocking,
                        typename detail::CallAtTarget<Dest, F, Fields...>::Result>::type
call(Dest dest, const Payload<Fields...>& with, F body) {
  typedef detail::CallTarget<Dest, F> Target;
  typedef detail::CallAtTarget<Dest, F, Fields...> Call;
  typedef detail::AnswerForm<typename Call::Result> AnswerForm;
  detail::check_closure(body);
  const int64_t core = Target::core(dest);
  typename Target::Body at_target = Target::body(dest, body);
  if (core == detail::the_running_core) return Call::call_here(at_target, with.held());
  AnswerForm::check_fits();
  typename AnswerForm::Slot slot;
  slot.expect();
  detail::send_with_payload<detail::Acknowledged::ByAnswer, Call>(
      core, detail::RequestWithPayload<typename Target::Body, Fields...>(slot.number(), at_target),
      slot.scope(), with.held());
  slot.wait(static_cast<Core>(core));
  return AnswerForm::take(&slot);
}

/// Starts the call and returns the future of its result, which is of any type of a call with a
/// payload. The payload is copied before the function returns. Suspends: while no message buffer
/// is free. On this core: as the body. Messages: as the blocking call.
template <class Dest, class F, class... Fields>
Future<typename detail::CallAtTarget<Dest, F, Fields...>::Result> call_future(
    Dest dest, const Payload<Fields...>& with, F body) {
  typedef detail::CallTarget<Dest, F> Target;
  typedef detail::CallAtTarget<Dest, F, Fields...> Call;
  typedef typename Call::Result R;
  detail::check_closure(body);
  const int64_t core = Target::core(dest);
  typename Target::Body at_target = Target::body(dest, body);
  detail::AnswerForm<R>::check_fits();
  Future<R> future;
  typename detail::FutureSlot<R>::type* const slot =
      detail::begin_future(&future, detail::checked_core(core));
  if (core == detail::the_running_core) {
    auto call_here = [&at_target, &with]() -> R { return Call::call_here(at_target, with.held()); };
    slot->fill_here(call_here);
    return future;
  }
  slot->expect();
  detail::send_with_payload<detail::Acknowledged::ByAnswer, Call>(
      core, detail::RequestWithPayload<typename Target::Body, Fields...>(slot->number(), at_target),
      slot->scope(), with.held());
  return future;
}

/// Asynchronous: the caller's scope waits. The payload is copied before the function returns.
/// Discards the result of the body. Suspends: in a task, while no message buffer is free. Messages:
/// 1, or 1 for each part.
template <SyncMode S, class Dest, class F, class... Fields>
detail::IfAsync<S> call(Dest dest, const Payload<Fields...>& with, F body) {
  typedef detail::CallTarget<Dest, F> Target;
  typedef detail::CallAtTarget<Dest, F, Fields...> Call;
  detail::check_closure(body);
  detail::send_with_payload<detail::Acknowledged::ByRun, Call>(
      Target::core(dest),
      detail::AsyncWithPayload<typename Target::Body, Fields...>(Target::body(dest, body)),
      detail::current_scope(), with.held());
}

}  // namespace delegate

namespace detail {

/// As delegate::call<async>, but no scope waits for the body.
template <class F, class... Fields>
void send_payload(Core dest, const Payload<Fields...>& with, const F& body) {
  send_with_payload<Acknowledged::Never, FieldCall<F, Fields...>>(
      dest, AsyncWithPayload<F, Fields...>(body), nullptr, with.held());
}

}  // namespace detail
}  // namespace Grappa
