#include "system/base/input_error.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <errno.h>  // program_invocation_short_name
#include <sys/stat.h>

namespace Grappa {
namespace detail {

InputErrorHook input_error_hook = nullptr;

namespace {

struct TakenFile {
  dev_t device;
  ino_t number;
  std::string flag;
};
std::vector<TakenFile> taken;  // on core 0

}  // namespace

std::string take_output_file(const std::string& flag, const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || S_ISCHR(status.st_mode)) return "";
  for (const TakenFile& other : taken) {
    if (other.device != status.st_dev || other.number != status.st_ino) continue;
    return "is also the output file of " + other.flag + ": use two different files";
  }
  taken.push_back(TakenFile{status.st_dev, status.st_ino, flag});
  return "";
}

}  // namespace detail

void input_error(const std::string& sentence) {
  const std::string line = std::string(program_invocation_short_name) + ": " + sentence + "\n";
  if (detail::input_error_hook != nullptr) detail::input_error_hook(line.c_str());
  std::fputs(line.c_str(), stderr);
  std::exit(detail::kInputErrorStatus);
}

}  // namespace Grappa
