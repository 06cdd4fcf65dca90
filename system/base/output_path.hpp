#pragma once

/// The files that flags of this process name for output: no two flags may name one file.

#include <string>

namespace Grappa {
namespace detail {

/// Notes that `flag`, "--json" for example, names the file at `path`, which exists. Returns what is
/// wrong if another flag names it too, be it by another path or link; else "". Devices may be named
/// twice. From: core 0.
std::string take_output_file(const std::string& flag, const std::string& path);

}  // namespace detail
}  // namespace Grappa
