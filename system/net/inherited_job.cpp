#include "system/net/inherited_job.hpp"

#include "system/base/mapping.hpp"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

/// Reads a decimal number below 10^9 and advances `*text` past it. If no such number begins at
/// `*text`, returns false.
bool read_number(const char** text, uint32_t* number) {
  const auto [end, error] = std::from_chars(*text, *text + std::strlen(*text), *number);
  *text = end;
  return error == std::errc() && *number < 1000000000;
}

/// Fills in all fields of `job` except `error`. Returns the error, or an empty string.
std::string attach(const char* text, InheritedJob* job) {
  const char* at = text;
  uint32_t descriptor = 0, core = 0;
  if (!read_number(&at, &descriptor) || *at++ != ':' || !read_number(&at, &core) || *at != '\0') {
    return "expected DESCRIPTOR:CORE";
  }
  const std::string name = "descriptor " + std::to_string(descriptor);
  const int fd = static_cast<int>(descriptor);
  struct stat file = {};
  if (::fstat(fd, &file) != 0) return name + ": " + std::strerror(errno);
  // Only memory files (memfd_create) have seals.
  const size_t bytes = static_cast<size_t>(file.st_size);
  if (::fcntl(fd, F_GET_SEALS) < 0 || bytes < sizeof(JobMemory)) {
    return name + " is not the memory of a job";
  }
  void* const mapped = try_map_shared(fd, bytes);
  if (mapped == nullptr) return "cannot map " + name + ": " + std::strerror(errno);
  JobMemory* const memory = static_cast<JobMemory*>(mapped);
  std::string error;
  if (memory->version != kJobMemoryVersion) {
    error = "the launcher uses version " + std::to_string(memory->version) +
            " of the job memory and the program uses version " + std::to_string(kJobMemoryVersion) +
            ": use a launcher and a library of the same build";
  } else if (memory->cores < 1 || memory->cores >= kMaxCores ||
             bytes != job_memory_bytes(memory->cores)) {
    error = name + " is not the memory of a job";
  } else if (core >= memory->cores) {
    error = "the job has " + std::to_string(memory->cores) + " cores, numbered from 0 to " +
            std::to_string(memory->cores - 1);
  } else if (memory->records()[core].state.load() != static_cast<uint32_t>(CoreState::Started)) {
    error = "core " + std::to_string(core) +
            " has already run a program: a job runs one program on each core";
  }
  if (!error.empty()) {
    unmap(mapped, bytes);
    return error;
  }
  ::close(fd);
  job->memory = memory;
  job->core = static_cast<Core>(core);
  job->identity = file.st_ino;
  return "";
}

InheritedJob read_environment() {
  InheritedJob job;
  const char* value = std::getenv(kJobVariable);
  if (value == nullptr) return job;
  const std::string error = attach(value, &job);
  if (!error.empty()) {
    job.error = std::string(kJobVariable) + "=\"" + value + "\": " + error +
                "; `grappa run` sets this variable for the cores that it starts";
  }
  ::unsetenv(kJobVariable);
  return job;
}

}  // namespace

const InheritedJob& inherited_job() {
  static const InheritedJob job = read_environment();
  return job;
}

}  // namespace Grappa::detail
