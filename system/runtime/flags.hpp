#pragma once

/// Command-line flags of the program and of the runtime, whose flags set the modules' options. The
/// parser of gflags would print a mistake on every core and exit with status 1.

#include "system/global/options.hpp"
#include "system/message/options.hpp"
#include "system/net/options.hpp"
#include "system/parallel/options.hpp"
#include "system/report/options.hpp"
#include "system/tasking/options.hpp"

#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

struct RuntimeOptions {
  TaskingOptions tasking;
  NetOptions net;
  MessageOptions message;
  GlobalOptions global;
  ParallelOptions parallel;
  ReportOptions report;

  /// How long a core only waits for messages before it checks for a deadlock.
  int64_t deadlock_check_ms = 100;
};

/// Removes the flags from argv and sets them. Accepts --name=value, --name value, --name and
/// --noname for booleans, one or two dashes, -- for the end of flags, and --flagfile=path for a
/// regular file with one flag per line. Returns "", or a message that names the wrong flag.
std::string parse_flags(int* argc, char** argv[]);

bool help_requested();
std::string flags_help(const std::string& program);  // the text of --help

/// The value of --world, or else of GRAPPA_WORLD, which is needed before parse_flags() can run.
std::string world_from_arguments(int argc, char* const argv[]);

/// After parse_flags(): returns a message if --world had no effect because it was in a flag file or
/// was taken as the value of another flag, or "".
std::string world_flag_error(const std::string& world_flag);

/// The options of the modules, as set by the flags. Sets `error` if a value is out of range.
RuntimeOptions options_from_flags(std::string* error);

/// Returns a message about a flag whose value needs more than the memory of a core, or "".
std::string sizes_problem(const RuntimeOptions& options, uint64_t core_bytes);

}}  // namespace Grappa::detail
