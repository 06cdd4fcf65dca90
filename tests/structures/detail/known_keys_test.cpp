#include "structures/global_set.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace Grappa { namespace detail { namespace {

typedef KnownKeys<int64_t, std::hash<int64_t>, std::equal_to<int64_t>> Keys;

constexpr size_t kKeys = 8192;

TEST(KnownKeys, ContainsNotedKeys) {
  Keys keys(kKeys);
  EXPECT_FALSE(keys.has(5));
  keys.note(5, keys.epoch());
  EXPECT_TRUE(keys.has(5));
  EXPECT_FALSE(keys.has(6));
  keys.note(0, keys.epoch());
  EXPECT_TRUE(keys.has(0));
}

TEST(KnownKeys, KeepsThousandsOfNotedKeysAndNoOthers) {
  Keys keys(kKeys);
  for (int64_t key = 0; key < 100000; ++key) keys.note(2 * key, keys.epoch());
  int64_t kept = 0;
  for (int64_t key = 199000; key < 200000; key += 2) kept += keys.has(key);
  EXPECT_GT(kept, 400);
  for (int64_t key = 1; key < 1000; key += 2) EXPECT_FALSE(keys.has(key));
}

TEST(KnownKeys, OfSizeZeroIsEmpty) {
  Keys keys(0);
  keys.note(5, keys.epoch());
  EXPECT_FALSE(keys.has(5));
  keys.restart();
  EXPECT_FALSE(keys.has(5));
}

TEST(KnownKeys, KeepsNoMoreThanItsSize) {
  Keys keys(64);
  for (int64_t key = 0; key < 1000; ++key) keys.note(key, keys.epoch());
  int64_t kept = 0;
  for (int64_t key = 0; key < 1000; ++key) kept += keys.has(key);
  EXPECT_GT(kept, 32);
  EXPECT_LE(kept, 64);
}

TEST(KnownKeys, IsDisabledByForget) {
  Keys keys(kKeys);
  const uint64_t before = keys.epoch();
  keys.note(5, before);
  keys.forget();
  EXPECT_FALSE(keys.has(5));
  keys.note(5, before);
  EXPECT_FALSE(keys.has(5));
  keys.note(5, keys.epoch());
  EXPECT_FALSE(keys.has(5));
}

TEST(KnownKeys, IgnoresOlderOperationsAfterRestart) {
  Keys keys(kKeys);
  const uint64_t before = keys.epoch();
  keys.note(5, before);
  keys.restart();
  EXPECT_FALSE(keys.has(5));
  keys.note(5, before);
  EXPECT_FALSE(keys.has(5));
  keys.note(5, keys.epoch());
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
      keys.note(round % 100, keys.epoch());
    }
  }
  EXPECT_GT(found, 100000);
}

TEST(KnownKeys, AreBypassedIfLookupsRarelyHit) {
  Keys keys(kKeys);
  int64_t key = 0;
  for (; key < 100000; ++key) {
    if (!keys.has(key)) keys.note(key, keys.epoch());
  }
  // The cache is now bypassed for most lookups, so most of the keys noted last are not cached.
  int64_t found = 0;
  for (int64_t last = key - 100; last < key; ++last) found += keys.has(last);
  EXPECT_LT(found, 100);
}

}}}  // namespace Grappa::detail
