#include "system/base/checked_mode.hpp"

#include <cstdint>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace Grappa { namespace detail { namespace {

int at_file_scope = 0;

uintptr_t mapped(int rights, int kind) {
  void* const page = ::mmap(nullptr, 4096, rights, kind | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(MAP_FAILED, page);
  return reinterpret_cast<uintptr_t>(page);
}

TEST(PrivateMemory, IsWritableByThisProcessOnly) {
  const int on_stack = 0;
  EXPECT_TRUE(is_private_memory(reinterpret_cast<uintptr_t>(&on_stack)));
  EXPECT_TRUE(is_private_memory(mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE)));
  EXPECT_TRUE(is_private_memory(mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE) + 4095));
  EXPECT_FALSE(is_private_memory(mapped(PROT_READ | PROT_WRITE, MAP_SHARED)));
  EXPECT_FALSE(is_private_memory(mapped(PROT_NONE, MAP_PRIVATE)));
  EXPECT_FALSE(is_private_memory(reinterpret_cast<uintptr_t>(&at_file_scope)));
}

TEST(PrivateMemory, ExcludesUnmappedAddresses) {
  const uintptr_t page = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE);
  ASSERT_EQ(0, ::munmap(reinterpret_cast<void*>(page), 4096));
  EXPECT_FALSE(is_private_memory(page));
  for (int bit = 0; bit < 64; ++bit) EXPECT_FALSE(is_private_memory(uintptr_t{1} << bit)) << bit;
}

}}}  // namespace Grappa::detail
