#include "system/base/output_path.hpp"

#include <vector>

#include <sys/stat.h>

namespace Grappa {
namespace detail {
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
}  // namespace Grappa
