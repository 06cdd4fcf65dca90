#pragma once

/// Command-line flags of the program and of the runtime. The flags of the runtime set the options
/// of the modules. The parser of gflags would print an error on every core and exit with status 1.

#include "system/global/options.hpp"
#include "system/message/options.hpp"
#include "system/net/options.hpp"
#include "system/net/world.hpp"
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

  /// A core checks for a deadlock after it has only waited for messages for this time.
  int64_t deadlock_check_ms = 100;
};

/// Removes the flags from argv and sets them. Accepts --name=value, --name value, --name and
/// --noname for booleans, one or two dashes, -- for the end of flags, and --flagfile=path for a
/// regular file with one flag per line. Returns "", or a message that names the wrong flag.
std::string parse_flags(int* argc, char** argv[]);

bool help_requested();
std::string flags_help(const std::string& program);  // the text of --help

/// Returns --world, or else GRAPPA_WORLD. The value is needed before parse_flags() can run.
std::string world_from_arguments(int argc, char* const argv[]);

/// Called after parse_flags(). Returns a message if --world had no effect because it was in a flag
/// file or was parsed as the value of another flag; otherwise "".
std::string world_flag_error(const std::string& world_flag);

/// Sets flags that the command line does not set to unusual values, which the seed chooses. The
/// results of a program do not depend on them. Adds the flags whose values change to `present`.
/// Returns "", or a sentence for the user about an unknown name in `named`.
std::string explore_flags(World::Exploration* exploration);

/// Returns the options of the modules, as set by the flags. Sets `error` if a value is invalid.
RuntimeOptions options_from_flags(std::string* error);

/// Returns a message if the value of a flag needs more memory than a core has; otherwise "".
std::string sizes_problem(const RuntimeOptions& options, uint64_t core_bytes);

}}  // namespace Grappa::detail
