#include "apps/common/classes.hpp"
#include "tests/apps/cc/graphs.hpp"

#include <gtest/gtest.h>
#include <map>

namespace cc { namespace {

typedef std::map<int64_t, int64_t> Sizes;

Sizes sizes_of(const Labels& labels) {
  const GlobalAddress<VertexID> array = to_global(labels);
  const Sizes sizes = apps::class_sizes(array, int64_t(labels.size()));
  Grappa::global_free(array);
  return sizes;
}

Labels smallest_of(const Labels& labels, const Labels& original) {
  const GlobalAddress<VertexID> array = to_global(labels);
  const GlobalAddress<VertexID> names =
      original.empty() ? GlobalAddress<VertexID>() : to_global(original);
  apps::take_smallest_labels(array, int64_t(labels.size()), names);
  const Labels smallest = from_global(array, int64_t(labels.size()));
  if (names) Grappa::global_free(names);
  Grappa::global_free(array);
  return smallest;
}

TEST(CountClasses, CountsVerticesThatAreTheirOwnLabel) {
  const GlobalAddress<VertexID> array = to_global({2, 2, 2, 7, 4, 5, 7, 7});
  EXPECT_EQ(apps::count_classes(array, 8), 4);
  Grappa::global_free(array);
}

TEST(ClassSizes, CountsClassesOfEachSize) {
  EXPECT_EQ(sizes_of({2, 2, 2, 7, 4, 5, 7, 7}), (Sizes{{1, 2}, {3, 2}}));
  EXPECT_EQ(sizes_of({0}), (Sizes{{1, 1}}));
  EXPECT_EQ(sizes_of(Labels(5000, 4321)), (Sizes{{5000, 1}}));
}

TEST(ClassSizes, DoesNotDependOnThePreviousCount) {
  EXPECT_EQ(sizes_of({1, 1}), (Sizes{{2, 1}}));
  EXPECT_EQ(sizes_of({0, 1}), (Sizes{{1, 2}}));
}

TEST(TakeSmallestLabels, TakesTheSmallestVertexOfEachClass) {
  EXPECT_EQ(smallest_of({4, 3, 4, 3, 4, 5}, {}), (Labels{0, 1, 0, 1, 0, 5}));
}

TEST(TakeSmallestLabels, TakesTheSmallestByOriginalIds) {
  EXPECT_EQ(smallest_of({4, 3, 4, 3, 4, 5}, {50, 40, 30, 20, 10, 0}),
            (Labels{10, 20, 10, 20, 10, 0}));
}

TEST(SerialComponents, LabelsEachVertexWithTheSmallestVertexOfItsComponent) {
  const Edges edges = {{7, 6}, {5, 4}, {4, 5}, {1, 2}, {2, 7}, {3, 3}};
  TupleGraph graph = TupleGraph::from_edges(9, edges);
  const GlobalAddress<VertexID> smallest = apps::serial_components(graph);
  EXPECT_EQ(from_global(smallest, 9), (Labels{0, 1, 1, 3, 4, 4, 1, 1, 8}));
  EXPECT_EQ(from_global(smallest, 9), smallest_labels(9, edges));
  Grappa::global_free(smallest);
  graph.destroy();
}

}}  // namespace cc
