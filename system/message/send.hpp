#pragma once

/// Sends a closure to another core. A message may have a payload: bytes after the closure.
///
///     | closure, length | bytes ...          | unused | closure, length | bytes ...
///     |<---- multiples of kRunAlignment ------------->|
///
/// The body reads the payload in the buffer, so the body must not suspend. A payload too large for
/// a buffer is sent in parts, which the receiver reassembles.

#include "system/base/check.hpp"
#include "system/base/units.hpp"
#include "system/message/append.hpp"

#include <cstdlib>
#include <cstring>

namespace Grappa {
namespace detail {

/// Messages with W = Never are latency-critical. The runtime sends them where it must not suspend.
template <class F, Acknowledged A = Acknowledged::Never, MayWait W = MayWait::InTasks>
struct PayloadMessage {
  F body;
  uint32_t bytes;

  static MessageType type;
  static constexpr size_t prefix_bytes() { return align_up(sizeof(PayloadMessage), kRunAlignment); }
  static constexpr size_t size(size_t bytes) {
    return prefix_bytes() + align_up(bytes, kRunAlignment);
  }

  static size_t most_bytes() { return largest_message() - prefix_bytes(); }

  static void execute_run(RunCursor* cursor) {
    set_running_body(type_signature<F>());
    while (cursor->next != cursor->end) {
      // The body may modify the payload, because no other code reads it afterwards.
      char* at = const_cast<char*>(cursor->next);
      const PayloadMessage& message = *reinterpret_cast<const PayloadMessage*>(at);
      const size_t bytes = message.bytes;
      F body(message.body);
      cursor->next = at + size(bytes);
      cursor->pinned = true;
      body(static_cast<void*>(at + prefix_bytes()), bytes);
      cursor->pinned = false;
    }
  }

  /// Returns the storage of the payload. The rules of make_room() apply to the storage.
  static char* append(int64_t dest, const F& body, size_t bytes) {
    char* place = make_room(dest, type, nullptr, size(bytes));
    new (place) PayloadMessage{body, static_cast<uint32_t>(bytes)};
    return place + prefix_bytes();
  }
  static void send(int64_t dest, const F& body, const void* payload, size_t bytes) {
    char* place = append(dest, body, bytes);
    if (bytes != 0) std::memcpy(place, payload, bytes);
  }
};

template <class F, Acknowledged A, MayWait W>
MessageType PayloadMessage<F, A, W>::type = {&execute_run, 0, A, W, nullptr, 0};

/// Returns a new number for a payload that this core sends in parts.
uint32_t new_payload_number();

/// Adds a part to payload `number` of the_sender. If parts are missing, returns null. Otherwise
/// returns the whole payload. The caller must std::free the payload, and the handler may suspend.
void* assemble(uint32_t number, size_t total_bytes, size_t offset, const void* part, size_t bytes);

/// The body of one part of a payload for F.
template <class F>
struct PayloadPart {
  F body;
  size_t total_bytes;
  size_t offset;
  uint32_t number;

  void operator()(void* part, size_t bytes) {
    void* whole = assemble(number, total_bytes, offset, part, bytes);
    if (whole == nullptr) return;
    body(whole, total_bytes);
    std::free(whole);
  }
};

/// Sends a payload of any length, in one message or in parts.
template <MayWait W, class F>
void send_payload(int64_t dest, const F& body, const void* payload, size_t bytes) {
  typedef PayloadMessage<F, Acknowledged::Never, W> Whole;
  if (Whole::size(bytes) <= largest_message()) return Whole::send(dest, body, payload, bytes);
  typedef PayloadPart<F> Part;
  typedef PayloadMessage<Part, Acknowledged::Never, W> PartMessage;
  const size_t most = PartMessage::most_bytes();
  const uint32_t number = new_payload_number();
  for (size_t offset = 0; offset < bytes; offset += most) {
    const size_t length = bytes - offset < most ? bytes - offset : most;
    PartMessage::send(dest, Part{body, bytes, offset, number},
                      static_cast<const char*>(payload) + offset, length);
  }
}

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
/// payload is in a message buffer. Messages with equal body types may overtake each other if only
/// some of the payloads fit into a buffer. From: any. Suspends: like send_message(dest, body).
/// Messages: 1. If the payload does not fit into a buffer (--buffer_bytes): 1 per part.
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
  detail::send_payload<detail::MayWait::InTasks>(dest, body, payload, bytes);
}

/// Old name of send_message.
template <class F, class... Payload>
void send_heap_message(int64_t dest, F body, Payload... payload) {
  send_message(dest, body, payload...);
}

}  // namespace Grappa
