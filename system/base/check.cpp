#include "system/base/check.hpp"

#include "system/base/input_error.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

#include <errno.h>  // program_invocation_short_name
#include <sys/stat.h>

namespace Grappa::detail {

void refuse_count(int64_t n, const char* what) {
  GRAPPA_CHECK(false) << what << " of " << n << " elements: expected 0 or more";
  std::abort();  // not reached, but CHECK is not declared as [[noreturn]]
}

InputErrorHook input_error_hook = nullptr;

std::string take_output_file(const std::string& flag, const std::string& path) {
  static std::map<std::pair<dev_t, ino_t>, std::string> flags;  // by file; on core 0
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || S_ISCHR(status.st_mode)) return "";
  const auto taken = flags.insert({{status.st_dev, status.st_ino}, flag});
  if (taken.second) return "";
  return "is also the output file of " + taken.first->second + ": use two different files";
}

}  // namespace Grappa::detail

void Grappa::input_error(const std::string& sentence) {
  const std::string line = std::string(program_invocation_short_name) + ": " + sentence + "\n";
  if (detail::input_error_hook != nullptr) detail::input_error_hook(line.c_str());
  std::fputs(line.c_str(), stderr);
  std::exit(detail::kInputErrorStatus);
}
