#include "system/runtime/output_file.hpp"

#include "system/base/input_error.hpp"
#include "system/net/mpi_world.hpp"
#include "system/net/topology.hpp"

#include <cerrno>
#include <cstring>

namespace Grappa {

OutputFile::OutputFile(const char* flag, const std::string& path) : flag_(flag), path_(path) {
  if (!wanted()) return;
  errno = 0;
  if (mycore() == 0) stream_.open(path);
  check(mycore() != 0 || stream_.is_open(), "cannot be written");
}

void OutputFile::close() {
  if (!wanted()) return;
  errno = 0;
  if (mycore() == 0) stream_.close();
  check(stream_.good(), "could not be written to its end");
}

/// Only core 0 knows, and all must end alike.
void OutputFile::check(bool good, const char* what) const {
  const int cause = errno;
  if (mpi_min(good ? 1 : 0) == 1) return;
  std::string sentence = std::string("flag ") + flag_ + ": \"" + path_ + "\" " + what;
  if (cause != 0) sentence += std::string(": ") + std::strerror(cause);
  input_error(sentence);
}

}  // namespace Grappa
