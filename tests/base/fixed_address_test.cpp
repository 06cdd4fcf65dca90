#include "system/base/mapping.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <dlfcn.h>

const void* object_of_fixed_address_library();

namespace Grappa {

using namespace detail;

namespace {

constexpr uintptr_t kPlace = 0x180640000000;  // grappa_fix_address(... 100) in tests/CMakeLists.txt

int object_of_program = 0;

TEST(FixedAddress, TheFirstFileIsTheProgramWithItsFileScopeObjects) {
  const std::vector<FixedFile> files = fixed_files();
  ASSERT_FALSE(files.empty());
  EXPECT_TRUE(files[0].contains(&object_of_program));
  EXPECT_TRUE(files[0].contains(reinterpret_cast<const void*>(&fixed_files)));
}

TEST(FixedAddress, ALibraryLinkedAtAFixedAddressIsMappedThere) {
  const std::vector<FixedFile> files = fixed_files();
  bool found = false;
  for (const FixedFile& file : files) {
    if (!file.contains(object_of_fixed_address_library())) continue;
    found = true;
    EXPECT_EQ(file.begin, kPlace);
    EXPECT_NE(file.path.find("/libfixed_address_library.so"), std::string::npos) << file.path;
  }
  EXPECT_TRUE(found);
}

TEST(FixedAddress, ExcludesStackHeapAndOtherLibraries) {
  const int on_the_stack = 0;
  const std::vector<int> on_the_heap(1);
  const void* const of_another_library = dlsym(RTLD_DEFAULT, "getsubopt");
  ASSERT_NE(of_another_library, nullptr);
  for (const FixedFile& file : fixed_files()) {
    EXPECT_FALSE(file.contains(&on_the_stack));
    EXPECT_FALSE(file.contains(on_the_heap.data()));
    EXPECT_FALSE(file.contains(of_another_library));
  }
}

}  // namespace
}  // namespace Grappa
