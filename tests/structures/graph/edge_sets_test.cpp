#include "structures/graph/file/edge_sets.hpp"

#include "tests/harness/random.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

typedef std::vector<std::vector<uint64_t>> Lists;  // of each vertex, ascending

constexpr EdgeKey kKey = {UINT64_C(0x1234567890abcde), UINT64_C(0x1edcba987654321)};

EdgeSets sets_of(const Lists& lists) {
  EdgeSets sets;
  for (size_t v = 0; v < lists.size(); ++v) {
    sets.add_list(kKey, VertexID(v), lists[v].data(), int64_t(lists[v].size()));
  }
  return sets;
}

Lists random_lists(size_t nv, int edges, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<std::set<uint64_t>> sets(nv);
  for (int i = 0; i < edges; ++i) {
    const uint64_t v = random.next() % nv, w = random.next() % nv;
    if (v == w) continue;
    sets[v].insert(w);
    sets[w].insert(v);
  }
  Lists lists;
  for (const auto& set : sets) lists.emplace_back(set.begin(), set.end());
  return lists;
}

uint64_t multiply(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 Product;
  return static_cast<uint64_t>(static_cast<Product>(a) * b % EdgeSets::kPrime);
}

// The product over all edges of the model, (x - low - y * high), with reduced numbers only.
uint64_t model(const Lists& lists, bool at_low) {
  uint64_t product = 1;
  for (uint64_t v = 0; v < lists.size(); ++v) {
    for (const uint64_t w : lists[v]) {
      if ((v < w) != at_low) continue;
      const uint64_t code =
          (std::min(v, w) + multiply(kKey.factor, std::max(v, w))) % EdgeSets::kPrime;
      product = multiply(product, (kKey.point + EdgeSets::kPrime - code) % EdgeSets::kPrime);
    }
  }
  return product;
}

uint64_t product_of(const uint64_t* lanes) {
  uint64_t product = 1;
  for (int lane = 0; lane < EdgeSets::kLanes; ++lane) {
    product = multiply(product, lanes[lane] % EdgeSets::kPrime);
  }
  return product;
}

TEST(EdgeSets, AreThePolynomialsOfTheEdges) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Lists lists = random_lists(50, int(seed) * 20, seed);
    const EdgeSets sets = sets_of(lists);
    EXPECT_EQ(product_of(sets.at_low), model(lists, true)) << "seed " << seed;
    EXPECT_EQ(product_of(sets.at_high), model(lists, false)) << "seed " << seed;
    EXPECT_TRUE(sets.match()) << "seed " << seed;
  }
}

TEST(EdgeSets, DoNotMatchIfAnyEntryIsMissing) {
  const Lists lists = random_lists(20, 60, 7);
  for (size_t v = 0; v < lists.size(); ++v) {
    for (size_t k = 0; k < lists[v].size(); ++k) {
      Lists damaged = lists;
      damaged[v].erase(damaged[v].begin() + int64_t(k));
      EXPECT_FALSE(sets_of(damaged).match()) << "entry " << k << " of vertex " << v;
    }
  }
}

TEST(EdgeSets, AreTheSameForEntriesInAnyPiecesOnAnyCores) {
  const Lists lists = random_lists(40, 300, 3);
  EdgeSets here, there;
  for (size_t v = 0; v < lists.size(); ++v) {
    for (const uint64_t w : lists[v])
      (w % 3 == 0 ? here : there).add(kKey, VertexID(v), int64_t(w));
  }
  const EdgeSets sets = EdgeSets::unite(here, there);
  EXPECT_TRUE(sets.match());
  EXPECT_EQ(product_of(sets.at_low), model(lists, true));
}

TEST(EdgeSets, HoldTheLargestIdsAndKeys) {
  constexpr EdgeKey kLargest = {EdgeSets::kPrime - 1, EdgeSets::kPrime - 1};
  const uint64_t last = (uint64_t{1} << 60) - 1;
  EdgeSets sets;
  for (uint64_t k = 1; k < 200; ++k) {
    const uint64_t low[] = {last - k}, high[] = {last};
    sets.add_list(kLargest, VertexID(last), low, 1);
    sets.add_list(kLargest, VertexID(last - k), high, 1);
    EXPECT_TRUE(sets.match()) << k;
  }
}

}  // namespace
}  // namespace Grappa
