#pragma once

/// Checks of command-line flags. A failed check aborts the job with a one-line message and status
/// 2. From: the main task, or main on every core.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace apps {

/// Returns true if the command line sets the flag, even to its default.
bool is_given(const char* flag);

/// Rejects each of `flags` that the command line sets. `why` follows the flag in the message.
void reject(std::initializer_list<const char*> flags, const std::string& why);

/// Checks that `value` is in the range from `min` to `max`, including both, and returns `value`.
int64_t check_range(const char* flag, int64_t value, int64_t min, int64_t max);
double check_range(const char* flag, double value, double min, double max);

/// Checks that `value` is one of the choices, and returns its index.
int check_choice(const char* flag, const std::string& value,
                 const std::vector<std::string>& choices);

/// Checks a flag whose largest value depends on the input, if the command line sets the flag.
/// `most` is the number of `what`.
void check_at_most(const char* flag, int64_t value, int64_t most, const char* what);

/// Checks that no arguments are left after init, which removes all flags from argv.
void check_no_surplus(int argc, char* argv[]);

/// Checks the output file that a flag names, before the work starts. Creates the file if it does
/// not exist; otherwise keeps its contents. Rejects a file that another flag already names. If
/// `path` is empty, the flag is not given, and the function does nothing. From: core 0.
void check_writable(const char* flag, const std::string& path);

/// Replaces the contents of the file, if `path` is not empty.
void write_file(const char* flag, const std::string& path, const std::string& text);

}  // namespace apps
