#include "bench/debian_graph.hpp"

#include <gtest/gtest.h>

namespace bench { namespace {

typedef std::vector<std::pair<int64_t, int64_t>> Edges;

TEST(DebianGraph, HasAnEdgeForEachNameInAList) {
  DebianGraph graph;
  graph.add_line("Package: mutt");  // 0
  graph.add_line("Version: 2.2");
  graph.add_line("Pre-Depends: dpkg");                                            // 1
  graph.add_line("Depends: libc6 (>= 2.34), mta | postfix, python3:any [i386]");  // 2 to 5
  graph.add_line("Suggests: gnupg");
  graph.add_line("Description: a mail program");
  graph.add_line(" Depends: not a field");
  graph.add_line("");
  graph.add_line("Package: postfix");
  graph.add_line("Depends: libc6(<< 3),dpkg,");
  EXPECT_EQ((Edges{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {4, 2}, {4, 1}}), graph.edges());
  EXPECT_EQ(6, graph.vertices());
}

TEST(DebianGraph, IgnoresDependenciesOfNoPackage) {
  DebianGraph graph;
  graph.add_line("Depends: libc6");
  graph.add_line("Package: hello");
  graph.add_line("Depends:");
  graph.add_line("Depends: ");
  EXPECT_EQ(Edges{}, graph.edges());
  EXPECT_EQ(1, graph.vertices());
}

}}  // namespace bench
