#include "system/parallel/file_parts.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <dirent.h>

namespace Grappa {
namespace detail {

std::string part_path(const std::string& directory, FilePart part) {
  char name[64];
  std::snprintf(name, sizeof name, "/%016lld-%016lld.part", static_cast<long long>(part.begin),
                static_cast<long long>(part.end));
  return directory + name;
}

bool parse_part_name(const std::string& name, FilePart* part) {
  long long begin = 0, end = 0;
  if (std::sscanf(name.c_str(), "%lld-%lld.part", &begin, &end) != 2) return false;
  *part = FilePart{begin, end};
  return 0 <= begin && begin < end && part_path("", *part) == "/" + name;
}

bool list_parts(const std::string& directory, std::vector<FilePart>* parts) {
  DIR* const stream = ::opendir(directory.c_str());
  if (stream == nullptr) return false;
  parts->clear();
  const auto next = [stream] {
    errno = 0;  // parsing the last name may have set errno
    return ::readdir(stream);
  };
  while (const dirent* entry = next()) {
    FilePart part;
    if (parse_part_name(entry->d_name, &part)) parts->push_back(part);
  }
  const int error = errno;
  ::closedir(stream);
  errno = error;
  std::sort(parts->begin(), parts->end(),
            [](const FilePart& a, const FilePart& b) { return a.begin < b.begin; });
  return error == 0;
}

int64_t first_missing(const std::vector<FilePart>& parts, int64_t begin, int64_t end) {
  int64_t reached = begin;
  for (const FilePart& part : parts) {
    if (reached >= end || part.begin > reached) break;
    reached = std::max(reached, part.end);
  }
  return std::min(reached, end);
}

}  // namespace detail
}  // namespace Grappa
