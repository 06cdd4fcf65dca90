#pragma once

/// Messages that carry bytes of the sender's choice behind their closure.
///
///     | closure, length | bytes ...          | unused | closure, length | bytes ...
///     |<---- multiples of kRunAlignment ------------->|
///
/// They are written once, into the buffer, and the body finds them there; so it must not suspend.
/// What is too large for a buffer travels in parts and is put together at the receiver.

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire_safe.hpp"

#include <cstdlib>
#include <cstring>

namespace Grappa {
namespace detail {

/// Those of W = Never are awaited (MessageType): protocols use them where who sends must not
/// suspend.
template <class F, Acknowledged A = Acknowledged::Never, MayWait W = MayWait::InTasks>
struct PayloadMessage {
  F body;
  uint32_t bytes;

  static MessageType type;

  /// From the closure to the bytes.
  static constexpr size_t prefix_bytes() { return align_up(sizeof(PayloadMessage), kRunAlignment); }
  static constexpr size_t size(size_t bytes) {
    return prefix_bytes() + align_up(bytes, kRunAlignment);
  }

  /// Bytes that travel in one message at most.
  static size_t most_bytes() { return aggregator().largest_message() - prefix_bytes(); }

  static void execute_run(RunCursor* cursor) {
    scheduler().current()->runs = type_signature<F>();
    while (cursor->next != cursor->end) {
      // The bytes are the body's from here on, and nobody else reads them.
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

  /// Appends a message and returns the place of its bytes, to be written before anything else is
  /// done.
  static char* append(int64_t dest, const F& body, size_t bytes) {
    char* place = aggregator().make_room(dest, type, nullptr, size(bytes));
    new (place) PayloadMessage{body, static_cast<uint32_t>(bytes)};
    return place + prefix_bytes();
  }

  static void send(int64_t dest, const F& body, const void* payload, size_t bytes) {
    char* place = append(dest, body, bytes);
    if (bytes != 0) std::memcpy(place, payload, bytes);
  }
};

template <class F, Acknowledged A, MayWait W>
MessageType PayloadMessage<F, A, W>::type = {&execute_run, 0, A, W, nullptr, 0, nullptr};

/// The body of one part of a payload for F.
template <class F>
struct PayloadPart {
  F body;
  size_t total_bytes;
  size_t offset;
  uint32_t number;

  void operator()(void* part, size_t bytes) {
    Inbox& inbox = aggregator().inbox();
    void* whole =
        aggregator().assembly().add(inbox.source(), number, total_bytes, offset, part, bytes);
    if (whole == nullptr) return;
    inbox.unpin();  // the whole lies in memory of its own: it may suspend
    body(whole, total_bytes);
    std::free(whole);
  }
};

template <class F>
void send_in_parts(int64_t dest, const F& body, const char* payload, size_t bytes) {
  typedef PayloadMessage<PayloadPart<F>> Part;
  const size_t most = Part::most_bytes();
  const uint32_t number = aggregator().assembly().new_number();
  for (size_t offset = 0; offset < bytes; offset += most) {
    const size_t length = bytes - offset < most ? bytes - offset : most;
    Part::send(dest, PayloadPart<F>{body, bytes, offset, number}, payload + offset, length);
  }
}

}  // namespace detail

/// Runs `body(payload, bytes)` as a handler on core `dest`, once, some time, with a copy of `bytes`
/// bytes from `payload`, 16-byte aligned and valid until the body returns. Any length. No answer,
/// no completion, no scope. A body must not suspend where its payload lies in a message buffer, so
/// it had better not suspend at all: that ends the job with a sentence. It may send and spawn.
/// Among payloads of one body those that fit in a buffer and those that do not may overtake each
/// other. From: any. Suspends: as send_message(dest, body). Messages: 1; for what does not fit in a
/// buffer (--buffer_bytes) 1 for each bufferful.
template <class F>
void send_message(int64_t dest, F body, const void* payload, size_t bytes) {
  static_assert(detail::WireSafe<F>::value, "");
  static_assert(detail::is_callable<F, void*, size_t>::value,
                "the body of a message with a payload takes it: (void* payload, size_t bytes)");
  static_assert(alignof(F) <= detail::kRunAlignment,
                "the body of a message with a payload is aligned to more than a message can be: "
                "capture a plain struct");
  typedef detail::PayloadMessage<F> Whole;
  detail::check_closure(body);
  detail::checked_count(static_cast<int64_t>(bytes), "send_message with a payload");
  if (Whole::size(bytes) <= detail::aggregator().largest_message()) {
    Whole::send(dest, body, payload, bytes);
  } else {
    detail::send_in_parts(dest, body, static_cast<const char*>(payload), bytes);
  }
}

}  // namespace Grappa
