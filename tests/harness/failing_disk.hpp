#pragma once

/// Simulates failing file operations, for tests that use ${failing_disk} of tests/CMakeLists.txt.
/// The linker replaces the system calls of the library by the functions in failing_disk.cpp; the
/// library itself is not changed.

#include <Grappa.hpp>

#include <cstdint>

enum DiskCall { kOpenCall = 1, kReadCall = 2, kWriteCall = 4, kCloseCall = 8 };

/// A value of `error` that is not an errno: the failing read returns end of file.
constexpr int kFileEnds = 0;

/// After `before` successful calls of the given kinds on this core, one call fails and sets errno
/// to `error`. `calls` is the sum of DiskCall values.
void fail_disk_call(int calls, int before, int error);

/// Disables failures. Returns true if a call has failed.
bool disk_call_has_failed();

/// Calls fail_disk_call() on each core and runs `body()`. Returns false if no call has failed.
/// From: task. Suspends.
template <class F>
bool with_failing(int calls, int before, int error, const F& body) {
  Grappa::on_all_cores([=] { fail_disk_call(calls, before, error); });
  body();
  return Grappa::sum_all_cores([] { return int64_t{disk_call_has_failed()}; }) > 0;
}
