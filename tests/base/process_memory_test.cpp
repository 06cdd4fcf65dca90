
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <vector>

#include <unistd.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(ProcessMemory, GrowsWithTouchedPages) {
  constexpr size_t kBytes = 64 * MiB;
  const ProcessMemory before = process_memory();
  void* const place = map_private(kBytes);
  std::memset(place, 1, kBytes);
  const ProcessMemory touched = process_memory();
  unmap(place, kBytes);
  const ProcessMemory after = process_memory();
  EXPECT_GE(touched.resident_bytes, before.resident_bytes + kBytes / 2);
  EXPECT_LE(after.resident_bytes, touched.resident_bytes - kBytes / 2);
  EXPECT_GE(after.peak_bytes, before.resident_bytes + kBytes / 2) << "the peak remains";
}

TEST(ProcessMemory, IsReadFromAStatusFile) {
  char path[] = "/tmp/process_memory_test_XXXXXX";
  ::close(::mkstemp(path));
  std::ofstream(path) << "Name:\tprogram\nVmPeak:\t 9 kB\nVmHWM:\t  300 kB\nVmRSS:\t  200 kB\n";
  const ProcessMemory memory = process_memory(path);
  ::unlink(path);
  EXPECT_EQ(200 * KiB, memory.resident_bytes);
  EXPECT_EQ(300 * KiB, memory.peak_bytes);
  EXPECT_EQ(0u, process_memory(path).peak_bytes) << "the file does not exist";
}

TEST(ProcessMemory, SharesPagesWithOtherProcessesAndCountsBlocks) {
  char path[] = "/tmp/process_memory_test_XXXXXX";
  ::close(::mkstemp(path));
  std::ofstream(path) << "00400000-7fff [rollup]\nRss:    400 kB\nPss:    123 kB\n";
  EXPECT_EQ(123 * KiB, process_memory("/proc/self/status", path).own_bytes);
  ::unlink(path);
#if !GRAPPA_ASAN
  const size_t before = process_memory().malloc_bytes;
  const std::vector<char> block(1 * MiB);
  EXPECT_GE(process_memory().malloc_bytes, before + block.size());
#endif
}

}  // namespace
}  // namespace Grappa
