#include "tests/harness/failing_disk.hpp"

#include <cerrno>
#include <cstdarg>

#include <sys/types.h>

namespace {

int calls_that_fail = 0;
int calls_before = 0;  // remaining calls that succeed; below 0 once a call has failed
int error_of_call = 0;

bool fails(DiskCall call) { return (calls_that_fail & call) != 0 && calls_before-- == 0; }

int failure() {
  errno = error_of_call;
  return error_of_call == kFileEnds ? 0 : -1;
}

}  // namespace

void fail_disk_call(int calls, int before, int error) {
  calls_that_fail = calls;
  calls_before = before;
  error_of_call = error;
}

bool disk_call_has_failed() {
  calls_that_fail = 0;
  return calls_before < 0;
}

// The linker option --wrap defines these symbol names. __real_ is the prefix of the original
// function, and __wrap_ is the prefix of the replacement.
int real_open(const char* path, int flags, ...) asm("__real_open");
ssize_t real_pread(int fd, void* to, size_t bytes, off_t offset) asm("__real_pread");
ssize_t real_pwrite(int fd, const void* from, size_t bytes, off_t offset) asm("__real_pwrite");
int real_close(int fd) asm("__real_close");
int failing_open(const char* path, int flags, ...) asm("__wrap_open");
ssize_t failing_pread(int fd, void* to, size_t bytes, off_t offset) asm("__wrap_pread");
ssize_t failing_pwrite(int fd, const void* from, size_t bytes, off_t offset) asm("__wrap_pwrite");
int failing_close(int fd) asm("__wrap_close");

int failing_open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);  // open() ignores it if the caller passed none
  va_end(rest);
  return fails(kOpenCall) ? failure() : real_open(path, flags, mode);
}

ssize_t failing_pread(int fd, void* to, size_t bytes, off_t offset) {
  return fails(kReadCall) ? failure() : real_pread(fd, to, bytes, offset);
}

ssize_t failing_pwrite(int fd, const void* from, size_t bytes, off_t offset) {
  return fails(kWriteCall) ? failure() : real_pwrite(fd, from, bytes, offset);
}

int failing_close(int fd) {
  const int result = real_close(fd);
  return fails(kCloseCall) ? failure() : result;
}
