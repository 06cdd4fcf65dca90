/// Starts a job. A job on this host needs only this program (job.hpp): no folder, port or file. For
/// a job over MPI (several hosts, a batch system, --world=mpi, --cores_per_locale) this program
/// executes the script over_mpi in the same folder, and the script starts mpirun.

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

/// Opens /dev/null read-only for each closed standard stream. Otherwise, the next opened file would
/// get the descriptor of the stream. Reads then return end of file, and writes still fail.
void open_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) != fd) std::exit(kRefused);
  }
}

/// Executes the script: over_mpi CORES HOSTS HOSTFILE SHARED PROGRAM [ARGUMENT...]. An absent
/// option is an empty argument.
[[noreturn]] void start_over_mpi(const Options& options) {
  char self[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self);
  if (length < 0) refuse(std::string("cannot read /proc/self/exe: ") + std::strerror(errno));
  std::string script(self, static_cast<size_t>(length));
  script.replace(script.rfind('/') + 1, std::string::npos, "over_mpi");
  std::vector<std::string> words = {script, options.cores == 0 ? "" : std::to_string(options.cores),
                                    options.hosts, options.hostfile, options.shared ? "yes" : ""};
  words.insert(words.end(), options.command.begin(), options.command.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(&word[0]);
  arguments.push_back(nullptr);
  ::unsetenv(Grappa::detail::kJobVariable);  // set if another job starts this one
  if (options.check) ::setenv("GRAPPA_CHECK", "1", 1);
  ::execv(script.c_str(), arguments.data());
  refuse("cannot start " + script + ": " + std::strerror(errno));
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
