#pragma once

/// Error messages of the launcher: one line "grappa: sentence" on stderr.

#include <string>

namespace launcher {

/// The exit status for bad usage, bad input, and missing resources of this host.
constexpr int kRefused = 2;

/// Prints the sentence and exits with kRefused. Requires that no core has been started.
[[noreturn]] void refuse(const std::string& sentence);

}  // namespace launcher
