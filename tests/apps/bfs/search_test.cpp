#include "apps/bfs/search.hpp"

#include "structures/graph/make/generators.hpp"
#include "tests/apps/bfs/graphs.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace bfs { namespace {

using Grappa::Combining;
using Grappa::GraphLayout;
using Grappa::detail::SlotWidth;

const DirectionOptions top_down = {0, 24};

// The search switches to bottom-up steps as early as possible, and uses them as long as possible.
const DirectionOptions bottom_up = {1e18, 1e18};

// The directions alternate: the search uses bottom-up steps only while the frontier grows.
const DirectionOptions to_and_fro = {1e18, 1};

// Bottom-up steps as early as possible, until the frontier has less than 1/8 of the vertices.
const DirectionOptions wide_levels = {1e18, 8};

struct Form {
  const char* name;
  std::unique_ptr<Search> (*make)(GlobalAddress<SearchGraph>);
  SlotWidth width;
};
typedef GlobalAddress<SearchGraph> G;
const Form kForms[] = {
    {"queue, none", [](G g) { return queue_search(g, Combining::None); }, SlotWidth::kAutomatic},
    {"queue, centralized", [](G g) { return queue_search(g, Combining::Centralized); },
     SlotWidth::kAutomatic},
    {"queue, distributed", [](G g) { return queue_search(g, Combining::Distributed); },
     SlotWidth::kAutomatic},
    {"direction", [](G g) { return direction_search(g, Combining::Distributed, {}); },
     SlotWidth::kAutomatic},
    {"direction, none", [](G g) { return direction_search(g, Combining::None, to_and_fro); },
     SlotWidth::kAutomatic},
    {"direction, bottom-up",
     [](G g) { return direction_search(g, Combining::Distributed, bottom_up); },
     SlotWidth::kAutomatic},
    {"direction, 64 bits",
     [](G g) { return direction_search(g, Combining::Distributed, to_and_fro); }, SlotWidth::k64},
    {"tuned", [](G g) { return tuned_search(g, {}); }, SlotWidth::kAutomatic},
    {"tuned, top-down", [](G g) { return tuned_search(g, top_down); }, SlotWidth::kAutomatic},
    {"tuned, bottom-up", [](G g) { return tuned_search(g, bottom_up); }, SlotWidth::kAutomatic},
    {"tuned, to and fro", [](G g) { return tuned_search(g, to_and_fro); }, SlotWidth::kAutomatic},
    {"tuned, 64 bits", [](G g) { return tuned_search(g, {}); }, SlotWidth::k64},
    {"tuned, 64 bits, bottom-up", [](G g) { return tuned_search(g, bottom_up); }, SlotWidth::k64},
    {"tuned, 64 bits, to and fro", [](G g) { return tuned_search(g, to_and_fro); },
     SlotWidth::k64}};

struct Tree {
  std::vector<VertexID> parents;
  int64_t levels, bottom_up;
};

// Searches from each root in turn. Returns the result of the last search.
Tree tree_after(const Form& form, const TupleGraph& tuples, const std::vector<VertexID>& roots,
                GraphLayout layout = GraphLayout::Interleaved) {
  const GlobalAddress<SearchGraph> g = SearchGraph::create(tuples, false, layout, form.width);
  std::unique_ptr<Search> search = form.make(g);
  Levels levels = {0, 0};
  for (const VertexID root : roots) levels = search->run(root);
  const GlobalAddress<VertexID> array = Grappa::global_alloc<VertexID>(size_t(tuples.nv));
  search->copy_parents(array);
  const Tree tree = {from_global(array, tuples.nv), levels.all, levels.bottom_up};
  Grappa::global_free(array);
  search.reset();
  g->destroy();
  return tree;
}

// Checks that a serial search reaches the same vertices on as many levels, and that each parent is
// a neighbour on the preceding level.
void expect_tree(int64_t nv, const Edges& edges, VertexID root, const Tree& tree) {
  const std::vector<VertexID>& parents = tree.parents;
  const std::vector<int64_t> level = serial_levels(nv, edges, root);
  ASSERT_EQ(tree.levels, 1 + *std::max_element(level.begin(), level.end()));
  std::set<std::pair<VertexID, VertexID>> links;
  for (const TupleGraph::Edge& e : edges) {
    links.insert(std::make_pair(e.v0, e.v1));
    links.insert(std::make_pair(e.v1, e.v0));
  }
  for (VertexID v = 0; v < nv; ++v) {
    const VertexID parent = parents[size_t(v)];
    if (v == root) {
      ASSERT_EQ(parent, root);
    } else if (level[size_t(v)] < 0) {
      ASSERT_EQ(parent, -1) << "vertex " << v << " is in another component";
    } else {
      ASSERT_TRUE(parent >= 0 && parent < nv) << "vertex " << v << " has parent " << parent;
      ASSERT_EQ(level[size_t(parent)] + 1, level[size_t(v)]) << "vertex " << v;
      ASSERT_TRUE(links.count(std::make_pair(parent, v))) << "vertex " << v;
    }
  }
}

// Runs each algorithm once from each root.
void expect_searches(int64_t nv, const Edges& edges, const std::vector<VertexID>& roots) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  for (const Form& form : kForms) {
    for (const VertexID root : roots) {
      SCOPED_TRACE(std::string(form.name) + ", root " + std::to_string(root));
      for (const GraphLayout layout : {GraphLayout::Interleaved, GraphLayout::Ranges}) {
        expect_tree(nv, edges, root, tree_after(form, tuples, {root}, layout));
      }
    }
  }
  tuples.destroy();
}

TEST(Search, FindsTheLevelsOfASerialSearchInAKroneckerGraph) {
  const Grappa::detail::KroneckerGenerator generator(10, 1, 2);
  Edges edges;
  for (int64_t i = 0; i < 8 << 10; ++i) edges.push_back(generator.edge(i));
  expect_searches(1 << 10, edges, {edges[0].v0, edges[1].v0, edges[3].v1});
}

TEST(Search, FindsTheLevelsOfAGridOfLongDiameter) {
  const int64_t rows = 5, columns = 100;
  Edges edges;
  for (int64_t v = 0; v < rows * columns; ++v) {
    if (v % columns + 1 < columns) edges.push_back({v, v + 1});
    if (v + columns < rows * columns) edges.push_back({v + columns, v});
  }
  expect_searches(rows * columns, edges, {0, 250});
}

TEST(Search, StaysInTheComponentOfItsRoot) {
  expect_searches(9, {{0, 1}, {1, 2}, {4, 5}, {5, 6}, {6, 4}}, {0, 5, 3, 8});
}

TEST(Search, IgnoresSelfLoopsAndRepeatedEdges) {
  expect_searches(4, {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 3}}, {0, 1, 2, 3});
}

TEST(Search, ReachesOnlyTheRootIfIsolated) {
  expect_searches(1, {}, {0});
  expect_searches(1, {{0, 0}}, {0});
  expect_searches(5, {{0, 1}}, {4});
}

TEST(Search, SearchesAStarFromItsHubAndFromALeaf) {
  Edges edges;
  for (VertexID leaf = 1; leaf < 5000; ++leaf) edges.push_back(TupleGraph::Edge{leaf, 0});
  expect_searches(5000, edges, {0, 777});
}

// Each vertex of a path has leaves, or only its ends have.
TEST(Search, AttachesLeaves) {
  const int64_t n = 20;
  for (const bool ends : {false, true}) {
    Edges edges = path_edges(n);
    int64_t nv = n;
    for (VertexID v = 0; v < n; ++v) {
      if (ends && v != n - 1) continue;
      for (int k = 0; k < 3; ++k) edges.push_back({v, nv++});
    }
    expect_searches(nv + 4, edges, {0, 10, n - 1, n, nv - 1, nv});
  }
  expect_searches(4, {{0, 1}, {2, 3}}, {0, 1, 3});
  // A leaf at a vertex of a ring adds a level to a search only if that vertex is the last one.
  expect_searches(6, {{0, 1}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}, {0, 1, 2, 3});
  expect_searches(5, {{0, 1}, {0, 2}, {2, 3}, {3, 4}, {4, 0}}, {0, 1, 2, 3});
}

// So few vertices have leaves that messages attach these. In the tail, bottom-up steps have visited
// other vertices before; in the small components, the previous search has.
TEST(Search, AttachesTheLeavesOfFewVertices) {
  const VertexID layers = 4, width = 1000, tail = layers * width;
  Edges edges;
  for (VertexID v = 0; v < tail - width; ++v) edges.push_back({v, v + width});
  for (VertexID k = 0; k < width; ++k) edges.push_back({tail, k});  // a hub
  for (VertexID k = 0; k < width; k += 2) edges.push_back({tail - 1 - k, tail - 2 - k});
  const VertexID spine = tail + 1, leaves = spine + 4;
  edges.push_back({tail - 1, spine});
  for (VertexID k = 0; k < 4; ++k) {
    if (k < 3) edges.push_back({spine + k, spine + k + 1});
    edges.push_back({spine + k, leaves + 2 * k});
    edges.push_back({spine + k, leaves + 2 * k + 1});
  }
  const VertexID star = leaves + 8, pair = star + 3, nv = pair + 2;
  edges.push_back({star, star + 1});
  edges.push_back({star, star + 2});
  edges.push_back({pair, pair + 1});
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  for (const DirectionOptions& options : {DirectionOptions{60, 24}, top_down, wide_levels}) {
    static DirectionOptions used;
    used = options;
    const Form form = {"tuned", [](G g) { return tuned_search(g, used); }, SlotWidth::kAutomatic};
    const std::vector<VertexID> roots = {tail, star, star + 1, pair, leaves, spine + 3};
    for (const VertexID root : roots) {
      SCOPED_TRACE("alpha " + std::to_string(options.alpha) + ", root " + std::to_string(root));
      const Tree tree = tree_after(form, tuples, {tail, root});
      expect_tree(nv, edges, root, tree);
      if (root == tail) {
        EXPECT_EQ(tree.bottom_up > 0, options.alpha > 0);
      }
    }
  }
  tuples.destroy();
}

TEST(Search, SearchesALongPath) {
  const int64_t n = 400;
  TupleGraph tuples = TupleGraph::from_edges(n, path_edges(n));
  for (const Form& form : kForms) {
    const std::vector<VertexID> parents = tree_after(form, tuples, {0}).parents;
    for (VertexID v = 1; v < n; ++v) ASSERT_EQ(parents[size_t(v)], v - 1) << form.name;
  }
  tuples.destroy();
}

TEST(Search, DoesNotDependOnThePreviousSearch) {
  const Edges edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {5, 6}};
  TupleGraph tuples = TupleGraph::from_edges(7, edges);
  for (const Form& form : kForms) {
    SCOPED_TRACE(form.name);
    expect_tree(7, edges, 5, tree_after(form, tuples, {0, 2, 5}));
    expect_tree(7, edges, 2, tree_after(form, tuples, {5, 0, 2}));
  }
  tuples.destroy();
}

// The first search finds all vertices by bottom-up steps. The second one returns to top-down steps
// at `centre`, and then finds a path of vertices that the first one has visited.
TEST(Search, VisitsInTopDownStepsWhatThePreviousSearchVisitedBottomUp) {
  const int64_t levels = 8, width = 100;
  const VertexID centre = 0, path = 1, layers = path + levels, root = layers + levels * width;
  Edges edges;
  for (int64_t level = 0; level < levels; ++level) {
    edges.push_back({level == 0 ? centre : path + level - 1, path + level});
    for (int64_t k = 0; k < width; ++k) {
      const VertexID vertex = layers + level * width + k;
      edges.push_back({level == 0 ? centre : vertex - width, vertex});
      if (level == levels - 1) edges.push_back({vertex, root});
    }
  }
  TupleGraph tuples = TupleGraph::from_edges(root + 1, edges);
  const Form form = {"tuned", [](G g) { return tuned_search(g, wide_levels); },
                     SlotWidth::kAutomatic};
  expect_tree(root + 1, edges, root, tree_after(form, tuples, {centre, root}));
  tuples.destroy();
}

// The tuned search estimates the entries of large frontiers, and the other one counts them.
TEST(Search, ChangesTheDirectionWhereverTheCountedEntriesDo) {
  const Grappa::detail::UniformGenerator generator(1 << 12, 1);
  Edges edges;
  for (int64_t i = 0; i < 8 << 12; ++i) edges.push_back(generator.edge(i));
  TupleGraph tuples = TupleGraph::from_edges(1 << 12, edges);
  const Form counts = {"direction",
                       [](G g) {
                         return direction_search(g, Combining::Distributed, {10, 24});
                       },
                       SlotWidth::kAutomatic};
  const Form estimates = {"tuned",
                          [](G g) {
                            return tuned_search(g, {10, 24});
                          },
                          SlotWidth::kAutomatic};
  for (const VertexID root : {edges[0].v0, edges[1].v0, edges[2].v0}) {
    const Tree tree = tree_after(estimates, tuples, {root});
    expect_tree(1 << 12, edges, root, tree);
    EXPECT_GT(tree.bottom_up, 0);
    EXPECT_EQ(tree.bottom_up, tree_after(counts, tuples, {root}).bottom_up);
  }
  tuples.destroy();
}

TEST(Search, FreesItsMemory) {
  TupleGraph tuples = TupleGraph::from_edges(100, path_edges(100));
  for (const Form& form : kForms) {
    tree_after(form, tuples, {0});
    const size_t before = Grappa::heap_bytes_free();
    tree_after(form, tuples, {0});
    EXPECT_EQ(Grappa::heap_bytes_free(), before) << form.name;
  }
  tuples.destroy();
}

}}  // namespace bfs
