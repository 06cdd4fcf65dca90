#pragma once

/// Command-line flags: the runtime's own, which set the options of the rooms, and the program's.
///
/// gflags holds the values. Parsing is ours, since a mistake in a parallel job must be reported
/// once and end with status 2, where gflags prints on every core and exits with 1.

#include "system/runtime/options.hpp"

#include <string>

namespace Grappa {

/// Takes the flags out of argv and sets them. Understands --name=value, --name value, --name and
/// --noname for booleans, one or two dashes, -- for the end of flags, and --flagfile=path for a
/// file with a flag on each line (and lines that are empty or begin with #). Returns an empty
/// string, or a sentence that says what is wrong with which flag.
std::string parse_flags(int* argc, char** argv[]);

/// True if --help or one of its kin was among the flags.
bool help_requested();

/// What --help prints: the program's flags and the runtime's.
std::string flags_help(const std::string& program);

/// The rooms' options as the flags set them. `error` gets a sentence if one is out of range.
RuntimeOptions options_from_flags(std::string* error);

}  // namespace Grappa
