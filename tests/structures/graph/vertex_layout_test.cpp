#include "structures/graph/csr/csr.hpp"

#include <Grappa.hpp>

#include <gtest/gtest.h>
#include <set>

namespace Grappa {

using namespace detail;

namespace {

struct Vertex16 {
  char bytes[16];
};

TEST(VertexLayout, MatchesTheLayoutOfALinearArray) {
  const int64_t nv = 1000;
  const GlobalAddress<Vertex16> vs = global_alloc<Vertex16>(size_t(nv));
  const VertexLayout layout(nv, sizeof(Vertex16));
  for (VertexID v = 0; v < nv; ++v) {
    const GlobalAddress<Vertex16> vertex = vs + v;
    ASSERT_EQ(layout.core(v), vertex.core());
    ASSERT_EQ(layout.place(v), vertex.pointer() - vs.localize(vertex.core()));
    ASSERT_EQ(layout.id(layout.core(v), layout.place(v)), v);
  }
  global_free(vs);
}

TEST(VertexLayout, CountsTheVerticesOfEachCore) {
  for (const size_t bytes : {8, 16, 32, 64}) {
    for (int64_t nv = 0; nv < 100; ++nv) {
      const VertexLayout layout(nv, bytes);
      std::vector<int64_t> count(size_t(cores()), 0);
      for (VertexID v = 0; v < nv; ++v) ++count[size_t(layout.core(v))];
      for (Core c = 0; c < cores(); ++c) ASSERT_EQ(layout.vertices_of(c), count[size_t(c)]);
    }
  }
}

TEST(VertexLayout, GivesEachVertexASlotInTheOrderOfIdsOfACore) {
  const int64_t nv = 777;
  const VertexLayout layout(nv, 16);
  std::set<uint64_t> slots;
  std::vector<uint64_t> last(size_t(cores()), 0);
  for (VertexID v = 0; v < nv; ++v) {
    const uint64_t slot = layout.slot(v);
    EXPECT_LT(slot, layout.slots());
    EXPECT_TRUE(slots.insert(slot).second);
    EXPECT_EQ(layout.core_of_slot(slot), layout.core(v));
    EXPECT_EQ(layout.place_of_slot(slot), layout.place(v));
    EXPECT_EQ(layout.id_of_slot(slot), v);
    uint64_t& before = last[size_t(layout.core(v))];
    EXPECT_TRUE(layout.place(v) == 0 || slot == before + 1);
    before = slot;
  }
}

TEST(VertexLayout, NeedsMoreThan32BitsForLargeSlotsOrIds) {
  EXPECT_TRUE(VertexLayout(0, 16).fits_in_32_bits());
  EXPECT_TRUE(VertexLayout(int64_t{1} << 31, 16).fits_in_32_bits() || cores() == 3);
  EXPECT_FALSE(VertexLayout(int64_t{1} << 32, 16).fits_in_32_bits())
      << "no number is left that is neither a slot nor an id";
  EXPECT_FALSE(VertexLayout(int64_t{1} << 40, 64).fits_in_32_bits());
}

TEST(VertexLayout, HasAtLeastAWordOfIndices) {
  EXPECT_EQ(VertexLayout(0, 16).index_bits(), 6);
  EXPECT_EQ(VertexLayout(1, 16).index_bits(), 6);
  EXPECT_EQ(VertexLayout(64 * cores(), 16).index_bits(), 6);
  EXPECT_EQ(VertexLayout(64 * cores() + 1, 16).index_bits(), 7);
}

}  // namespace
}  // namespace Grappa
