#include "system/report/output_file.hpp"

#include "system/base/input_error.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace Grappa::detail {
OutputFile::OutputFile(const char* flag, const std::string& path) : flag_(flag), path_(path) {
  if (!wanted()) return;
  errno = 0;
  if (mycore() == 0) stream_.open(path, std::ios::app);
  check(mycore() != 0 || stream_.is_open(), "cannot be written");
  const std::string problem = mycore() == 0 ? take_output_file(flag, path) : "";
  errno = 0;
  check(problem.empty(), problem);
}

void OutputFile::begin() {
  if (!wanted() || mycore() != 0) return;
  struct stat status;
  if (::stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    stream_.close();
    stream_.open(path_, std::ios::trunc);
  }
}

void OutputFile::close() {
  if (!wanted()) return;
  errno = 0;
  if (mycore() == 0) stream_.close();
  check(stream_.good(), "could not be written completely");
}

/// Only core 0 has the result, but all cores must end alike.
void OutputFile::check(bool good, const std::string& what) const {
  const int cause = errno;
  if (detail::world().min(good ? 1 : 0) == 1) return;
  std::string sentence = std::string("flag ") + flag_ + ": \"" + path_ + "\" " + what;
  if (cause != 0) sentence += std::string(": ") + std::strerror(cause);
  input_error(sentence);
}

}  // namespace Grappa::detail
