#include "structures/graph/mirror.hpp"

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"
#include "tests/harness/counted.hpp"

#include <gtest/gtest.h>

namespace Grappa { namespace {

typedef Graph<int64_t> NumberGraph;
typedef NumberGraph::Vertex Vertex;
typedef NumberGraph::Edge Edge;

constexpr int64_t kVertices = 1500;

class Mirrors : public testing::TestWithParam<GraphLayout> {
 protected:
  Mirrors() {
    TupleGraph tuples = TupleGraph::Uniform(kVertices, 8 * kVertices, 1);
    g_ = NumberGraph::create(tuples, false, GetParam());
    tuples.destroy();
  }
  ~Mirrors() override { g_->destroy(); }

  /// Sets the value of vertex v to factor * v, for each `stride`-th vertex.
  template <class T>
  void set_all(GlobalAddress<Mirror<T>> m, int64_t factor, int64_t stride = 1) const {
    forall(g_, [m, factor, stride](VertexID id, Vertex& v) {
      if (id % stride == 0) m->set(v, T(factor * id));
    });
  }

  /// Fails unless `read(neighbour)` is `expected(id of the neighbour)` for each entry of each list.
  template <class Read, class Expected>
  void expect(Read read, Expected expected) const {
    const GlobalAddress<NumberGraph> g = g_;
    wrong = 0;
    entries = 0;
    forall(g, [g, read, expected](Vertex& v) {
      serial_for(adj(g, v), [read, expected](Edge& e) {
        ++entries;
        if (read(e) != expected(e.id)) ++wrong;
      });
    });
    EXPECT_EQ(0, int64_t(wrong));
    EXPECT_EQ(g->nadj, int64_t(entries));
  }

  GlobalAddress<NumberGraph> g_;
  static Reducer<int64_t, ReducerType::Add> wrong, entries;
};

Reducer<int64_t, ReducerType::Add> Mirrors::wrong, Mirrors::entries;

TEST_P(Mirrors, AreZeroAtFirst) {
  const auto m = Mirror<int32_t>::create(g_);
  expect([m](Edge& e) { return (*m)[e]; }, [](VertexID) { return 0; });
  m->refresh();
  expect([m](Edge& e) { return (*m)[e]; }, [](VertexID) { return 0; });
  m->destroy();
}

TEST_P(Mirrors, PublishValuesAtRefresh) {
  const auto m = Mirror<int64_t>::create(g_);
  for (int64_t round = 1; round <= 4; ++round) {
    set_all(m, round);
    expect([m](Edge& e) { return (*m)[e]; }, [round](VertexID v) { return (round - 1) * v; });
    m->refresh();
    expect([m](Edge& e) { return (*m)[e]; }, [round](VertexID v) { return round * v; });
  }
  m->destroy();
}

TEST_P(Mirrors, KeepValuesThatAreNotSetAgain) {
  const auto m = Mirror<int64_t>::create(g_);
  set_all(m, 1);
  m->refresh();
  for (int64_t round = 2; round <= 4; ++round) {
    set_all(m, round, 3);
    m->refresh();
    expect([m](Edge& e) { return (*m)[e]; },
           [round](VertexID v) { return v % 3 == 0 ? round * v : v; });
  }
  m->destroy();
}

// Without the copy, every value must be set before the next refresh.
TEST_P(Mirrors, RefreshWithoutACopyIfAllValuesAreSetAgain) {
  const auto m = Mirror<int64_t>::create(g_);
  for (int64_t round = 1; round <= 3; ++round) {
    set_all(m, round);
    on_all_cores([m] { m->refresh_here(true); });
    expect([m](Edge& e) { return (*m)[e]; }, [round](VertexID v) { return round * v; });
    expect([m](Edge& e) { return m->values()[e.slot]; }, [round](VertexID v) { return round * v; });
  }
  set_all(m, 4);
  m->refresh();
  set_all(m, 5, 2);
  m->refresh();
  expect([m](Edge& e) { return (*m)[e]; }, [](VertexID v) { return v % 2 == 0 ? 5 * v : 4 * v; });
  m->destroy();
}

struct Pair {
  double first;
  VertexID second;
};

TEST_P(Mirrors, HoldValuesOfAnySize) {
  const auto m = Mirror<Pair>::create(g_);
  const auto flags = Mirror<char>::create(g_);
  forall(g_, [m, flags](VertexID id, Vertex& v) {
    m->set(v, Pair{0.5 * double(id), -id});
    flags->set(v, char(id % 100));
  });
  m->refresh();
  flags->refresh();
  expect([m](Edge& e) { return (*m)[e].first; }, [](VertexID v) { return 0.5 * double(v); });
  expect([m](Edge& e) { return (*m)[e].second; }, [](VertexID v) { return -v; });
  expect([flags](Edge& e) { return (*flags)[e]; }, [](VertexID v) { return char(v % 100); });
  flags->destroy();
  m->destroy();
}

TEST_P(Mirrors, TakeNoMessagesToRead) {
  const auto m = Mirror<int64_t>::create(g_);
  set_all(m, 3);
  m->refresh();
  const GlobalAddress<NumberGraph> g = g_;
  int64_t found = 0;
  const Gain messages("message.messages");
  const OwnVertices<Vertex> mine = g->own_vertices();
  for (Vertex& v : mine) {
    serial_for(adj(g, v), [&found, m](Edge& e) { found += (*m)[e]; });
  }
  EXPECT_EQ(0u, messages.value());
  EXPECT_GT(found, 0);
  m->destroy();
}

INSTANTIATE_TEST_SUITE_P(Layouts, Mirrors,
                         testing::Values(GraphLayout::Interleaved, GraphLayout::Ranges));

TEST(SmallMirror, WorksWithoutEdges) {
  TupleGraph tuples = TupleGraph::from_edges(3, {});
  const auto g = NumberGraph::create(tuples);
  tuples.destroy();
  const auto m = Mirror<int64_t>::create(g);
  forall(g, [m](Vertex& v) { m->set(v, 1); });
  m->refresh();
  on_all_cores([m, g] {
    for (int64_t place = 0; place < g->csr().vertices(); ++place) EXPECT_EQ(1, m->own()[place]);
  });
  m->destroy();
  g->destroy();
}

// Most cores have no vertex.
TEST(SmallMirror, HasTheValuesOfThreeVertices) {
  TupleGraph tuples = TupleGraph::from_edges(3, {{0, 1}, {1, 2}});
  const auto g = NumberGraph::create(tuples);
  tuples.destroy();
  const auto m = Mirror<int64_t>::create(g);
  forall(g, [m](VertexID id, Vertex& v) { m->set(v, 10 + id); });
  m->refresh();
  forall(g, [g, m](Vertex& v) {
    serial_for(adj(g, v), [&v, m](Edge& e) { *v.operator->() += (*m)[e]; });
  });
  const auto vs = g->vs;
  const int64_t expected[] = {11, 22, 11};
  for (VertexID v = 0; v < 3; ++v) {
    EXPECT_EQ(expected[v], delegate::call(vs + v, [](Vertex& its) { return its.data; }));
  }
  m->destroy();
  g->destroy();
}

}}  // namespace Grappa
