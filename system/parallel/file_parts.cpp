#include "system/parallel/file_parts.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace Grappa::detail {

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
  parts->clear();
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    FilePart part;
    if (parse_part_name(entry->path().filename(), &part)) parts->push_back(part);
  }
  std::sort(parts->begin(), parts->end(),
            [](const FilePart& a, const FilePart& b) { return a.begin < b.begin; });
  errno = error.value();
  return !error;
}

int64_t first_missing(const std::vector<FilePart>& parts, int64_t begin, int64_t end) {
  int64_t reached = begin;
  for (const FilePart& part : parts) {
    if (reached >= end || part.begin > reached) break;
    reached = std::max(reached, part.end);
  }
  return std::min(reached, end);
}

}  // namespace Grappa::detail
