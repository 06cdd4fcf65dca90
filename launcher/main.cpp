/// Starts a job. A job on this host needs only this program (job.hpp): no folder, port or file. For
/// a job over MPI (several hosts, a batch system, --world=mpi, --cores_per_locale) it executes the
/// script over_mpi in the same folder, which starts mpirun.

#include "launcher/job.hpp"
#include "launcher/limits.hpp"
#include "launcher/options.hpp"
#include "launcher/processors.hpp"
#include "launcher/usage.hpp"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

namespace launcher {

void refuse(const std::string& sentence) {
  std::fprintf(stderr, "grappa: %s\n", sentence.c_str());
  std::exit(kRefused);
}

namespace {

/// If a standard stream is closed, opens /dev/null for reading in its place, since another file
/// would get its number. Reads then find the end, and writes fail as before.
void open_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) != fd) std::exit(kRefused);
  }
}

/// Executes the script: over_mpi CORES HOSTS HOSTFILE SHARED PROGRAM [ARGUMENT...]. Absent options
/// are empty.
[[noreturn]] void start_over_mpi(const Options& options) {
  char self[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self);
  if (length < 0) refuse(std::string("/proc/self/exe cannot be read: ") + std::strerror(errno));
  std::string script(self, static_cast<size_t>(length));
  script.replace(script.rfind('/') + 1, std::string::npos, "over_mpi");
  std::vector<std::string> words = {script, options.cores == 0 ? "" : std::to_string(options.cores),
                                    options.hosts, options.hostfile, options.shared ? "yes" : ""};
  words.insert(words.end(), options.command.begin(), options.command.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(&word[0]);
  arguments.push_back(nullptr);
  ::unsetenv(Grappa::detail::kJobVariable);  // of a job that this one is started in
  if (options.check) ::setenv("GRAPPA_CHECK", "1", 1);
  ::execv(script.c_str(), arguments.data());
  refuse(script + " cannot be started: " + std::strerror(errno));
}

}  // namespace
}  // namespace launcher

int main(int argc, char* argv[]) {
  using namespace launcher;
  open_standard_streams();
  Options options = parse_options(argc, argv);
  if (options.over_mpi) start_over_mpi(options);
  if (options.cores == 0) options.cores = allowed_processors();
  prepare_limits(options.cores);
  return Job(options).run();
}
