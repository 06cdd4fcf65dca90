#include "bench/jobs.hpp"

#include "system/base/input_error.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <ftw.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace bench {
namespace {

constexpr double kNothing = 1e-9;

// During the lifetime of the object, this process and its child processes may use all processors.
// mpirun binds each process of a job to one processor, and child processes inherit the binding.
class AllProcessors {
 public:
  AllProcessors() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t all;
    std::memset(&all, 0xff, sizeof all);  // the kernel ignores processors that do not exist
    ::sched_setaffinity(0, sizeof all, &all);
  }
  ~AllProcessors() { ::sched_setaffinity(0, sizeof before_, &before_); }
  AllProcessors(const AllProcessors&) = delete;
  AllProcessors& operator=(const AllProcessors&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace

Measurement JobOutput::number(const std::string& label, double unit) const {
  double value = 0;
  for (const std::string& line : lines_) {
    if (line.compare(0, label.size(), label) == 0) value = std::atof(line.c_str() + label.size());
  }
  if (status_ == 0 && value > 0) return {value / unit, true};
  if (!shown_) {
    for (const std::string& line : lines_) std::fputs(line.c_str(), stderr);
    shown_ = true;
  }
  // If the output has no number, returns a value that cannot be mistaken for a result.
  return {value > 0 ? value / unit : kNothing, false};
}

std::string JobOutput::refusal() const {
  if (status_ != Grappa::detail::kInputErrorStatus || lines_.empty()) return "";
  const std::string& line = lines_.back();
  return line.substr(0, line.find('\n'));
}

TemporaryFolder::TemporaryFolder() {
  const char* const parent = std::getenv("TMPDIR");
  path_ = std::string(parent != nullptr ? parent : "/tmp") + "/grappa_bench.XXXXXX";
  if (::mkdtemp(&path_[0]) == nullptr) Grappa::input_error(path_ + " cannot be created");
}

TemporaryFolder::~TemporaryFolder() {
  const auto remove = [](const char* path, const struct stat*, int, FTW*) {
    return std::remove(path);
  };
  ::nftw(path_.c_str(), remove, 8, FTW_DEPTH | FTW_PHYS);
}

int processors() {
  const AllProcessors all_processors;
  cpu_set_t set;
  ::sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

JobOutput run_job(int cores, const std::string& program) {
  return run_program(GRAPPA_BENCH_JOB " -n " + std::to_string(cores) + " " + program);
}

JobOutput run_simulated_job(const std::string& cluster, const std::string& program) {
  return run_program(GRAPPA_BENCH_JOB " --simulate=" + cluster + " " + program);
}

JobOutput run_program(const std::string& program) {
  const AllProcessors all_processors;
  // If mpirun has started this process, these variables are set. With them, a second mpirun would
  // behave as a part of the job of the first mpirun.
  const std::string command =
      "env -i PATH=\"$PATH\" HOME=\"$HOME\" TMPDIR=\"${TMPDIR-/tmp}\" " + program + " 2>&1";
  FILE* const output = ::popen(command.c_str(), "r");
  if (output == nullptr) return JobOutput();
  std::vector<std::string> lines;
  char line[512];
  while (std::fgets(line, sizeof line, output) != nullptr) lines.push_back(line);
  const int status = ::pclose(output);
  return JobOutput(WIFEXITED(status) ? WEXITSTATUS(status) : -1, lines);
}

}  // namespace bench
