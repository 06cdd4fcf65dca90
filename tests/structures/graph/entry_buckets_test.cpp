#include "structures/graph/csr/entry_buckets.hpp"

#include "system/base/mapping.hpp"
#include "tests/harness/random.hpp"

#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

/// Sorts `n` entries whose indices are below `places`. If `places` is 0, the indices are any
/// numbers of `index_bits` bits.
template <class Id>
void expect_sorted(int index_bits, int neighbour_bits, int64_t n, uint64_t seed,
                   uint64_t places = 0) {
  if (places == 0) places = uint64_t{1} << index_bits;
  SplitMix64 random(seed);
  EntryBuckets<Id> buckets(index_bits, neighbour_bits);
  std::map<uint64_t, std::multiset<uint64_t>> model;
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t place = random.next() % places;
    const uint64_t neighbour = random.next() & ((uint64_t{1} << neighbour_bits) - 1);
    buckets.add(ListEntry<Id>{static_cast<Id>(place), static_cast<Id>(neighbour)});
    model[place].insert(neighbour);
  }
  EXPECT_EQ(buckets.size(), n);
  const std::vector<uint32_t> lengths = buckets.lengths(int64_t(places));
  for (const auto& list : model) ASSERT_EQ(lengths[list.first], list.second.size());
  EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), int64_t{0}), n);
  std::map<uint64_t, std::multiset<uint64_t>> found;
  for (size_t bucket = 0; bucket < buckets.buckets(); ++bucket) {
    uint64_t place = 0, neighbour = 0;
    const auto sorted = buckets.take_sorted(bucket);
    for (size_t k = 0; k < sorted.size(); ++k) {
      const ListEntry<Id> entry = sorted[k];
      ASSERT_EQ(uint64_t{entry.place} >> buckets.log_bucket(), bucket);
      ASSERT_TRUE(entry.place > place || (entry.place == place && entry.neighbour >= neighbour));
      place = entry.place;
      neighbour = entry.neighbour;
      found[place].insert(neighbour);
    }
  }
  EXPECT_EQ(found, model);
  EXPECT_EQ(buckets.size(), 0);
}

TEST(EntryBuckets, SortByPlaceAndThenByNeighbour) {
  expect_sorted<uint32_t>(13, 20, 200000, 1);
  expect_sorted<uint64_t>(13, 45, 100000, 2);
}

TEST(EntryBuckets, SortFewEntries) {
  expect_sorted<uint32_t>(6, 1, 0, 3);
  expect_sorted<uint32_t>(6, 3, 1, 4);
  expect_sorted<uint32_t>(6, 32, 100, 5);
}

TEST(EntryBuckets, SortBucketsWithMoreIndicesThanADigitHas) {
  // Each bucket has 2^14 local indices. Only buckets with many entries are sorted by digits.
  expect_sorted<uint32_t>(24, 24, 100000, 6);
  expect_sorted<uint32_t>(24, 24, 100000, 6, uint64_t{1} << 14);
}

/// A core must not keep the memory of all entries until the last list is built.
TEST(EntryBuckets, FreeTheMemoryOfBucketsThatWereRead) {
  constexpr int kIndexBits = 17;  // several groups of buckets
  constexpr size_t kEntries = size_t{1} << 21;
  constexpr size_t kBytes = kEntries * sizeof(uint32_t);
  EntryBuckets<uint32_t> buckets(kIndexBits, 20);
  for (uint32_t i = 0; i < kEntries; ++i) buckets.add({i % (1u << kIndexBits), i % 1000});
  const size_t full = process_memory().resident_bytes;
  size_t last = buckets.buckets();
  while (last > buckets.buckets() / 2) buckets.take_sorted(--last);  // in any order
  EXPECT_LE(process_memory().resident_bytes + kBytes / 3, full);
  buckets.add({1u << (kIndexBits - 1), 5});  // into a bucket that was read
  EXPECT_EQ(buckets.size(), int64_t(kEntries / 2) + 1);
  ASSERT_EQ(buckets.take_sorted(last).size(), 1u);
  while (last > 0) buckets.take_sorted(--last);
  EXPECT_EQ(buckets.size(), 0);
}

TEST(EntryBuckets, KeepDuplicateEntries) { expect_sorted<uint32_t>(6, 2, 50000, 7); }

}  // namespace
}  // namespace Grappa
