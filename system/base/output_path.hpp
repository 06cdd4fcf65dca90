#pragma once

/// The output files of this process: two flags must not name the same file.

#include <string>

namespace Grappa {
namespace detail {

/// Records that `flag`, for example "--json", names the existing file at `path`. Returns an error
/// message if another flag names the same file, even by another path or link; otherwise "". Two
/// flags may name the same device. From: core 0.
std::string take_output_file(const std::string& flag, const std::string& path);

}  // namespace detail
}  // namespace Grappa
