#include "system/base/core_local.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace Grappa {

using namespace detail;

namespace {

struct Room {
  int first = 1;
  char rest[8000];
  int last = 2;
};

GRAPPA_CORE_LOCAL(Room*) the_room = GRAPPA_ABSENT(Room);

TEST(CoreLocal, IsAbsentUntilItIsSet) {
  EXPECT_TRUE(is_absent(the_room));
  Room room;
  the_room = &room;
  EXPECT_FALSE(is_absent(the_room));
  the_room = GRAPPA_ABSENT(Room);
}

TEST(CoreLocal, IsAbsentInOtherThreads) {
  Room room;
  the_room = &room;
  bool absent_there = false;
  std::thread([&absent_there] { absent_there = is_absent(the_room); }).join();
  EXPECT_TRUE(absent_there);
  EXPECT_FALSE(is_absent(the_room));
  the_room = GRAPPA_ABSENT(Room);
}

TEST(CoreLocal, RecognizesAnyAddressInsideAnAbsentObject) {
  EXPECT_TRUE(in_absent_object(&the_room->first));
  EXPECT_TRUE(in_absent_object(&the_room->last));
}

TEST(CoreLocal, TreatsNeitherNullPointersNorOtherObjectsAsAbsent) {
  const Room room = Room();
  EXPECT_FALSE(in_absent_object(nullptr));
  EXPECT_FALSE(in_absent_object(reinterpret_cast<const void*>(uintptr_t{4096})));
  EXPECT_FALSE(in_absent_object(&room));
}

TEST(CoreLocalDeathTest, FaultsOnUseOfAnAbsentObject) {
  EXPECT_DEATH(++const_cast<volatile int&>(the_room->last), "");
}

}  // namespace
}  // namespace Grappa
