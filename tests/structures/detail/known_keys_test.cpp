#include "structures/detail/known_keys.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace Grappa { namespace detail { namespace {

typedef KnownKeys<int64_t, std::hash<int64_t>, std::equal_to<int64_t>> Keys;

constexpr size_t kKeys = 8192;

/// Caches the key, as the result of an operation.
void note(Keys& keys, int64_t key) { keys.end(key, keys.begin(key), true); }

TEST(KnownKeys, ContainsNotedKeys) {
  Keys keys(kKeys);
  EXPECT_FALSE(keys.has(5));
  note(keys, 5);
  EXPECT_TRUE(keys.has(5));
  EXPECT_FALSE(keys.has(6));
  note(keys, 0);
  EXPECT_TRUE(keys.has(0));
}

TEST(KnownKeys, DoesNotContainAKeyThatWasNotFound) {
  Keys keys(kKeys);
  keys.end(5, keys.begin(5), false);
  EXPECT_FALSE(keys.has(5));
}

TEST(KnownKeys, KeepsThousandsOfNotedKeysAndNoOthers) {
  Keys keys(kKeys);
  for (int64_t key = 0; key < 100000; ++key) note(keys, 2 * key);
  int64_t kept = 0;
  for (int64_t key = 199000; key < 200000; key += 2) kept += keys.has(key);
  EXPECT_GT(kept, 400);
  for (int64_t key = 1; key < 1000; key += 2) EXPECT_FALSE(keys.has(key));
}

TEST(KnownKeys, OfSizeZeroIsEmpty) {
  Keys keys(0);
  note(keys, 5);
  keys.add_own(5);
  keys.drop_own(5);
  EXPECT_FALSE(keys.has(5));
  EXPECT_FALSE(keys.may_cache());
  EXPECT_FALSE(keys.is_marked(5));
}

TEST(KnownKeys, KeepsNoMoreThanItsSize) {
  Keys keys(64);
  for (int64_t key = 0; key < 1000; ++key) note(keys, key);
  int64_t kept = 0;
  for (int64_t key = 0; key < 1000; ++key) kept += keys.has(key);
  EXPECT_GT(kept, 32);
  EXPECT_LE(kept, 64);
}

TEST(KnownKeys, DropsABlockedKey) {
  Keys keys(kKeys);
  note(keys, 5);
  note(keys, 6);
  keys.block(5);
  EXPECT_FALSE(keys.has(5));
  EXPECT_TRUE(keys.has(6));
}

TEST(KnownKeys, DoesNotCacheABlockedKey) {
  Keys keys(kKeys);
  keys.block(5);
  keys.block(5);  // two tasks erase the key
  note(keys, 5);
  EXPECT_FALSE(keys.has(5));
  keys.unblock(5);
  note(keys, 5);
  EXPECT_FALSE(keys.has(5));
  keys.unblock(5);
  EXPECT_FALSE(keys.has(5));
  note(keys, 5);
  EXPECT_TRUE(keys.has(5));
}

TEST(KnownKeys, DoesNotCacheAResultFromBeforeABlock) {
  Keys keys(kKeys);
  const Keys::Epoch before = keys.begin(5);
  keys.block(5);
  keys.unblock(5);
  keys.end(5, before, true);
  EXPECT_FALSE(keys.has(5));
}

TEST(KnownKeys, DoesNotCacheAResultFromBeforeAnUnblock) {
  Keys keys(kKeys);
  keys.block(5);
  const Keys::Epoch before = keys.begin(5);
  keys.unblock(5);
  keys.end(5, before, true);
  EXPECT_FALSE(keys.has(5));
}

TEST(KnownKeys, MayCacheWhileAnOperationIsUnderWay) {
  Keys keys(kKeys);
  EXPECT_FALSE(keys.may_cache());
  const Keys::Epoch first = keys.begin(5), second = keys.begin(6);
  EXPECT_TRUE(keys.may_cache());
  keys.end(5, first, false);
  EXPECT_TRUE(keys.may_cache());
  keys.end(6, second, true);
  EXPECT_FALSE(keys.may_cache());
}

TEST(KnownKeys, KeepsMarksUntilTheyAreRemoved) {
  Keys keys(kKeys);
  EXPECT_FALSE(keys.is_marked(5));
  keys.mark(5);
  EXPECT_TRUE(keys.is_marked(5));
  EXPECT_FALSE(keys.is_marked(6));
  EXPECT_FALSE(keys.has(5));
  keys.block(5);
  EXPECT_TRUE(keys.is_marked(5));
  keys.drop_own(5);
  EXPECT_FALSE(keys.is_marked(5));
}

TEST(KnownKeys, DropsAKeyOfThisCore) {
  Keys keys(kKeys);
  keys.add_own(5);
  EXPECT_TRUE(keys.has(5));
  EXPECT_FALSE(keys.may_cache());
  const Keys::Epoch before = keys.begin(5);
  keys.drop_own(5);
  EXPECT_FALSE(keys.has(5));
  keys.end(5, before, true);
  EXPECT_FALSE(keys.has(5));
}

TEST(KnownKeys, IsEmptyAfterClear) {
  Keys keys(kKeys);
  note(keys, 5);
  keys.mark(6);
  keys.clear();
  EXPECT_FALSE(keys.has(5));
  EXPECT_FALSE(keys.is_marked(6));
  note(keys, 5);
  EXPECT_TRUE(keys.has(5));
}

TEST(KnownKeys, AreUsedAgainAfterClearAlthoughTheyWereBypassed) {
  Keys keys(kKeys);
  for (int64_t key = 0; key < 5000; ++key) {
    if (!keys.has(key)) note(keys, key);
  }
  keys.clear();
  note(keys, 5);
  EXPECT_TRUE(keys.has(5));
}

TEST(KnownKeys, FindsHotKeysAgainAfterAFloodOfOthers) {
  Keys keys(kKeys);
  for (int64_t key = 1000; key < 100000; ++key) keys.has(key);
  int64_t found = 0;
  for (int round = 0; round < 200000; ++round) {
    if (keys.has(round % 100)) {
      ++found;
    } else {
      note(keys, round % 100);
    }
  }
  EXPECT_GT(found, 100000);
}

TEST(KnownKeys, AreBypassedIfLookupsRarelyHit) {
  Keys keys(kKeys);
  int64_t key = 0;
  for (; key < 100000; ++key) {
    if (!keys.has(key)) note(keys, key);
  }
  // The cache is now bypassed for most lookups, so most of the keys noted last are not cached.
  const Keys::Epoch bypassed = keys.begin(key);
  EXPECT_FALSE(keys.may_cache());
  keys.end(key, bypassed, true);
  int64_t found = 0;
  for (int64_t last = key - 100; last < key; ++last) found += keys.has(last);
  EXPECT_LT(found, 100);
}

}}}  // namespace Grappa::detail
