#pragma once

/// What programs ask of their flags. Who is not content ends the job with one line and status 2.
/// All: From: the main task, or main on every core alike.

#include <cstdint>
#include <string>

namespace apps {

/// Whether the flag has been set, be it to its default.
bool is_given(const char* flag);

/// `min` and `max` are good values too.
void check_range(const char* flag, int64_t value, int64_t min, int64_t max);
void check_range(const char* flag, double value, double min, double max);

/// For a flag whose largest value depends on the input: `most` is how many there are of `what`.
void check_at_most(const char* flag, int64_t value, int64_t most, const char* what);

/// After init, all that is left in argv is no flag.
void check_no_surplus(int argc, char* argv[]);

/// Checks the output file that a flag names, before the work whose result it will hold. Creates the
/// file if it does not exist; otherwise keeps its contents. Rejects a file that another flag names.
/// From: core 0.
void check_writable(const char* flag, const std::string& path);

/// Replaces what the file holds.
void write_file(const char* flag, const std::string& path, const std::string& text);

}  // namespace apps
