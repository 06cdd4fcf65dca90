#include "structures/graph/relabel.hpp"

#include "structures/text/open_file.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <vector>

namespace Grappa {
namespace {

// All cores sort the vertices by degree in a counting sort. Each core counts the vertices of each
// degree in a contiguous range, so vertices of equal degree stay in order. Running sums of these
// counts, by degree and then by core, give the first label of each core for each degree. The last
// counter also counts all higher degrees. The few vertices with these degrees are the hubs, which
// one core then sorts. In a graph with 2^34 edges, there are at most 2^19 hubs.
constexpr int64_t kMostCounters = 1 << 16;   // on each core
constexpr int64_t kChunkVertices = 1 << 16;  // vertices that a core reads at a time: 512 KiB

typedef std::vector<int64_t> Words;

// Sent by value.
struct SortPlan {
  int64_t nv;
  GlobalAddress<int64_t> labels;  // indexed by old label: first degrees, then new labels
  GlobalAddress<VertexID> old_of_new;
  GlobalAddress<Words> next;  // on each core, by counter: first counts, then next labels
  int64_t max_degree;
  int64_t counters;                 // on each core, one for each degree 0 ... counters - 1
  GlobalAddress<int64_t> vertices;  // number of vertices for each counter and core; see place_of()

  size_t counter_of(int64_t degree) const { return size_t(std::min(degree, counters - 1)); }
  bool has_hubs() const { return max_degree >= counters; }

  // The counters are in the order of the new labels: by descending degree, then by core.
  GlobalAddress<int64_t> place_of(int64_t counter) const {
    return vertices + ((counters - 1 - counter) * cores() + mycore());
  }

  // Calls body(first vertex, degrees or labels) for each chunk of this core's range of vertices.
  template <class F>
  void for_each_chunk(const F& body) const {
    const VertexID end = detail::share_begin(nv, mycore() + 1);
    Words words;
    for (VertexID at = detail::share_begin(nv, mycore()); at < end; at += int64_t(words.size())) {
      words.resize(size_t(std::min(kChunkVertices, end - at)));
      memcpy(words.data(), labels + at, int64_t(words.size()));
      body(at, &words);
    }
  }
};

void count_vertices(const SortPlan& plan) {
  Words& count = *plan.next.operator->();
  count.assign(size_t(plan.counters), 0);
  plan.for_each_chunk([&count, &plan](VertexID, Words* degrees) {
    for (const int64_t degree : *degrees) ++count[plan.counter_of(degree)];
  });
  for (int64_t counter = 0; counter < plan.counters; ++counter) {
    const int64_t counted = count[size_t(counter)];
    if (counted != 0) delegate::write<async>(plan.place_of(counter), counted);
  }
}

// Converts the counts to the first new label for each counter.
void find_places(const SortPlan& plan) {
  forall_here(0, plan.counters, [&plan](int64_t counter) {
    int64_t& next = (*plan.next.operator->())[size_t(counter)];
    if (next != 0) next = delegate::read(plan.place_of(counter)) - next;
  });
}

// Replaces degrees by new labels, except those of hubs, and fills old_of_new, with hubs first.
void label_vertices(const SortPlan& plan) {
  Words& next = *plan.next.operator->();
  plan.for_each_chunk([&next, &plan](VertexID first, Words* degrees) {
    for (size_t k = 0; k < degrees->size(); ++k) {
      int64_t& degree = (*degrees)[k];
      const VertexID label = next[plan.counter_of(degree)]++;
      delegate::write<async>(plan.old_of_new + label, first + int64_t(k));
      if (!plan.has_hubs() || degree < plan.counters - 1) degree = label;
    }
    memcpy(plan.labels + first, degrees->data(), int64_t(degrees->size()));
  });
}

// Sorts the hubs, which have the labels 0 ... n - 1, by degree.
void label_hubs(const SortPlan& plan, int64_t n) {
  struct Hub {
    int64_t degree;
    VertexID id;
  };
  std::vector<Hub> hubs(static_cast<size_t>(n));
  forall_here(0, n, [&plan, &hubs](int64_t k) {
    const VertexID id = delegate::read(plan.old_of_new + k);
    hubs[size_t(k)] = Hub{delegate::read(plan.labels + id), id};
  });
  std::stable_sort(hubs.begin(), hubs.end(),
                   [](const Hub& a, const Hub& b) { return a.degree > b.degree; });
  finish([&plan, &hubs] {
    for (size_t k = 0; k < hubs.size(); ++k) {
      delegate::write<async>(plan.old_of_new + int64_t(k), hubs[k].id);
      delegate::write<async>(plan.labels + hubs[k].id, int64_t(k));
    }
  });
}

// Replaces each of the `nv` degrees by the new label of its vertex, and fills `old_of_new`.
void sort_by_degree(int64_t nv, GlobalAddress<int64_t> degrees,
                    GlobalAddress<VertexID> old_of_new) {
  SortPlan plan = {nv, degrees, old_of_new, symmetric<Words>(), 0, 0, {}};
  plan.max_degree = detail::combine_all_cores<int64_t, &collective_max<int64_t>>([degrees, nv] {
    const LocalSpan<int64_t> mine = iterate_local(degrees, nv);
    return mine.size() == 0 ? 0 : *std::max_element(mine.begin(), mine.end());
  });
  plan.counters = std::min(plan.max_degree + 1, kMostCounters);
  const int64_t places = plan.counters * cores();
  plan.vertices = global_alloc<int64_t>(places);
  memset(plan.vertices, 0, places);

  on_all_cores([plan] { count_vertices(plan); });
  prefix_sum(plan.vertices, places);
  on_all_cores([plan] { find_places(plan); });
  on_all_cores([plan] { label_vertices(plan); });
  if (plan.has_hubs()) label_hubs(plan, delegate::read(plan.vertices + (cores() - 1)));
  global_free(plan.vertices);
  global_free(plan.next);
}

void count_degrees(const TupleGraph& tuples, GlobalAddress<int64_t> degrees) {
  Progress progress("counting degrees", tuples.nedge, "edges");
  const Progress::Counter done = progress.counter();
  memset(degrees, 0, tuples.nv);
  forall(tuples.edges, tuples.nedge, [degrees, done](int64_t, int64_t count, TupleEdge* edge) {
    for (int64_t k = 0; k < count; ++k) {
      if (edge[k].v0 == edge[k].v1) continue;
      delegate::increment<async>(degrees + edge[k].v0, 1);
      delegate::increment<async>(degrees + edge[k].v1, 1);
    }
    done.add(count);
  });
}

// For each endpoint of an edge, one message requests the label and another returns the label. On
// two cores, for 2^24 edges, this takes 0.6 to 1.4 s. One message for each edge that visits both
// labels and returns takes 0.8 to 1.7 s, and blocking reads take 4 to 10 s.
void relabel_edges(const TupleGraph& tuples, GlobalAddress<VertexID> labels) {
  Progress progress("relabelling", tuples.nedge, "edges");
  const Progress::Counter done = progress.counter();
  forall(tuples.edges, tuples.nedge, [labels, done](int64_t, int64_t count, TupleEdge* edge) {
    for (int64_t k = 0; k < count; ++k) {
      for (VertexID* end : {&edge[k].v0, &edge[k].v1}) {
        const GlobalAddress<VertexID> asked = make_global(end);
        delegate::call<async>(labels + *end,
                              [asked](VertexID& label) { delegate::write<async>(asked, label); });
      }
    }
    done.add(count);
  });
}

}  // namespace

GlobalAddress<VertexID> relabel_by_degree(TupleGraph* tuples) {
  const int64_t room = std::max<int64_t>(tuples->nv, 1);
  const GlobalAddress<int64_t> degrees = global_alloc<int64_t>(room);
  count_degrees(*tuples, degrees);
  const GlobalAddress<VertexID> old_of_new = global_alloc<VertexID>(room);
  sort_by_degree(tuples->nv, degrees, old_of_new);
  relabel_edges(*tuples, degrees);
  global_free(degrees);
  return old_of_new;
}

}  // namespace Grappa
