#pragma once

/// One task on each core.

#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/finish_scope.hpp"

namespace Grappa {

/// Runs `body()` as a task on every core, in the calling task on this one, and waits until all that
/// they have started has ended too. The body travels as bytes. From: task. Suspends: until all have
/// ended. Messages: about 2 for each other core.
template <class F>
void on_all_cores(F body) {
  static_assert(WireSafe<F>::value, "");
  finish([&body] {
    // Starting with the next core, so that not everybody's first message goes to core 0.
    for (int k = 1; k < cores(); ++k) {
      detail::send_counted(static_cast<Core>((mycore() + k) % cores()), [body] { spawn(body); });
    }
    F mine(body);
    mine();
  });
}

}  // namespace Grappa
