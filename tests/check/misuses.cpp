/// Wrong uses of global memory, graphs and proxies that checked mode reports. Each --misuse calls
/// the function of the same name. For each misuse, --list prints the name, the minimum number of
/// cores, and a regular expression for the report.

#include <Grappa.hpp>

#include "structures/flat_combiner.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/mirror.hpp"
#include "system/compat/on_cores_localized.hpp"

#include <cstdio>
#include <cstring>

DEFINE_string(misuse, "", "the misuse to make");
DEFINE_bool(list, false, "print all misuses");

namespace {

using namespace Grappa;

constexpr int64_t kElements = 1000;
typedef Graph<int64_t, int64_t> SmallGraph;

Core other() { return static_cast<Core>(cores() - 1); }

GlobalAddress<int64_t> array() { return global_alloc<int64_t>(kElements); }

GlobalAddress<int64_t> freed_array() {
  const GlobalAddress<int64_t> words = array();
  global_free(words);
  return words;
}

/// Returns the first element of a new array that core `owner` owns.
GlobalAddress<int64_t> element_of(Core owner) {
  GlobalAddress<int64_t> element = array();
  while (element.core() != owner) ++element;
  return element;
}

GlobalAddress<SmallGraph> triangle() {
  return SmallGraph::create(TupleGraph::from_edges(3, {{0, 1}, {1, 2}, {0, 2}}));
}

// Pointers to elements that another core owns.

void arrow_on_remote_element() {
  struct Word {
    int64_t number;
  };
  const GlobalAddress<Word> word(element_of(other()));
  word->number = 1;
}

void star_on_remote_element() { *element_of(other()) = 1; }

// Accesses outside of live allocations.

void read_behind_array() { delegate::read(array() + kElements); }
void read_before_array() {
  global_alloc<char>(1);
  delegate::read(array() - 1);
}
void read_far_behind_array() { delegate::read(array() + 1000000); }
void read_of_freed_array() { delegate::read(freed_array() + 100); }
void write_behind_array() { delegate::write(array() + kElements, 1); }
void async_write_behind_array() { delegate::write<async>(array() + kElements, 1); }
void increment_of_freed_array() { delegate::increment(freed_array(), 1); }
void async_increment_of_freed_array() { delegate::increment<async>(freed_array(), 1); }
void fetch_and_add_behind_array() { delegate::fetch_and_add(array() + kElements, 1); }
void compare_and_swap_behind_array() { delegate::compare_and_swap(array() + kElements, 1, 2); }
void call_behind_array() {
  delegate::call(array() + kElements, [](int64_t& word) { word = 1; });
}
void async_call_behind_array() {
  delegate::call<async>(array() + kElements, [](int64_t& word) { word = 1; });
}
void async_call_of_freed_array_after_many() {
  const GlobalAddress<int64_t> words = array();
  const auto add = [](int64_t& word) { ++word; };
  finish([words, add] {
    for (int64_t i = 0; i < kElements; ++i) delegate::call<async>(words + i, add);
  });
  global_free(words);
  delegate::call<async>(words, add);
}
void future_behind_array() { delegate::read_future(array() + kElements).get(); }
void call_by_task_behind_array() {
  const GlobalAddress<int64_t> words = array();
  forall(0, 100, [words](int64_t i) { delegate::increment<async>(words + (i + kElements), 1); });
}
void call_of_freed_symmetric_object() {
  const GlobalAddress<int64_t> object = symmetric<int64_t>();
  global_free(object);
  delegate::read(make_global(object.pointer(), other()));
}
void copy_behind_array() {
  const GlobalAddress<int64_t> from = array();
  array();
  memcpy(array(), from, kElements + 1);
}
void copy_from_behind_array() {
  int64_t words[10];
  memcpy(words, array() + (kElements - 5), 10);
}
void copy_to_freed_array() {
  int64_t words[10] = {0};
  memcpy(freed_array(), words, 10);
}
void memset_behind_array() { memset(array(), 0, kElements + 1); }
void loop_behind_array() {
  forall(array(), kElements + 1, [](int64_t& word) { word = 0; });
}
void sum_behind_array() { prefix_sum(array(), kElements + 1); }
void loop_over_parts_behind_array() {
  const GlobalAddress<int64_t> words = array();
  finish([words] {
    on_cores_localized_async(words, kElements + 1, [](int64_t* first, size_t) { *first = 0; });
  });
}
void copy_from_freed_symmetric_object() {
  const GlobalAddress<int64_t> object = symmetric<int64_t>();
  global_free(object);
  int64_t word;
  memcpy(&word, object, 1);
}
void completion_of_freed_event() {
  const GlobalAddress<CompletionEvent> event = symmetric<CompletionEvent>();
  global_free(event);
  complete(event);
}
void fill_of_freed_cell() {
  const GlobalAddress<FullEmpty<int64_t>> cell = symmetric<FullEmpty<int64_t>>();
  global_free(cell);
  fill_remote(cell, 1);
}
/// The type of an element that crosses the end of a block and is copied as a whole.
struct Triple {
  int64_t words[3];
};
GlobalAddress<Triple> triple_behind_array() {
  GlobalAddress<Triple> element = global_alloc<Triple>(kElements) + kElements;
  while (!element.crosses_blocks()) ++element;
  return element;
}
void read_of_large_element_behind_array() { delegate::read(triple_behind_array()); }
void write_of_large_element_behind_array() { delegate::write(triple_behind_array(), Triple()); }
void writing_cache_of_freed_array() {
  Incoherent<int64_t>::WO cache(freed_array(), 10);
  cache.block_until_acquired();
}
void cache_behind_array() {
  Incoherent<int64_t>::RO cache(array() + (kElements - 5), 10);
  cache.block_until_acquired();
}

// Differences of unrelated addresses.

void difference_of_two_arrays() {
  const GlobalAddress<int64_t> first = array();
  array();
  std::printf("%lld\n", static_cast<long long>(array() - first));
}
void difference_of_freed_array() {
  const GlobalAddress<int64_t> words = freed_array();
  std::printf("%lld\n", static_cast<long long>(words + 1 - words));
}

// Accesses to wrong vertices and edges.

void call_of_vertex_behind_all() {
  const auto g = triangle();
  delegate::call(g->vs + g->nv, [](SmallGraph::Vertex& v) { v.data = 1; });
}
void async_call_of_vertex_far_behind_all() {
  const auto g = triangle();
  delegate::call<async>(g->vs + 1000000, [](SmallGraph::Vertex& v) { v.data = 1; });
}
void neighbours_of_vertex_behind_all() {
  const auto g = triangle();
  forall(adj(g, VertexID{3}), [](SmallGraph::Edge&) {});
}
void vertices_in_ranges_as_an_array() {
  TupleGraph tuples = TupleGraph::Grid(10, 10);
  const auto g = SmallGraph::create(tuples, false, GraphLayout::Ranges);
  const GlobalAddress<SmallGraph::Vertex> vs = g->vs;
  delegate::call(vs + 1, [](SmallGraph::Vertex& v) { v.data = 1; });
}
void edge_of_copied_vertex() {
  const auto g = triangle();
  forall(g, [g](SmallGraph::Vertex& v) {
    const SmallGraph::Vertex copy = v;
    g->edge(copy, 0).data = 1;
  });
}
void number_of_copied_vertex() {
  const auto g = triangle();
  forall(g, [g](SmallGraph::Vertex& v) {
    SmallGraph::Vertex copy = v;
    copy.data = g->id(copy);
  });
}
void neighbours_of_copied_vertex() {
  const auto g = triangle();
  forall(g, [g](SmallGraph::Vertex& v) {
    SmallGraph::Vertex copy = v;
    serial_for(adj(g, copy), [](SmallGraph::Edge&) {});
  });
}
void edge_of_vertex_of_other_core() {
  const auto g = triangle();
  delegate::call(g->vs + 0, [g](SmallGraph::Vertex& v) {
    SmallGraph::Vertex* const place = &v;
    delegate::call((g->vs + 0).core() == 0 ? 1 : 0, unchecked([g, place] { g->edge(*place, 0); }));
  });
}

void edge_behind_list() {
  const auto g = triangle();
  forall(g, [g](SmallGraph::Vertex& v) { g->edge(v, v.nadj).data = 1; });
}

// Mirrors.

void mirror_read_at_neighbour() {
  const auto g = triangle();
  const auto m = Mirror<int64_t>::create(g);
  forall(g, [m](SmallGraph::Edge& e, SmallGraph::Vertex& v) { v.data = (*m)[e]; });
}
void mirror_set_for_copied_vertex() {
  const auto g = triangle();
  const auto m = Mirror<int64_t>::create(g);
  forall(g, [m](SmallGraph::Vertex& v) {
    const SmallGraph::Vertex copy = v;
    m->set(copy, 1);
  });
}

// Proxy methods that do not wait.

class ForgetfulProxy : public FCProxy {
 public:
  explicit ForgetfulProxy(GlobalAddress<int64_t> total) : total_(total) {}
  void add(int64_t n) {
    sum_ += n;
    wait();
  }
  void add_and_forget(int64_t n) { sum_ += n; }
  void sync() override { delegate::increment(total_, sum_); }

 private:
  const GlobalAddress<int64_t> total_;
  int64_t sum_ = 0;
};

void proxy_that_does_not_wait() {
  int64_t total = 0;
  FlatCombiner<ForgetfulProxy> combiner(make_global(&total));
  combiner->add(1);
  combiner->add_and_forget(1);
}
void proxy_that_does_not_wait_in_combine() {
  int64_t total = 0;
  FlatCombiner<ForgetfulProxy> combiner(make_global(&total));
  combiner.combine([](ForgetfulProxy& proxy) { proxy.add_and_forget(1); });
}

struct Misuse {
  const char* name;
  int cores;
  const char* report;
  void (*make)();
};

constexpr const char* kRemote =
    "operator-> or operator\\* on <linear core [0-9]+, 0x[0-9a-f]+>, an element of core [0-9]+: ";
constexpr const char* kDelegate =
    "a delegate at <linear core [0-9]+, 0x[0-9a-f]+> accesses 8 bytes of the global heap that "
    "are not allocated";
constexpr const char* kNoVertex = "vertex [0-9]+ of a graph of 3 vertices";
constexpr const char* kDifference =
    "the difference of <linear .*> and <linear .*>, which are not in one live allocation";
constexpr const char* kVertex = "is not one of the [0-9]+ vertices of this core";
constexpr const char* kProxy =
    "a method of the proxy .*ForgetfulProxy has changed the proxy but has merged no request";

/// The report of an operation that accesses memory outside of the allocations.
#define UNALLOCATED(operation) \
  operation " .*accesses [0-9]+ bytes of the global heap that are not allocated"

#define MISUSE(name, cores, report) \
  { #name, cores, report, name }
const Misuse misuses[] = {
    MISUSE(arrow_on_remote_element, 2, kRemote),
    MISUSE(star_on_remote_element, 2, kRemote),
    MISUSE(read_behind_array, 1, kDelegate),
    MISUSE(read_before_array, 1, kDelegate),
    MISUSE(read_far_behind_array, 1, kDelegate),
    MISUSE(read_of_freed_array, 1, kDelegate),
    MISUSE(write_behind_array, 1, kDelegate),
    MISUSE(async_write_behind_array, 1, kDelegate),
    MISUSE(increment_of_freed_array, 1, kDelegate),
    MISUSE(async_increment_of_freed_array, 1, kDelegate),
    MISUSE(fetch_and_add_behind_array, 1, kDelegate),
    MISUSE(compare_and_swap_behind_array, 1, kDelegate),
    MISUSE(call_behind_array, 1, kDelegate),
    MISUSE(async_call_behind_array, 1, kDelegate),
    MISUSE(async_call_of_freed_array_after_many, 1, kDelegate),
    MISUSE(future_behind_array, 1, kDelegate),
    MISUSE(call_by_task_behind_array, 1, kDelegate),
    MISUSE(call_of_freed_symmetric_object, 1, kDelegate),
    MISUSE(copy_behind_array, 1, UNALLOCATED("memcpy")),
    MISUSE(copy_from_behind_array, 1, UNALLOCATED("memcpy")),
    MISUSE(copy_to_freed_array, 1, UNALLOCATED("memcpy")),
    MISUSE(memset_behind_array, 1, UNALLOCATED("memset")),
    MISUSE(loop_behind_array, 1, UNALLOCATED("forall")),
    MISUSE(sum_behind_array, 1, UNALLOCATED("prefix_sum")),
    MISUSE(loop_over_parts_behind_array, 1, UNALLOCATED("on_cores_localized_async")),
    MISUSE(copy_from_freed_symmetric_object, 1, UNALLOCATED("memcpy")),
    MISUSE(completion_of_freed_event, 1, UNALLOCATED("a delegate")),
    MISUSE(fill_of_freed_cell, 1, UNALLOCATED("a delegate")),
    MISUSE(read_of_large_element_behind_array, 1, UNALLOCATED("a bulk transfer")),
    MISUSE(write_of_large_element_behind_array, 1, UNALLOCATED("a bulk transfer")),
    MISUSE(cache_behind_array, 1, UNALLOCATED("a cache")),
    MISUSE(writing_cache_of_freed_array, 1, UNALLOCATED("a cache")),
    MISUSE(difference_of_two_arrays, 1, kDifference),
    MISUSE(difference_of_freed_array, 1, kDifference),
    MISUSE(call_of_vertex_behind_all, 1, kNoVertex),
    MISUSE(async_call_of_vertex_far_behind_all, 1, kNoVertex),
    MISUSE(neighbours_of_vertex_behind_all, 1, kNoVertex),
    MISUSE(vertices_in_ranges_as_an_array, 1, "vertex v is not element v of an array"),
    MISUSE(edge_of_copied_vertex, 1, kVertex),
    MISUSE(number_of_copied_vertex, 1, kVertex),
    MISUSE(neighbours_of_copied_vertex, 1, kVertex),
    MISUSE(edge_of_vertex_of_other_core, 2, kVertex),
    MISUSE(edge_behind_list, 1, "edge 2 of vertex [0-2], which has 2 neighbours"),
    MISUSE(mirror_read_at_neighbour, 1, "this edge belongs to another graph than the mirror, or"),
    MISUSE(mirror_set_for_copied_vertex, 1, kVertex),
    MISUSE(proxy_that_does_not_wait, 1, kProxy),
    MISUSE(proxy_that_does_not_wait_in_combine, 1, kProxy),
};

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    for (const Misuse& misuse : misuses) {
      if (FLAGS_list) std::printf("%s %d %s\n", misuse.name, misuse.cores, misuse.report);
      if (FLAGS_misuse == misuse.name) misuse.make();
    }
  });
  return finalize();
}
