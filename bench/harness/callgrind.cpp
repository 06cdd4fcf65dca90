#include "bench/harness/callgrind.hpp"

#include "system/base/check.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace bench {
namespace {

// A temporary directory for the two output files of valgrind; removed by the destructor.
class Scratch {
 public:
  Scratch() {
    const char* parent = std::getenv("TMPDIR");
    std::string pattern =
        std::string(parent == nullptr ? P_tmpdir : parent) + "/grappa-bench-XXXXXX";
    GRAPPA_CHECK(::mkdtemp(&pattern[0]) != nullptr)
        << "cannot make a folder " << pattern << ": " << std::strerror(errno);
    folder_ = pattern;
  }
  ~Scratch() {
    ::unlink(counts().c_str());
    ::unlink(log().c_str());
    ::rmdir(folder_.c_str());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string counts() const { return folder_ + "/counts"; }
  std::string log() const { return folder_ + "/log"; }

 private:
  std::string folder_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path.c_str());
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::vector<char*> pointers(std::vector<std::string>* texts) {
  std::vector<char*> result;
  for (std::string& text : *texts) result.push_back(&text[0]);
  result.push_back(nullptr);
  return result;
}

// Returns our environment without the variables of mpirun. A program with this environment runs as
// a job of one process.
std::vector<std::string> environment_without_job() {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "OMPI_", 5) != 0 && std::strncmp(*entry, "PMIX_", 5) != 0) {
      result.push_back(*entry);
    }
  }
  return result;
}

// Runs a command with its output in `log`. Returns the status from waitpid(), or -1 if the program
// does not exist.
int run(std::vector<std::string> command, const std::string& log) {
  std::vector<std::string> environment = environment_without_job();
  posix_spawn_file_actions_t output;
  ::posix_spawn_file_actions_init(&output);
  ::posix_spawn_file_actions_addopen(&output, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&output, STDOUT_FILENO, STDERR_FILENO);
  pid_t child;
  const int error = ::posix_spawnp(&child, command[0].c_str(), &output, nullptr,
                                   pointers(&command).data(), pointers(&environment).data());
  ::posix_spawn_file_actions_destroy(&output);
  if (error != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

// Runs the program once. `problem` is empty if the run yields an instruction count.
void count_once(const std::string& program, const std::vector<std::string>& arguments,
                int64_t* instructions, bool* verified, std::string* problem) {
  const Scratch scratch;
  std::vector<std::string> command = {"valgrind", "--tool=callgrind",
                                      "--callgrind-out-file=" + scratch.counts(), program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const int status = run(command, scratch.log());
  if (status == -1) {
    *problem = "valgrind was not found";
  } else if (WIFSIGNALED(status)) {
    *problem = std::string("valgrind ended with \"") + ::strsignal(WTERMSIG(status)) +
               "\": the program may have to be built without -march=native (preset portable)";
  } else if (WEXITSTATUS(status) > 1) {
    *problem = "under valgrind the program ended with status " +
               std::to_string(WEXITSTATUS(status)) + ": " + contents(scratch.log());
  } else {
    *instructions = callgrind_total(contents(scratch.counts()));
    *verified = *verified && WEXITSTATUS(status) == 0;
    if (*instructions < 0) *problem = "valgrind reported no instruction count";
  }
}

}  // namespace

int64_t callgrind_total(const std::string& output) {
  std::istringstream lines(output);
  std::string line;
  int64_t total = -1;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "totals:") words >> total;
  }
  return total;
}

InstructionCount count_instructions(
    const std::string& program, const std::function<std::vector<std::string>(int64_t)>& arguments,
    int64_t n) {
  InstructionCount count = {0, true, ""};
  int64_t of_n = 0, of_2n = 0;
  count_once(program, arguments(n), &of_n, &count.verified, &count.problem);
  if (count.problem.empty()) {
    count_once(program, arguments(2 * n), &of_2n, &count.verified, &count.problem);
  }
  count.instructions = static_cast<double>(of_2n - of_n) / static_cast<double>(n);
  return count;
}

}  // namespace bench
