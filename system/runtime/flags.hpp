#pragma once

/// Command-line flags: the runtime's own, which set the options of the rooms, and the program's.
///
/// gflags holds the values. Parsing is ours, since a mistake in a parallel job must be reported
/// once and end with status 2, where gflags prints on every core and exits with 1.

#include "system/net/world.hpp"
#include "system/runtime/options.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

/// Takes the flags out of argv and sets them. Understands --name=value, --name value, --name and
/// --noname for booleans, one or two dashes, -- for the end of flags, and --flagfile=path for a
/// regular file with a flag on each line (and lines that are empty or begin with #). Returns an
/// empty string, or a sentence that says what is wrong with which flag.
std::string parse_flags(int* argc, char** argv[]);

/// True if --help or one of its kin was among the flags.
bool help_requested();

/// What --help prints: the program's flags and the runtime's.
std::string flags_help(const std::string& program);

/// The value of --world, or of GRAPPA_WORLD without it: needed to start the job, before parse_flags
/// can take out anything.
std::string world_from_arguments(int argc, char* const argv[]);
detail::WorldChoice world_choice(const std::string& world_flag);

/// After parse_flags: a sentence if --world had no effect, because a file of flags has it, or
/// another flag has taken it for its value. Otherwise empty.
std::string world_flag_error(const std::string& world_flag);

/// The rooms' options as the flags set them. `error` gets a sentence if one is out of range.
RuntimeOptions options_from_flags(std::string* error);

/// A sentence about a flag whose value asks for more than `core_bytes`, the memory of a core; ""
/// if there is none.
std::string sizes_problem(const RuntimeOptions& options, uint64_t core_bytes);

}  // namespace detail
}  // namespace Grappa
