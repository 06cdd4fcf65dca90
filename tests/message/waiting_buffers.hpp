#pragma once

/// A check of the cores that relay messages.

#include "system/net/transport.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

/// The number of the next numbered message that this core expects.
inline int64_t& next_number() {
  static int64_t next = 0;
  return next;
}

/// Sends messages from `sender` to `dest`, which this core relays, while this core has no buffer.
/// Expects the messages in order. From: a task.
inline void expect_order_of_waiting_buffers(Core sender, Core dest) {
  struct Numbered {
    int64_t number;
    char padding[192];
    void operator()() { EXPECT_EQ(next_number()++, number); }
  };
  int64_t each = 20000;
  delegate::call(dest, [] { next_number() = 0; });
  delegate::call(sender, [each, dest] {
    spawn([each, dest] {
      for (int64_t k = 0; k < each; ++k) send_message(dest, Numbered{k, {}});
    });
  });
  const Gain parked("message.buffers_parked");
  std::vector<detail::Buffer*> all;
  for (int turns = 0; parked.value() == 0 || turns < 100; ++turns) {
    while (detail::Buffer* buffer = detail::transport().acquire_for_relay()) all.push_back(buffer);
    yield();
  }
  for (detail::Buffer* buffer : all) detail::transport().release(buffer);
  while (delegate::call(dest, [] { return next_number(); }) < each) yield();
}

}  // namespace Grappa
