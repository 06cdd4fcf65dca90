#pragma once

/// `kill -USR1` on the launcher prints what the workers of the running job wait for, on stderr.
///
/// The launcher forwards the signal to every core. At its next poll, each core sends its part of
/// the table to core 0. Core 0 prints the table when all parts have arrived, or half a second after
/// the first part: a core whose task does not switch cannot answer. If a core does not poll within
/// a second after the signal, its signal handler prints the stack of the running code.

namespace Grappa {
namespace detail {

/// Installs the handler of SIGUSR1. From: main, once, in the thread that becomes the core's.
void install_live_table();

extern volatile bool live_table_due;
void answer_live_table();

/// Must be called with every poll.
inline void serve_live_table() {
  if (detail::live_table_due) detail::answer_live_table();
}

}  // namespace detail
}  // namespace Grappa
