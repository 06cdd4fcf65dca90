#pragma once

/// Calls to the disk that fail, for tests that are linked with failing_disk of
/// tests/CMakeLists.txt: the linker takes the functions of failing_disk.cpp for those that the
/// library calls, so that no line of it knows of them.

#include <Grappa.hpp>

#include <cstdint>

enum DiskCall { kOpenCall = 1, kReadCall = 2, kWriteCall = 4, kCloseCall = 8 };

/// Instead of an errno: a read finds the end of the file.
constexpr int kFileEnds = 0;

/// Of this core's calls of these kinds (DiskCall, added up) the one after `before` others fails,
/// once, and sets errno to `error`.
void fail_disk_call(int calls, int before, int error);

/// From now on no call fails. True if one has.
bool disk_call_has_failed();

/// Runs `body()` while that is so on each core. False if no core has come so far as to fail. From:
/// task. Suspends.
template <class F>
bool with_failing(int calls, int before, int error, const F& body) {
  Grappa::on_all_cores([=] { fail_disk_call(calls, before, error); });
  body();
  return Grappa::sum_all_cores([] { return int64_t{disk_call_has_failed()}; }) > 0;
}
