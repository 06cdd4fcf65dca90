/// Tests the small functions and classes of the original Grappa.

#include <BufferVector.hpp>
#include <Delegate.hpp>
#include <GlobalCompletionEvent.hpp>
#include <GlobalHashMap.hpp>
#include <GlobalHashSet.hpp>
#include <GlobalVector.hpp>
#include <Grappa.hpp>
#include <HistogramMetric.hpp>
#include <Reducer.hpp>
#include <SmallLocalSet.hpp>
#include <common.hpp>
#include <graph/Graph.hpp>
#include <gtest/gtest.h>

#include <unistd.h>

using namespace Grappa;

GRAPPA_DEFINE_METRIC(HistogramMetric, original_sizes, 0);

using MaxDegree = CmpElement<VertexID, int64_t>;
Reducer<MaxDegree, ReducerType::Max> max_degree;
using Distance = CmpElement<int64_t, double>;
Reducer<Distance, ReducerType::Min> nearest;
Reducer<int64_t, ReducerType::Add> balance;
SimpleSymmetric<int64_t> per_core;
SimpleSymmetric<bool> flag;
GlobalCompletionEvent event;
int64_t counted = 0;  // each core has its own instance

struct Data {
  int64_t seen;
};
struct Weight {
  double weight;
};
using G = Graph<Data, Weight>;

namespace {

GlobalAddress<G> path_with_a_loner() {
  TupleGraph tg = TupleGraph::from_edges(6, {{0, 1}, {1, 2}, {2, 3}, {3, 5}});
  auto g = G::create(tg);
  tg.destroy();
  return g;
}

int64_t all_counted() {
  const int64_t sum = sum_all_cores([] { return counted; });
  call_on_all_cores([] { counted = 0; });
  return sum;
}

TEST(OriginalGraphs, SkipVerticesWithoutEdges) {
  auto g = path_with_a_loner();
  forall(g->vs, g->nv, [](G::Vertex& v) { v->seen = 0; });
  forall(g->vs, 2, [](int64_t, int64_t n, G::Vertex*) { counted += n; });
  EXPECT_EQ(2, all_counted());
  GlobalAddress<G::Vertex> vs = g->vs;
  EXPECT_EQ(vs + 3, g->vs + 3);
  forall(g, [](G::Vertex& v) {
    v->seen = 1;
    ++counted;
  });
  EXPECT_EQ(5, all_counted());
  forall<&event>(g, [](VertexID i, G::Vertex& v) {
    v->seen += i;
    ++counted;
  });
  EXPECT_EQ(5, all_counted());
  EXPECT_EQ(0, delegate::call(g->vs + 4, [](G::Vertex& v) { return v->seen; }));
  EXPECT_EQ(6, delegate::call(g->vs + 5, [](G::Vertex& v) { return v->seen; }));
  forall(g, [](G::Vertex&, G::Edge& e) {
    e->weight = 0.5;
    ++counted;
  });
  EXPECT_EQ(8, all_counted());
  forall(g, [](G::Edge& e, G::Vertex&) { counted += e->weight == 0.5; });
  EXPECT_EQ(8, all_counted());
  forall(g, [g](G::Vertex& v) { forall<async>(adj(g, v), [](G::Edge& e) { counted += e.id; }); });
  EXPECT_EQ(2 * (1 + 2 + 3) + 5, all_counted());
  forall(g, [](VertexID i, G::Vertex& v) { max_degree << MaxDegree(i, v.nadj == 2 ? i : 0); });
  EXPECT_EQ(3, static_cast<MaxDegree>(max_degree).idx());
  G::dump(g);
  g->dump([](std::ostream& o, G::Vertex& v) { o << v->seen; });
  auto other = g->transform<Weight>([](G::Vertex& v, Weight& w) { w.weight = double(v->seen); });
  forall(other, [](Graph<Weight, Weight>::Vertex& v) { counted += int64_t(v->weight); });
  EXPECT_EQ(5 + 0 + 1 + 2 + 3 + 5, all_counted());
  other->destroy();
}

TEST(OriginalGraphs, VisitVerticesWithoutEdgesIfTheyAreValid) {
  TupleGraph tg = TupleGraph::from_edges(4, {{0, 1}});
  auto g = Graph<>::create(tg, false, false);
  forall(g, [](Graph<Empty, Empty>::Vertex&) { ++counted; });
  EXPECT_EQ(4, all_counted());
  g->destroy();
  auto directed = Graph<Data>::Directed(tg);
  forall(directed, [](Graph<Data>::Vertex&) { ++counted; });
  EXPECT_EQ(2, all_counted());
  directed->destroy();
  tg.destroy();
}

TEST(OriginalVectors, SizeReturnsSizeT) {
  auto vector = GlobalVector<int64_t>::create(100);
  vector->enqueue(1);
  vector->push(2);
  EXPECT_EQ(2u, std::min(vector->size(), (size_t)10));
  EXPECT_EQ(1, vector->dequeue());
  forall(vector, [](int64_t& x) { counted += x; });
  EXPECT_EQ(2, all_counted());
  vector->destroy();
}

TEST(OriginalReducers, CombineTypesThatAreNotNumbers) {
  nearest.reset();
  EXPECT_EQ(0, static_cast<Distance>(nearest).idx());
  nearest << Distance(7, 2.5);
  delegate::call(cores() - 1, [] { nearest << Distance(8, 1.5); });
  EXPECT_EQ(8, static_cast<Distance>(nearest).idx());
  nearest = Distance(9, 3.5);
  EXPECT_EQ(9, static_cast<Distance>(nearest).idx());
  balance = 0;
  on_all_cores([] {
    balance += 5;
    balance -= 2;
    balance--;
    --balance;
  });
  EXPECT_EQ(cores(), int64_t(balance));
}

TEST(OriginalReducers, CombineSimpleSymmetricObjects) {
  set(per_core, 3);
  EXPECT_EQ(3 * cores(), sum(per_core));
  set(&per_core, 2);
  EXPECT_EQ(2 * cores(), sum(&per_core));
  set(flag, true);
  EXPECT_TRUE(all(flag));
  delegate::call(cores() - 1, [] { flag.local() = false; });
  EXPECT_FALSE(all(&flag));
  EXPECT_EQ(cores() > 1, any(flag));
}

TEST(OriginalEvents, AreCompletedByAddress) {
  impl::local_gce.enroll(2);
  const auto address = make_global(&impl::local_gce);
  delegate::call(cores() - 1, [address] {
    complete(address);
    complete(address, 1);
  });
  impl::local_gce.wait();
  forall<&impl::local_gce>(0, 10, [](int64_t) { ++counted; });
  EXPECT_EQ(10, all_counted());
}

TEST(OriginalContainers, LoopWithAnEvent) {
  auto set = GlobalHashSet<int64_t>::create(100);
  auto map = GlobalHashMap<int64_t, int64_t>::create(100);
  forall(0, 50, [set, map](int64_t i) {
    set->insert(i % 10);
    map->insert(i, 1);
  });
  set->forall_keys<&event>(
      [](int64_t& key) { delegate::call<async, &event>(cores() - 1, [key] { counted += key; }); });
  EXPECT_EQ(45, all_counted());
  forall_keys<&event>(set, [](int64_t& key) { counted += key; });
  EXPECT_EQ(45, all_counted());
  forall<&event>(map, [](const int64_t& key, int64_t& value) {
    const int64_t weighted = key * value;
    delegate::call<async, &event>(cores() - 1, [weighted] { counted += weighted; });
  });
  EXPECT_EQ(1225, all_counted());
  forall_entries<&event>(map, [](const int64_t& key, int64_t& value) {
    const int64_t weighted = key * value;
    delegate::call<async, &event>(cores() - 1, [weighted] { counted += weighted; });
  });
  EXPECT_EQ(1225, all_counted());
  set->destroy();
  map->destroy();
}

TEST(OriginalNames, SmallFunctions) {
  EXPECT_EQ(10, blockDist(0, 10, 2, 3).end);
  EXPECT_EQ(4, blockDist(0, 10, 1, 3).start);
  for (int64_t i = 0; i < 10; ++i) {
    const block_offset_t at = indexToBlock(i, 10, 3);
    const range_t block = blockDist(0, 10, at.block, 3);
    EXPECT_EQ(i, block.start + at.offset);
    EXPECT_LT(i, block.end);
  }
  std::ostringstream text;
  text << blockDist(5, 7, 0, 1);
  EXPECT_EQ("<5,7>", text.str());

  int64_t numbers[] = {1, 2, 3};
  for (auto& number : util::iterate(numbers, 3)) number *= 2;
  EXPECT_EQ(6, numbers[2]);

  const auto address = GlobalAddress<int64_t>::TwoDimensional(numbers);
  EXPECT_EQ(make_global(numbers), address);
  EXPECT_EQ(address, GlobalAddress<int64_t>::Raw(static_cast<intptr_t>(address.raw_bits())));

  char name[256] = {};
  ASSERT_EQ(0, ::gethostname(name, sizeof name - 1));
  EXPECT_STREQ(name, hostname());

  original_sizes = 5;
  original_sizes.set(6);
  EXPECT_EQ(6, original_sizes.value());
}

TEST(OriginalNames, Timers) {
  int runs = 0;
  double seconds = -1;
  GRAPPA_TIME_LOG("test_time") { ++runs; }
  GRAPPA_TIME_VLOG(1, "test", "  ") { ++runs; }
  GRAPPA_TIMER(seconds) { ++runs; }
  EXPECT_LE(0, seconds);
  seconds = -1;
  GRAPPA_TIME(seconds, { ++runs; });
  EXPECT_LE(0, seconds);
  EXPECT_EQ(4, runs);
}

TEST(OriginalNames, ContainersOfOneCore) {
  BufferVector<int64_t> buffer(2);
  for (int64_t k = 0; k < 10; ++k) buffer.insert(k);
  EXPECT_EQ(10u, buffer.getLength());
  buffer.setReadMode();
  GlobalAddress<const int64_t> elements = buffer.getReadBuffer();
  EXPECT_EQ(9, delegate::read(elements + 9));
  EXPECT_EQ(9, delegate::call(cores() - 1, [elements] { return delegate::read(elements + 9); }));

  SmallLocalSet<int64_t, 4> small, large;
  small.insert(3);
  small.insert(3);
  for (int64_t k = 0; k < 10; ++k) large.insert(k);
  EXPECT_EQ(1u, small.size());
  EXPECT_EQ(10u, large.size());
  int64_t sum_of_large = 0;
  for (int64_t element : large) sum_of_large += element;
  EXPECT_EQ(45, sum_of_large);
  EXPECT_EQ(3, intersect_choose_random(small, large));
  small = SmallLocalSet<int64_t, 4>();
  EXPECT_TRUE(small.empty());
  EXPECT_EQ(-1, intersect_choose_random(small, large));
  std::ostringstream text;
  small.dump("none", text);
  EXPECT_EQ("none: { }\n", text.str());
}

}  // namespace
