/// Compares result files of benchmarks: `./grappa bench compare A B`, where A and B are files, or
/// folders with one file for each benchmark.
///
/// Exit status: 0 if all common figures were compared, 1 if some figures must not be compared, and
/// 2 if a file is not a result or if A and B have no benchmark in common.

#include "bench/compare/comparison.hpp"
#include "structures/text/quoted.hpp"
#include "system/base/input_error.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include <dirent.h>
#include <sys/stat.h>

namespace {

typedef std::map<std::string, bench::Result> Results;  // results by benchmark

void load_file(const std::string& path, Results* results) {
  errno = 0;
  std::ifstream file(path.c_str());
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) {
    Grappa::input_error(Grappa::detail::printable(path) +
                        ": cannot be read: " + std::strerror(errno));
  }
  bench::Result result;
  const std::string problem = bench::parse_result(text, &result);
  if (!problem.empty()) Grappa::input_error(Grappa::detail::printable(path) + ": " + problem);
  if (results->count(result.benchmark) != 0) {
    Grappa::input_error(Grappa::detail::printable(path) + ": another file of this folder holds " +
                        result.benchmark + " too");
  }
  (*results)[result.benchmark] = result;
}

bool is_json(const std::string& name) {
  return name.size() > 5 && name.compare(name.size() - 5, 5, ".json") == 0;
}

Results load(const std::string& path) {
  Results results;
  struct stat kind;
  if (::stat(path.c_str(), &kind) != 0 || !S_ISDIR(kind.st_mode)) {
    load_file(path, &results);
    return results;
  }
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) {
    Grappa::input_error(Grappa::detail::printable(path) +
                        ": cannot be read: " + std::strerror(errno));
  }
  while (const dirent* entry = ::readdir(folder)) {
    if (is_json(entry->d_name)) load_file(path + "/" + entry->d_name, &results);
  }
  ::closedir(folder);
  return results;
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 3) Grappa::input_error("expected two result files, or two folders of result files");
  const Results all_a = load(argv[1]);
  const Results all_b = load(argv[2]);
  int compared = 0;
  bool complete = true;
  for (const auto& of_a : all_a) {
    const auto of_b = all_b.find(of_a.first);
    if (of_b == all_b.end()) continue;
    const bench::Comparison comparison = bench::compare(of_a.second, of_b->second);
    std::cout << (compared++ > 0 ? "\n" : "") << comparison.text;
    complete = complete && comparison.complete;
  }
  if (compared == 0) Grappa::input_error("A and B have no benchmark in common");
  return complete ? 0 : 1;
}
