#pragma once

/// A directory that holds one sequence of bytes in parts. These functions work on one core.

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

/// True if `name`, without its directory, is the name of a part; sets `*part`.
bool parse_part_name(const std::string& name, FilePart* part);

/// Lists the parts in a directory, in order; ignores other files. Returns false and sets errno if
/// the directory cannot be read.
bool list_parts(const std::string& directory, std::vector<FilePart>* parts);

/// The first byte of [begin, end) that is in none of the sorted `parts`; `end` if all bytes are.
int64_t first_missing(const std::vector<FilePart>& parts, int64_t begin, int64_t end);

}  // namespace detail
}  // namespace Grappa
