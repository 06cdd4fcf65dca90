#pragma once

/// Delegates with payloads of variable size: strings, vectors, and types with a Serialize.
///
///     delegate::call(core, payload(word, count), [](StringView word, int64_t count) { ... });
///     delegate::call<async>(core, payload(values), [](View<double> values) { ... });
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
/// A body with views reads the message buffer. The views are valid until the body returns, and the
/// body must not suspend: a suspension aborts the job, on every core and for payloads of any size.
/// A body with owned values may suspend.
///
/// A payload may have any size that fits into memory. If it does not fit into a message buffer, it
/// is sent in parts. The other rules are those of delegate.hpp: the delegates of a task with equal
/// bodies and types take effect in program order, regardless of the sizes of their payloads.

#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/global/delegate.hpp"
#include "system/global/payload_fields.hpp"
#include "system/global/reply.hpp"
#include "system/message/send.hpp"
#include "system/message/serialize.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

/// Sends `bytes` bytes that `write(char*)` writes, in one message or in parts.
template <class Message, class Body, class Write>
void send_written(int64_t dest, const Body& body, size_t bytes, TaskScope* scope,
                  const Write& write) {
  if (GRAPPA_LIKELY(bytes <= Message::most_bytes())) {
    return write(Message::append(dest, body, bytes, scope));
  }
  const std::unique_ptr<char, void (*)(void*)> copy(static_cast<char*>(std::malloc(bytes)),
                                                    std::free);
  GRAPPA_CHECK(copy != nullptr) << "out of memory for a payload of " << bytes << " bytes";
  write(copy.get());
  Message::send_any(dest, body, copy.get(), bytes, scope);
}

template <class F, class... Fields>
struct AsyncWithPayload {
  [[no_unique_address]] F body;
  explicit AsyncWithPayload(const F& its_body) : body(its_body) {}
  void operator()(const void* bytes, size_t n) { FieldCall<F, Fields...>::call(body, bytes, n); }
};

/// Sends a call. If the payload is a large part of memory, `bytes` of it are copied once more.
template <Acknowledged A, class Call, class Body>
void send_with_payload(int64_t dest, const Body& body, TaskScope* scope,
                       const typename Call::Held& held) {
  typedef PayloadMessage<Body, A, MayWait::InTasks, Call::kAlignment> Message;
  send_written<Message>(dest, body, Call::bytes(held), scope,
                        [&held](char* to) { Call::write(to, held); });
}

/// The reply slot of an answer of variable size. A task waits for the answer.
template <class R>
class LongReplySlot : public ReplySlot {
 public:
  ~LongReplySlot() {
    if (answered()) value()->~R();
  }

  void fill(const void* bytes, size_t n, bool work_left) {
    new (storage_) R(read_checked<R>(bytes, n));
    state_ = State::Answered;
    if (scope_ != nullptr && !work_left) scope_->complete(1);
    wake(worker_);
    worker_ = nullptr;
  }

  R take_answer() { return std::move(*value()); }

 private:
  R* value() { return reinterpret_cast<R*>(storage_); }

  alignas(R) unsigned char storage_[sizeof(R)];
};

template <class R, bool WorkLeft>
struct LongReply {
  uint32_t number;
  void operator()(const void* bytes, size_t n) const {
    ReplySlot* const slot = static_cast<ReplySlot*>(reply_slots().take_back(number));
    static_cast<LongReplySlot<R>*>(slot)->fill(bytes, n, WorkLeft);
  }
};

/// How a body answers: in a message of fixed size, or in a message of variable size.
template <class R, bool = CopiesAsBytes<R>::value>
struct AnswerForm {
  static_assert(CanAnswer<R>::value, "");
  typedef ReplySlotFor<R> Slot;
  static R take(Slot* slot) { return slot->answer().get(); }
  template <class Call>
  static void answer(Core caller, uint32_t number, Call call) {
    const Answer<R> answer(call);
    send_answer(caller, number, answer);
  }
};

template <class R>
struct AnswerForm<R, false> {
  typedef LongReplySlot<R> Slot;
  static R take(Slot* slot) { return slot->take_answer(); }
  template <class Call>
  static void answer(Core caller, uint32_t number, Call call) {
    const R value = call();
    TaskScope* const scope = current_scope();
    if (scope != nullptr && scope_hooks().answer_leaves_work(scope, caller)) {
      send(caller, LongReply<R, true>{number}, value);
    } else {
      send(caller, LongReply<R, false>{number}, value);
    }
  }

 private:
  template <class Reply>
  static void send(Core caller, const Reply& reply, const R& value) {
    const size_t bytes = Serialize<R>::size(value);
    send_written<PayloadMessage<Reply, Acknowledged::Never, MayWait::Never, 1>>(
        caller, reply, bytes, nullptr,
        [&value, bytes](char* to) { write_checked(to, bytes, value); });
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

}  // namespace detail

namespace delegate {

/// Runs `body(fields...)` on core `dest` and returns its result: a value of fixed size, or any type
/// with a Serialize. Suspends: as call(dest, body). Messages: 2, or 1 for each part of a payload or
/// answer that does not fit into a buffer; 0 at this core.
template <SyncMode S = SyncMode::Blocking, class F, class... Fields>
typename std::enable_if<S == SyncMode::Blocking,
                        typename detail::FieldCall<F, Fields...>::Result>::type
call(int64_t dest, const Payload<Fields...>& with, F body) {
  typedef detail::FieldCall<F, Fields...> Call;
  typedef detail::AnswerForm<typename Call::Result> AnswerForm;
  detail::check_closure(body);
  if (dest == detail::the_running_core) return Call::call_here(body, with.held());
  typename AnswerForm::Slot slot;
  slot.expect();
  detail::send_with_payload<detail::Acknowledged::ByAnswer, Call>(
      dest, detail::RequestWithPayload<F, Fields...>(slot.number(), body), slot.scope(),
      with.held());
  slot.wait(static_cast<Core>(dest));
  return AnswerForm::take(&slot);
}

/// Asynchronous: the caller's scope waits. The payload is copied before the function returns.
/// Discards the result of the body. Suspends: in a task, while no message buffer is free. Messages:
/// 1, or 1 for each part.
template <SyncMode S, class F, class... Fields>
detail::IfAsync<S> call(int64_t dest, const Payload<Fields...>& with, F body) {
  typedef detail::FieldCall<F, Fields...> Call;
  detail::check_closure(body);
  detail::send_with_payload<detail::Acknowledged::ByRun, Call>(
      dest, detail::AsyncWithPayload<F, Fields...>(body), detail::current_scope(), with.held());
}

}  // namespace delegate
}  // namespace Grappa
