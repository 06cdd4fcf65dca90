#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "tests/harness/counted.hpp"
#include "tests/structures/remote_keys.hpp"

#include <gtest/gtest.h>

namespace Grappa { namespace {

typedef GlobalSet<int64_t> Set;
typedef GlobalAddress<Set> SetAddress;

/// The number of keys from `first` to 99 that belong to other cores.
uint64_t keys_of_others(int64_t first) {
  uint64_t n = 0;
  for (int64_t key = first; key < 100; ++key) n += is_remote_key(key);
  return n;
}

TEST(SetCache, AnswersForKnownKeysWithoutAMessage) {
  const SetAddress set = Set::create(0, Combining::Distributed);
  on_all_cores([set] {
    for (int64_t key = 0; key < 100; ++key) set->insert(key);
    const Gain known("structures.known"), operations("structures.operations");
    for (int64_t key = 0; key < 100; ++key) {
      EXPECT_FALSE(set->insert(key));
      EXPECT_TRUE(set->contains(key));
    }
    for (int64_t key = 0; key < 100; ++key) set->insert<async>(key);
    EXPECT_EQ(known.value(), 300u);
    EXPECT_EQ(operations.value(), 0u);
  });
  EXPECT_EQ(set->size(), 100);
  // All cores drop the keys that the last core erases, and cache the other keys again.
  delegate::call(static_cast<Core>(cores() - 1), [set] {
    for (int64_t key = 0; key < 100; key += 2) EXPECT_TRUE(set->erase(key));
  });
  on_all_cores([set] {
    for (int64_t key = 0; key < 100; ++key) EXPECT_EQ(set->contains(key), key % 2 == 1);
    const Gain known("structures.known");
    for (int64_t key = 1; key < 100; key += 2) EXPECT_TRUE(set->contains(key));
    EXPECT_EQ(known.value(), 50u);
  });
  set->clear();
  on_all_cores([set] {
    for (int64_t key = 0; key < 100; ++key) EXPECT_FALSE(set->contains(key));
  });
  set->destroy();
}

TEST(SetCache, AnnouncesOnlyErasuresOfKeysThatOtherCoresMayHaveCached) {
  const SetAddress set = Set::create(0, Combining::Distributed);
  for (int64_t key = 0; key < 100; ++key) set->insert<async>(key);
  set->sync_all_cores();
  const Gain announced("structures.announced");
  for (int64_t key = 0; key < 50; ++key) EXPECT_TRUE(set->erase(key));
  EXPECT_EQ(announced.value(), 0u);
  for (int64_t key = 0; key < 100; ++key) EXPECT_EQ(set->contains(key), key >= 50);
  for (int64_t key = 0; key < 100; ++key) EXPECT_EQ(set->erase(key), key >= 50);
  EXPECT_EQ(announced.value(), keys_of_others(50));
  set->destroy();
}

}}  // namespace Grappa
