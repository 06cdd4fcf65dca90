#pragma once

/// A directory that holds one sequence of bytes in parts. Nothing here knows of other cores.

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// Bytes [begin, end) of the sequence.
struct FilePart {
  int64_t begin;
  int64_t end;
};

/// "DIRECTORY/0000000000000000-0000000000004096.part"
std::string part_path(const std::string& directory, FilePart part);

/// True if `name`, without its directory, is that of a part; finds out which.
bool parse_part_name(const std::string& name, FilePart* part);

/// The parts in a directory, in their order; other files are none. False, with errno, if it cannot
/// be read.
bool list_parts(const std::string& directory, std::vector<FilePart>* parts);

/// The first byte of [begin, end) that is in none of `parts`, which are in order; `end` if all are.
int64_t first_missing(const std::vector<FilePart>& parts, int64_t begin, int64_t end);

}  // namespace detail
}  // namespace Grappa
