#include "system/base/mapping.hpp"

#include "system/base/units.hpp"

#include <cstring>
#include <gtest/gtest.h>

#include <unistd.h>

namespace Grappa {

using namespace detail;

namespace {

const size_t kBytes = 64 * KiB;

TEST(Mapping, PrivateMemoryIsZeroAndWritable) {
  char* memory = static_cast<char*>(map_private(kBytes));
  for (size_t k = 0; k < kBytes; ++k) EXPECT_EQ(memory[k], 0);
  std::memset(memory, 1, kBytes);
  EXPECT_EQ(memory[kBytes - 1], 1);
  unmap(memory, kBytes);
}

TEST(Mapping, UsesAddressSpaceOnly) {
  const size_t bytes = 4 * physical_memory_bytes();
  char* memory = static_cast<char*>(map_private(bytes));
  memory[bytes / 2] = 1;
  unmap(memory, bytes);
}

TEST(Mapping, IsAtTheGivenAddress) {
  void* free_place = map_private(kBytes);
  unmap(free_place, kBytes);
  map_private_at(free_place, kBytes, "test");
  static_cast<char*>(free_place)[kBytes - 1] = 1;
  unmap(free_place, kBytes);
}

TEST(MappingDeathTest, ReportsThePurposeIfTheAddressIsInUse) {
  char* memory = static_cast<char*>(map_private(kBytes));
  EXPECT_DEATH(map_private_at(memory, kBytes, "little heap"), "for the little heap");
  unmap(memory, kBytes);
}

TEST(MappingDeathTest, UnmappedMemoryIsInaccessible) {
  volatile char* memory = static_cast<char*>(map_private(kBytes));
  unmap(const_cast<char*>(memory), kBytes);
  EXPECT_DEATH(memory[0] = 1, "");
}

TEST(MappingDeathTest, AGuardIsInaccessible) {
  volatile char* memory = static_cast<char*>(map_private(2 * page_bytes()));
  EXPECT_TRUE(protect_guard(const_cast<char*>(memory), page_bytes()));
  memory[page_bytes()] = 1;
  EXPECT_DEATH(memory[page_bytes() - 1] = 1, "");
  unmap(const_cast<char*>(memory), 2 * page_bytes());
}

TEST(Mapping, HugePageAdviceKeepsTheContents) {
  const size_t bytes = 4 * MiB;
  char* memory = static_cast<char*>(map_private(bytes));
  memory[0] = memory[bytes - 1] = 7;
  advise_huge_pages(memory, bytes);
  EXPECT_EQ(memory[0], 7);
  EXPECT_EQ(memory[bytes - 1], 7);
  unmap(memory, bytes);
}

TEST(Mapping, DiscardedPagesAreFreedImmediatelyAndRead0) {
  const size_t bytes = 4 * page_bytes();
  char* const memory = static_cast<char*>(map_private(bytes));
  std::memset(memory, 1, bytes);
  discard_pages(memory + page_bytes(), 2 * page_bytes());
  EXPECT_EQ(resident_bytes(memory, bytes), 2 * page_bytes());
  EXPECT_EQ(memory[page_bytes()], 0);
  EXPECT_EQ(memory[page_bytes() - 1], 1);
  EXPECT_EQ(memory[3 * page_bytes()], 1);
  unmap(memory, bytes);
}

TEST(Mapping, FindsTheFirstResidentPageWithoutAllocatingAny) {
  const size_t pages = 200000;  // one mincore call covers fewer pages
  const size_t bytes = pages * page_bytes();
  char* const memory = static_cast<char*>(map_private(bytes));
  EXPECT_EQ(first_resident(memory, bytes), memory + bytes);
  EXPECT_EQ(resident_bytes(memory, bytes), 0u);
  for (const size_t page : {pages - 1, size_t{70000}, size_t{3}, size_t{0}}) {
    memory[page * page_bytes() + 5] = 1;
    EXPECT_EQ(first_resident(memory, bytes), memory + page * page_bytes());
  }
  EXPECT_EQ(resident_bytes(memory, bytes), 4 * page_bytes());
  unmap(memory, bytes);
}

TEST(SharedMemory, IsInitiallyZero) {
  SharedMemory memory = create_shared_memory(kBytes);
  for (size_t k = 0; k < kBytes; ++k) EXPECT_EQ(static_cast<char*>(memory.address)[k], 0);
  unmap(memory.address, kBytes);
  close_shared_memory(&memory);
}

TEST(SharedMemory, IsTheSameInAnotherMapping) {
  SharedMemory memory = create_shared_memory(kBytes);
  char* mine = static_cast<char*>(memory.address);
  char* other = static_cast<char*>(attach_shared_memory(::getpid(), memory.descriptor, kBytes));
  EXPECT_NE(mine, other);
  mine[kBytes - 1] = 3;
  EXPECT_EQ(other[kBytes - 1], 3);
  unmap(mine, kBytes);
  unmap(other, kBytes);
  close_shared_memory(&memory);
}

TEST(SharedMemory, OutlivesItsDescriptor) {
  SharedMemory memory = create_shared_memory(kBytes);
  char* mine = static_cast<char*>(memory.address);
  char* other = static_cast<char*>(attach_shared_memory(::getpid(), memory.descriptor, kBytes));
  close_shared_memory(&memory);
  EXPECT_EQ(memory.descriptor, -1);
  other[5] = 4;
  EXPECT_EQ(mine[5], 4);
  unmap(mine, kBytes);
  unmap(other, kBytes);
}

TEST(SharedMemoryDeathTest, AnotherProcessCanAttachIt) {
  SharedMemory memory = create_shared_memory(kBytes);
  const int creator = ::getpid();
  EXPECT_EXIT(
      {
        unmap(memory.address, kBytes);  // the mapping inherited by fork
        void* attached = attach_shared_memory(creator, memory.descriptor, kBytes);
        static_cast<char*>(attached)[1] = 9;
        ::_exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EQ(static_cast<char*>(memory.address)[1], 9);
  unmap(memory.address, kBytes);
  close_shared_memory(&memory);
}

TEST(SharedMemoryDeathTest, SuggestsAFlagIfItCannotBeAttached) {
  EXPECT_DEATH(attach_shared_memory(::getpid(), 100000, kBytes), "--cores_per_locale=1");
}

}  // namespace
}  // namespace Grappa
