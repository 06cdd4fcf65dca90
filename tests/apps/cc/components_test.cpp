#include "apps/cc/components.hpp"

#include "structures/graph/make/generators.hpp"
#include "tests/apps/cc/graphs.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <random>

namespace cc { namespace {

using Grappa::Combining;
using Grappa::GraphLayout;
using Grappa::detail::SlotWidth;

typedef GlobalAddress<LabelGraph> G;

struct Form {
  const char* name;
  std::unique_ptr<Components> (*make)(G);
  SlotWidth width;
};
const Form kForms[] = {
    {"kahan, none",
     [](G g) {
       return kahan_components(g, {Combining::None, 16, false});
     },
     SlotWidth::kAutomatic},
    {"kahan, centralized",
     [](G g) {
       return kahan_components(g, {Combining::Centralized, 16, false});
     },
     SlotWidth::kAutomatic},
    {"kahan, distributed",
     [](G g) {
       return kahan_components(g, {Combining::Distributed, 16, false});
     },
     SlotWidth::kAutomatic},
    {"kahan, one at a time",
     [](G g) {
       return kahan_components(g, {Combining::Distributed, 1, false});
     },
     SlotWidth::kAutomatic},
    {"kahan, all at a time",
     [](G g) {
       return kahan_components(g, {Combining::Distributed, 1 << 20, false});
     },
     SlotWidth::k64},
    {"tuned",
     [](G g) {
       return kahan_components(g, {Combining::Distributed, 16, true});
     },
     SlotWidth::kAutomatic},
    {"tuned, all at a time",
     [](G g) {
       return kahan_components(g, {Combining::Distributed, 1 << 20, true});
     },
     SlotWidth::k64},
    {"afforest", [](G g) { return afforest_components(g); }, SlotWidth::kAutomatic},
    {"afforest, 64 bits", [](G g) { return afforest_components(g); }, SlotWidth::k64}};

Labels labels_of(Components* components, int64_t nv) {
  const GlobalAddress<VertexID> array = Grappa::global_alloc<VertexID>(size_t(nv));
  components->copy_labels(array);
  const Labels labels = from_global(array, nv);
  Grappa::global_free(array);
  return labels;
}

// Checks that the components are the same as those of a serial algorithm. Each label must be a
// vertex of its component.
void expect_labels(const Labels& labels, const Labels& smallest) {
  const int64_t nv = int64_t(smallest.size());
  for (int64_t v = 0; v < nv; ++v) {
    const VertexID label = labels[size_t(v)];
    ASSERT_TRUE(label >= 0 && label < nv) << "vertex " << v << " has label " << label;
    ASSERT_EQ(labels[size_t(label)], label) << "vertex " << v;
    ASSERT_EQ(smallest[size_t(label)], smallest[size_t(v)]) << "vertex " << v << " was merged";
    ASSERT_EQ(labels[size_t(smallest[size_t(v)])], label) << "vertex " << v << " was split";
  }
}

// Checks the components that each algorithm finds. Each algorithm runs twice.
void expect_components(int64_t nv, const Edges& edges) {
  const Labels smallest = smallest_labels(nv, edges);
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  for (const Form& form : kForms) {
    SCOPED_TRACE(form.name);
    for (const GraphLayout layout : {GraphLayout::Interleaved, GraphLayout::Ranges}) {
      const G g = LabelGraph::create(tuples, false, layout, form.width);
      const std::unique_ptr<Components> components = form.make(g);
      for (int run = 0; run < 2; ++run) {
        components->run();
        expect_labels(labels_of(components.get(), nv), smallest);
      }
      g->destroy();
    }
  }
  tuples.destroy();
}

TEST(Components, EqualThoseOfASerialUnionFindInAKroneckerGraph) {
  const Grappa::detail::KroneckerGenerator generator(10, 1, 2);
  Edges edges;
  for (int64_t i = 0; i < 4 << 10; ++i) edges.push_back(generator.edge(i));
  expect_components(1 << 10, edges);
}

// The number of edges is close to the number of vertices, which gives components of all sizes.
TEST(Components, EqualThoseOfASerialUnionFindInSparseUniformGraphs) {
  std::mt19937 random(5);
  for (const int64_t edges_of_vertex_in_8 : {4, 9}) {
    const int64_t nv = 1500;
    Edges edges;
    for (int64_t i = 0; i < nv * edges_of_vertex_in_8 / 8; ++i) {
      edges.push_back({VertexID(random() % nv), VertexID(random() % nv)});
    }
    expect_components(nv, edges);
  }
}

TEST(Components, AreOneInAGridOfLargeDiameter) {
  const int64_t rows = 5, columns = 200;
  Edges edges;
  for (int64_t v = 0; v < rows * columns; ++v) {
    if (v % columns + 1 < columns) edges.push_back({v, v + 1});
    if (v + columns < rows * columns) edges.push_back({v + columns, v});
  }
  expect_components(rows * columns, edges);
}

// The numbers from 0 to n - 1 in a random order.
Labels shuffled(int64_t n) {
  Labels order(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) order[size_t(i)] = i;
  std::mt19937 random(3);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

TEST(Components, AreOneInAPathWithShuffledNumbers) {
  const int64_t n = 1000;
  const Labels order = shuffled(n);
  Edges edges;
  for (size_t i = 1; i < order.size(); ++i) edges.push_back({order[i - 1], order[i]});
  expect_components(n, edges);
}

TEST(Components, AreAsManyAsIsolatedVertices) {
  expect_components(1, {});
  expect_components(1, {{0, 0}});
  expect_components(1000, {});
  expect_components(1000, {{999, 0}});
}

TEST(Components, IgnoreSelfLoopsAndRepeatedEdges) {
  expect_components(6, {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 3}, {5, 4}, {4, 5}});
}

TEST(Components, AreAsManyAsStars) {
  // The hubs of the stars have the largest ids. One star is much larger than the others.
  Edges edges;
  for (VertexID leaf = 0; leaf < 2000; ++leaf) {
    edges.push_back({leaf, leaf < 1000 ? 2000 : 2001 + leaf % 10});
  }
  expect_components(2011, edges);
}

// On several locales, the search for the giant component ends before all cores know its last
// members, which are next to leaves of the star.
TEST(Components, AreOneInAStarWithAFewPaths) {
  const int64_t leaves = 8000, paths = 6, n = 1 + leaves + 3 * paths;
  const Labels id = shuffled(n);
  Edges edges;
  for (int64_t leaf = 1; leaf <= leaves; ++leaf) edges.push_back({id[0], id[size_t(leaf)]});
  for (int64_t path = 0; path < paths; ++path) {
    int64_t end = 1 + path;
    for (int64_t next = 1 + leaves + 3 * path, k = 0; k < 3; ++k, end = next++) {
      edges.push_back({id[size_t(end)], id[size_t(next)]});
    }
  }
  expect_components(n, edges);
}

TEST(Components, FreeTheirMemory) {
  TupleGraph tuples = TupleGraph::from_edges(100, path_edges(100));
  const G g = LabelGraph::create(tuples);
  for (const Form& form : kForms) {
    if (form.width != SlotWidth::kAutomatic) continue;
    form.make(g)->run();
    const size_t before = Grappa::heap_bytes_free();
    form.make(g)->run();
    EXPECT_EQ(Grappa::heap_bytes_free(), before) << form.name;
  }
  g->destroy();
  tuples.destroy();
}

// If a single traversal visits the path, there is no cross edge. If many traversals visit the path,
// there are cross edges.
TEST(Components, CountCrossEdges) {
  const int64_t n = 4000;
  TupleGraph tuples = TupleGraph::from_edges(n, path_edges(n));
  const G g = LabelGraph::create(tuples);
  for (const Combining mode : {Combining::None, Combining::Distributed}) {
    const std::unique_ptr<Components> kahan = kahan_components(g, {mode, 64, false});
    kahan->run();
    const MeetingCounts counts = kahan->meeting_counts();
    EXPECT_GE(counts.edges, 1);
    EXPECT_LT(counts.edges, n);
    EXPECT_GE(counts.inserts, counts.edges);
    EXPECT_LE(counts.inserts, 2 * n);
    EXPECT_GE(counts.rounds, 1);
    if (mode == Combining::None) {
      EXPECT_EQ(counts.duplicates_removed(), 0);
    } else {
      EXPECT_LE(counts.duplicates_removed(), counts.inserts - counts.edges);
    }
  }
  g->destroy();
  tuples.destroy();
}

}}  // namespace cc
