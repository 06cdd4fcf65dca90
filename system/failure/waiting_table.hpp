#pragma once

/// A table of what the suspended workers of the cores wait for.
///
/// Each core describes its own workers, and core 0 merges the parts of all cores. Workers that
/// wait for the same thing on the same core make one line, with the stack of one of them.

#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// The part of this core, for waiting_table() on core 0. Stacks are not symbolised yet: symbolising
/// is slow, and core 0 can do it for all cores, because all run the same binary at one address.
std::string waiting_part();

/// Merges the parts of some cores into a table.
std::string waiting_table(const std::vector<std::string>& parts);

/// Installs the handler of SIGUSR1: `kill -USR1` on the launcher then prints the table of the
/// running job on stderr. From: main, once, in the thread that becomes the core's.
///
/// The launcher forwards the signal to every core. At its next poll, each core sends its part of
/// the table to core 0. Core 0 prints the table when all parts have arrived, or half a second after
/// the first part: a core whose task does not switch cannot answer. If a core does not poll within
/// a second after the signal, its signal handler prints the stack of the running code.
void install_live_table();

extern volatile bool live_table_due;
void answer_live_table();

/// Must be called with every poll.
inline void serve_live_table() {
  if (live_table_due) answer_live_table();
}

}  // namespace detail
}  // namespace Grappa
