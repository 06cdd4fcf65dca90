#include "system/net/world.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace Grappa { namespace detail { namespace {

// A process reads the variable only once, so each case runs in a separate process.

/// The memory of a job with `bytes` bytes, as a launcher creates it.
class Memory {
 public:
  explicit Memory(uint32_t cores) : Memory(cores, job_memory_bytes(cores)) {}
  Memory(uint32_t cores, size_t bytes) : bytes_(bytes), descriptor_(::memfd_create("test", 0)) {
    EXPECT_EQ(::ftruncate(descriptor_, static_cast<off_t>(bytes)), 0);
    memory_ = static_cast<JobMemory*>(
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0));
    memory_->version = kJobMemoryVersion;
    memory_->cores = cores;
  }
  ~Memory() {
    ::munmap(memory_, bytes_);
    ::close(descriptor_);
  }
  JobMemory* operator->() { return memory_; }
  int descriptor() const { return descriptor_; }
  std::string variable(const std::string& core) const {
    return std::to_string(descriptor_) + ":" + core;
  }

 private:
  const size_t bytes_;
  const int descriptor_;
  JobMemory* memory_;
};

[[noreturn]] void start_with(const std::string& value) {
  ::setenv(kJobVariable, value.c_str(), 1);
  start_world(WorldChoice::Automatic, nullptr, nullptr);
  std::_Exit(0);
}

/// Expects exit status 2 and one line with the value and the reason.
void expect_refused(const std::string& value, const std::string& reason) {
  EXPECT_EXIT(start_with(value), testing::ExitedWithCode(2),
              "^[a-z_]*: GRAPPA_JOB=\"" + value + "\": .*" + reason + ".*grappa run[^\n]*\n$")
      << value;
}

TEST(InheritedJob, IsRejectedIfItIsNotTwoNumbers) {
  for (const char* value : {"", "x", "3", "3:", ":0", "3:0:", "3:0x", " 3:0", "3: 0", "-3:0",
                            "3:-0", "1000000000:0", "0:1000000000"}) {
    expect_refused(value, "expected DESCRIPTOR:CORE");
  }
}

TEST(InheritedJob, IsRejectedWithoutItsDescriptor) {
  Memory job(1);
  ::close(job.descriptor());
  expect_refused(job.variable("0"), "descriptor [0-9]+: Bad file descriptor");
}

TEST(InheritedJob, IsRejectedIfTheDescriptorIsNotTheMemoryOfAJob) {
  const int file = ::open("/proc/self/exe", O_RDONLY);
  expect_refused(std::to_string(file) + ":0", "is not the memory of a job");
  ::close(file);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  expect_refused(std::to_string(ends[0]) + ":0", "is not the memory of a job");
  ::close(ends[0]);
  ::close(ends[1]);
  expect_refused(Memory(2, job_memory_bytes(3)).variable("0"), "is not the memory of a job");
  expect_refused(Memory(0).variable("0"), "is not the memory of a job");
}

TEST(InheritedJob, IsRejectedIfTheMemoryHasAnotherVersion) {
  Memory job(1);
  job->version = kJobMemoryVersion + 1;
  expect_refused(job.variable("0"), "use a launcher and a library of the same build");
}

TEST(InheritedJob, IsRejectedIfThereIsNoSuchCore) {
  const Memory job(2);
  expect_refused(job.variable("2"), "the job has 2 cores, numbered from 0 to 1");
  expect_refused(job.variable("999999999"), "cores, numbered from 0 to 1");
}

TEST(InheritedJob, IsRejectedIfTheCoreHasAlreadyRunAProgram) {
  Memory job(2);
  job->records()[1].state = static_cast<uint32_t>(CoreState::Finalized);
  expect_refused(job.variable("1"), "core 1 has already run a program");
}

/// Returns 0 if all checks pass, otherwise the number of the failed check.
int what_is_wrong(Memory* job) {
  ::setenv(kJobVariable, job->variable("0").c_str(), 1);
  if (inherited_job().memory == nullptr || inherited_job().core != 0) return 1;
  if (std::getenv(kJobVariable) != nullptr) return 2;
  if (::fcntl(job->descriptor(), F_GETFD) != -1) return 3;
  const auto state = [job] { return static_cast<CoreState>((*job)->records()[0].state.load()); };
  if (state() != CoreState::Started) return 4;
  start_world(WorldChoice::Automatic, nullptr, nullptr);
  if (state() != CoreState::Running) return 5;
  if (world().discover_topology(0).cores != 1) return 6;
  const pid_t child = ::fork();
  if (child == 0) std::exit(0);
  if (::waitpid(child, nullptr, 0) != child || state() != CoreState::Running) return 8;
  finish_world();
  if (state() != CoreState::Finalized) return 7;
  return 0;
}

TEST(InheritedJob, IsReadOnceAndHiddenFromChildProcesses) {
  Memory job(1);
  EXPECT_EXIT(std::_Exit(what_is_wrong(&job)), testing::ExitedWithCode(0), "");
}

TEST(InheritedJob, IsRejectedWithWorldMpi) {
  const Memory job(1);
  ::setenv(kJobVariable, job.variable("0").c_str(), 1);
  EXPECT_EXIT(start_world(WorldChoice::Mpi, nullptr, nullptr), testing::ExitedWithCode(2),
              "^[a-z_]*: --world=mpi was found by the program but not by the launcher: ");
  ::unsetenv(kJobVariable);
}

}}}  // namespace Grappa::detail
