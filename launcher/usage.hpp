#pragma once

/// What the launcher itself prints: one line "grappa: sentence" on stderr.

#include <string>

namespace launcher {

/// The status for bad usage, bad input, and what this host lacks.
constexpr int kRefused = 2;

/// Prints the sentence and exits with kRefused. From: before any core is started.
[[noreturn]] void refuse(const std::string& sentence);

}  // namespace launcher
