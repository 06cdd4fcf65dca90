#pragma once

/// `kill -USR1` on the launcher: what the workers of the running job wait for, on stderr.
///
/// The launcher passes the signal on to every core. Each sends its part of the table to core 0 when
/// it polls next, and goes on. Core 0 prints what it has when all parts are there, or half a second
/// after the first: a task that has not switched since keeps its core from answering. If a core has
/// not polled for a second after the signal, its handler prints the stack of what runs there.

namespace Grappa {
namespace detail {

/// Makes SIGUSR1 ask for the table. From: main, once, in the thread that is to be the core's.
void install_live_table();

extern volatile bool live_table_due;
void answer_live_table();

/// To be called with every poll.
inline void serve_live_table() {
  if (detail::live_table_due) detail::answer_live_table();
}

}  // namespace detail
}  // namespace Grappa
