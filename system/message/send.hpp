#pragma once

/// Sends a closure to another core. A message may have a payload: bytes after the closure.
///
///     | closure, length | bytes ...          | unused | closure, length | bytes ...
///     |<---- multiples of the alignment ------------->|
///
/// The body reads the payload in the buffer, so the body must not suspend. A payload too large for
/// a buffer is sent in parts, which the receiver reassembles. Parts are messages of the same type
/// as whole payloads, so payloads of any length keep their order.

#include "system/base/check.hpp"
#include "system/base/units.hpp"
#include "system/message/append.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// Precedes the bytes of a part.
struct PartHeader {
  uint64_t total_bytes;  // of the payload
  uint64_t offset;
  uint32_t number;
};

/// True if a body of type F must not suspend, even if its payload is not in a message buffer.
template <class F>
struct NeverSuspends : std::false_type {};

/// Adds a part to a payload of the_sender. If parts are missing, returns null. Otherwise returns
/// the whole payload, which the caller must std::free.
void* assemble(const PartHeader& header, const void* part, size_t bytes);

/// Returns a new number for a payload that this core sends in parts.
uint32_t new_payload_number();

/// Declares that the running handler no longer reads its payload, so the handler may suspend.
void release_payload();

/// The number of payload messages that the fast path has appended since a run was closed last.
extern uint64_t the_payload_messages;

/// While this object exists, a suspension of the running task or handler aborts the job. From: task
/// or handler. Objects may be nested.
class MustNotSuspend {
 public:
  MustNotSuspend();
  ~MustNotSuspend();
  MustNotSuspend(const MustNotSuspend&) = delete;
  MustNotSuspend& operator=(const MustNotSuspend&) = delete;

 private:
  const bool in_handler_;
  bool pinned_;
};

/// Calls the body's member `prefetch(payload, bytes, stage)`, which prefetches the memory of the
/// body's accesses. The value is false if there is no such member.
template <class F, class = void>
struct PrefetchPayload : std::false_type {
  static void call(const F&, const void*, size_t, int) {}
};
template <class F>
struct PrefetchPayload<F, decltype(std::declval<const F&>().prefetch(
                              static_cast<const void*>(nullptr), size_t{}, int{}))>
    : std::true_type {
  static void call(const F& body, const void* payload, size_t bytes, int stage) {
    body.prefetch(payload, bytes, stage);
  }
};

/// Runs ahead of the loop that executes a run of messages with payloads. Stage 0 is called for a
/// message 16 messages ahead, and stage 1 for a message 8 messages ahead, which reads what stage 0
/// has prefetched. Other distances were not measured. A body that suspends must not have a member
/// `prefetch`.
template <class Message, bool = PrefetchPayload<decltype(Message::body)>::value>
class PayloadsAhead {
 public:
  explicit PayloadsAhead(const RunCursor* run) : ahead_{run->next, run->next}, end_(run->end) {
    for (int k = 0; k < 8; ++k) prefetch_next(0);
    for (int k = 0; k < 8; ++k) prefetch_next();
  }
  void prefetch_next() {
    prefetch_next(0);
    prefetch_next(1);
  }

 private:
  void prefetch_next(int stage) {
    const char*& at = ahead_[stage];
    if (at == end_) return;
    const Message& message = *reinterpret_cast<const Message*>(at);
    const size_t bytes = message.bytes & ~uint32_t{Message::kPart};
    if (bytes == message.bytes) {
      PrefetchPayload<decltype(Message::body)>::call(message.body, at + Message::prefix_bytes(),
                                                     bytes, stage);
    }
    at += Message::size(bytes);
  }

  const char* ahead_[2];
  const char* const end_;
};
template <class Message>
class PayloadsAhead<Message, false> {
 public:
  explicit PayloadsAhead(const RunCursor*) {}
  void prefetch_next() {}
};

/// Messages with W = Never are latency-critical. The runtime sends them where it must not suspend.
/// If A is ByRun, the scope counts the bytes of the messages instead of the messages.
template <class F, Acknowledged A = Acknowledged::Never, MayWait W = MayWait::InTasks,
          size_t kAlignment = kRunAlignment>
struct PayloadMessage {
  [[no_unique_address]] F body;
  uint32_t bytes;  // kPart is set for a part

  PayloadMessage(const F& its_body, uint32_t its_bytes) : body(its_body), bytes(its_bytes) {}

  enum : uint32_t { kPart = uint32_t{1} << 31 };

  static MessageType type;
  static constexpr size_t alignment() {
    return kAlignment > alignof(PayloadMessage) ? kAlignment : alignof(PayloadMessage);
  }
  static constexpr size_t prefix_bytes() { return align_up(sizeof(PayloadMessage), kAlignment); }
  static constexpr size_t size(size_t bytes) {
    return align_up(prefix_bytes() + bytes, alignment());
  }

  static size_t most_bytes() { return (largest_message() & ~(alignment() - 1)) - prefix_bytes(); }
  static size_t most_bytes_of_part() { return most_bytes() - sizeof(PartHeader); }

  /// The inner loop executes messages of equal length. The place of a message follows from the
  /// length of the message before it. The processor predicts that the next length is equal, and so
  /// need not wait until it has loaded that length. This gains 20 % if all payloads have 24 bytes.
  static void execute_run(RunCursor* cursor) {
    set_running_body(type_signature<F>());
    PayloadsAhead<PayloadMessage> ahead(cursor);
    while (cursor->next != cursor->end) {
      // The body may modify the payload, because no other code reads it afterwards.
      char* at = const_cast<char*>(cursor->next);
      const uint32_t field = message_at(at).bytes;
      const size_t bytes = field & ~uint32_t{kPart};
      const size_t step = size(bytes);
      do {
        ahead.prefetch_next();
        F body(message_at(at).body);
        char* const payload = at + prefix_bytes();
        at += step;
        cursor->next = at;
        cursor->pinned = true;
        ++cursor->messages_with_payload;
        if (GRAPPA_UNLIKELY((field & kPart) != 0)) {
          execute_part(body, payload, bytes);
        } else {
          body(static_cast<void*>(payload), bytes);
        }
        cursor->pinned = false;
      } while (at != cursor->end && message_at(at).bytes == field);
    }
  }

  /// Returns the storage of the payload. The rules of make_room() apply to the storage.
  static char* append(int64_t dest, const F& body, size_t bytes, TaskScope* scope = nullptr) {
    return append_as(dest, body, bytes, static_cast<uint32_t>(bytes), scope);
  }
  /// Like append(), but returns null if append() would suspend, or if the payload does not fit into
  /// a buffer. A payload that fits into the open run also fits into a buffer, so the usual case
  /// does not call most_bytes().
  static char* append_now(int64_t dest, const F& body, size_t bytes, TaskScope* scope) {
    char* place = take_room(dest, bytes, scope);
    if (GRAPPA_UNLIKELY(place == nullptr)) {
      if (bytes > most_bytes()) return nullptr;
      place = make_room(dest, type, scope, size(bytes), false);
      if (place == nullptr) return nullptr;
    }
    new (place) PayloadMessage(body, static_cast<uint32_t>(bytes));
    return place + prefix_bytes();
  }
  static void send(int64_t dest, const F& body, const void* payload, size_t bytes,
                   TaskScope* scope = nullptr) {
    char* place = append(dest, body, bytes, scope);
    if (bytes != 0) std::memcpy(place, payload, bytes);
  }

  /// Sends a payload of any length, in one message or in parts.
  static void send_any(int64_t dest, const F& body, const void* payload, size_t bytes,
                       TaskScope* scope = nullptr) {
    if (GRAPPA_LIKELY(bytes <= most_bytes())) return send(dest, body, payload, bytes, scope);
    const size_t most = most_bytes_of_part();
    PartHeader header = {bytes, 0, new_payload_number()};
    for (size_t length; header.offset < bytes; header.offset += length) {
      length = bytes - header.offset < most ? bytes - header.offset : most;
      const size_t all = sizeof(PartHeader) + length;
      char* place = append_as(dest, body, all, static_cast<uint32_t>(all) | kPart, scope);
      std::memcpy(place, &header, sizeof(PartHeader));
      std::memcpy(place + sizeof(PartHeader), static_cast<const char*>(payload) + header.offset,
                  length);
    }
  }

 private:
  static const PayloadMessage& message_at(const char* at) {
    return *reinterpret_cast<const PayloadMessage*>(at);
  }

  static char* append_as(int64_t dest, const F& body, size_t bytes, uint32_t field,
                         TaskScope* scope) {
    char* place = take_room(dest, bytes, scope);
    if (GRAPPA_UNLIKELY(place == nullptr)) place = make_room(dest, type, scope, size(bytes));
    new (place) PayloadMessage(body, field);
    return place + prefix_bytes();
  }

  /// Returns null if the open run has no room, or belongs to another scope.
  static char* take_room(int64_t dest, size_t bytes, TaskScope* scope) {
    const uint64_t to = static_cast<uint64_t>(dest);
    if (GRAPPA_UNLIKELY(to >= type.cores || type.runs[to].room() < size(bytes) ||
                        type.runs[to].scope != scope)) {
      return nullptr;
    }
    char* const place = type.runs[to].cursor;
    type.runs[to].cursor += size(bytes);
    ++the_payload_messages;
    return place;
  }

  GRAPPA_NOINLINE static void execute_part(F& body, const char* part, size_t bytes) {
    PartHeader header;
    std::memcpy(&header, part, sizeof header);
    void* whole = assemble(header, part + sizeof header, bytes - sizeof header);
    if (whole == nullptr) return;
    if (!NeverSuspends<F>::value) release_payload();
    body(whole, static_cast<size_t>(header.total_bytes));
    std::free(whole);
  }
};

template <class F, Acknowledged A, MayWait W, size_t kAlignment>
MessageType PayloadMessage<F, A, W, kAlignment>::type = {&execute_run, 0, A, W, nullptr, 0};

}  // namespace detail

/// Runs `body()` exactly once, asynchronously, as a handler on core `dest`. `dest` may be this
/// core. The message has no reply and no completion. Tasks that the handler starts belong to no
/// scope. From: any. Suspends: in a task, while no message buffer is free, or when a buffer has
/// just filled up and a network poll is due. Messages: 1, also to this core.
template <class F>
void send_message(int64_t dest, F body) {
  static_assert(detail::WireSafe<F>::value, "");
  detail::append<detail::Acknowledged::Never>(dest, nullptr, body, body);
}

/// Like send_message(dest, body), but the handler calls `body(payload, bytes)` with a copy of the
/// payload. The payload may have any length. The copy is 16-byte aligned and valid until the body
/// returns. The body may send and spawn, but should not suspend: suspension aborts the job if the
/// payload is in a message buffer. From: any. Suspends: like send_message(dest, body). Messages: 1.
/// If the payload does not fit into a buffer (--buffer_bytes): 1 per part.
template <class F>
void send_message(int64_t dest, F body, const void* payload, size_t bytes) {
  static_assert(detail::WireSafe<F>::value, "");
  static_assert(detail::is_callable<F, void*, size_t>::value,
                "the body of a message with a payload must accept (void* payload, size_t bytes)");
  static_assert(alignof(F) <= detail::kRunAlignment,
                "the body of a message with a payload has a larger alignment than messages have: "
                "capture a plain struct");
  detail::check_closure(body);
  detail::checked_count(static_cast<int64_t>(bytes), "send_message with a payload");
  detail::PayloadMessage<F>::send_any(dest, body, payload, bytes);
}

/// Old name of send_message.
template <class F, class... Payload>
void send_heap_message(int64_t dest, F body, Payload... payload) {
  send_message(dest, body, payload...);
}

}  // namespace Grappa
