/// Invalid uses of global structures and of their components, which must abort the job with a
/// report. Each --way is one case, which runs in a task on the last core.

#include "structures/global_array.hpp"
#include "structures/global_bag.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_stack.hpp"
#include "structures/global_vector.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "structures/push_buffer.hpp"
#include "system/compat/fetch_add_combiner.hpp"

#include <Grappa.hpp>

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/compat/names.hpp"

#include <fstream>
#include <string>
#include <utility>

#include <sys/resource.h>

DEFINE_string(way, "", "how to fail");

namespace {

using namespace Grappa;
using namespace Grappa::detail;

class AddProxy : public FCProxy {
 public:
  explicit AddProxy(GlobalAddress<int64_t> total) : total_(total) {}
  void add(int64_t n) {
    sum_ += n;
    wait();
  }
  void sync() override { delegate::increment(total_, sum_); }

 private:
  const GlobalAddress<int64_t> total_;
  int64_t sum_ = 0;
};

int64_t seven_after_a_while() {
  for (int i = 0; i < 1000; ++i) sleep_for(0);
  return 7;
}

/// Limits the address space of this process to 32 MiB more than it uses now.
void limit_memory() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * page_bytes() + 32 * MiB;
  const rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

PushBuffer<int64_t> buffer;

void use_container_wrongly(const std::string& way) {
  if (way == "array_of_less_than_none") GlobalArray<int64_t>::create(-1);
  if (way == "array_out_of_memory") GlobalArray<int64_t>::create(int64_t{1} << 50);
  if (way == "bag_of_less_than_none") GlobalBag<int64_t>::create(-1);
  if (way == "bag_out_of_memory") GlobalBag<int64_t>::create(int64_t{1} << 58);
  if (way == "push_before_setup") buffer.push(1);
  if (way == "vector_of_less_than_none") GlobalVector<int64_t>::create(-1);
  if (way == "setup_before_flush") {
    const auto array = global_alloc<int64_t>(10);
    buffer.setup(array, array);
    buffer.push(1);
    buffer.push(2);
    buffer.setup(array, array);
  }
}

void use_parts_wrongly(const std::string& way) {
  static int64_t word = 0;
  const GlobalAddress<int64_t> target = make_global(&word);
  if (way == "loop_over_no_array") forall(target, 1, [](int64_t&) {});
  if (way == "sum_over_no_array") sum(target, 1, [](int64_t& x) { return x; });
  if (way == "visit_of_no_array") on_cores_localized_async(target, 1, [](int64_t*, size_t) {});
  if (way == "combiner_of_none") delegate::FetchAddCombiner<int64_t, int64_t>(target, 0);
  if (way == "promise_given_twice") {
    Promise<int> promise;
    promise.call_async(0, [] { return 1; });
    promise.fill(2);
  }
}

/// Misuses a future while a task of this core waits for its answer, which never arrives.
void use_future_wrongly(const std::string& way) {
  static Future<int> future;
  future = delegate::call_future(0, [] {
    CompletionEvent never(1);
    never.wait();
    return 1;
  });
  static bool awaited = false;
  spawn([] {
    awaited = true;
    future.get();
  });
  while (!awaited) yield();
  if (way == "future_ends") future.~Future();
  if (way == "future_moves") Future<int> other = std::move(future);
  if (way == "future_of_two") future.get();
}

void use_graph_wrongly(const std::string& way) {
  if (way == "edge_of_no_vertex") TupleGraph::from_edges(3, {{0, 1}, {2, 3}});
  if (way == "edge_below_all") TupleGraph::from_edges(3, {{0, 1}, {2, -1}});
  if (way == "graph_too_large") {
    TupleGraph tuples = TupleGraph::from_edges(int64_t{1} << 60, {{0, 1}});
    Graph<int64_t>::create(tuples);
  }
  if (way == "data_of_larger_graph") {
    const auto g = Graph<NoData, double>::create(TupleGraph::from_edges(3, {{0, 1}}));
    const TupleGraph others = TupleGraph::from_edges(1000000, {{0, 999999}}, {{1.5, 0}});
    g->set_edge_data(others, [](double& data, const EdgeAttributes& a) { data = a.weight; });
  }
  if (way == "data_without_attributes" || way == "data_of_other_edges") {
    const auto g = Graph<NoData, double>::create(TupleGraph::from_edges(3, {{0, 1}}));
    const TupleGraph others = way == "data_of_other_edges"
                                  ? TupleGraph::from_edges(3, {{0, 2}}, {{1.5, 0}})
                                  : TupleGraph::from_edges(3, {{0, 1}});
    g->set_edge_data(others, [](double& data, const EdgeAttributes& a) { data = a.weight; });
  }
  if (way == "too_few_attributes") TupleGraph::from_edges(3, {{0, 1}, {1, 2}}, {{1.5, 0}});
  if (way == "neighbours_elsewhere") {
    const auto g = Graph<int64_t>::create(TupleGraph::from_edges(3, {{0, 1}}));
    serial_for(adj(g, VertexID{0}), [](Graph<int64_t>::Edge&) {});
  }
}

/// Accesses elements of an empty vector, and elements at invalid indices.
void take_from_none(const std::string& way) {
  const auto vector = GlobalVector<int64_t>::create();
  vector->push(1);
  vector->pop();
  if (way == "vector_pop") vector->pop();
  if (way == "vector_dequeue") vector->dequeue();
  if (way == "vector_front") vector->front();
  if (way == "vector_back") vector->back();
  vector->push(1);
  vector->push(2);
  if (way == "vector_element") (*vector)[2];
  if (way == "vector_element_below") (*vector)[-1];
}

void use_wrongly(const std::string& way) {
  use_container_wrongly(way);
  use_parts_wrongly(way);
  use_graph_wrongly(way);
  if (way.compare(0, 7, "vector_") == 0) take_from_none(way);
  if (way.compare(0, 7, "future_") == 0) use_future_wrongly(way);
  if (way == "empty_stack") GlobalStack<int>::create()->pop();
  if (way == "empty_queue") GlobalQueue<int>::create()->dequeue();
  if (way == "negative_hint") GlobalQueue<int>::create(-1);
  if (way == "negative_count") {
    int value;
    GlobalQueue<int>::create()->try_pop(&value, -1);
  }
  if (way == "default_mode") GlobalStack<int>::create();
  if (way == "suspending_argument") {
    int64_t total = 0;
    FlatCombiner<AddProxy> combiner(make_global(&total));
    spawn([&combiner] { combiner->add(1); });
    // C++17 evaluates the operator -> before the argument. A variable enforces this order in C++11.
    const auto proxy = combiner.operator->();
    proxy->add(seven_after_a_while());
  }
  if (way == "destroyed_in_use") {
    const auto stack = GlobalStack<int>::create();
    // This task is always inside a push, because it does not switch between two pushes.
    static bool started = false;
    spawn([stack] {
      started = true;
      for (;;) stack->push(1);
    });
    while (!started) yield();
    stack->destroy();
  }
  if (way == "element_too_long") {
    GlobalQueue<std::string>::create()->push(std::string(MiB + 1, 'x'));
  }
  if (way == "queue_out_of_memory") {
    const auto queue = GlobalQueue<int64_t>::create();
    queue->push(1);
    limit_memory();
    finish([queue] {
      for (int64_t i = 0; i < 100000000; ++i) queue->push<async>(i);
    });
  }
}

void push_in_main() {
  static GlobalAddress<GlobalStack<int>> stack;
  run([] {
    const auto made = GlobalStack<int>::create();
    on_all_cores([made] { stack = made; });
  });
  stack->push(1);
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  if (FLAGS_way == "outside_of_tasks") push_in_main();
  run([] { delegate::call(static_cast<Core>(cores() - 1), [] { use_wrongly(FLAGS_way); }); });
  return finalize();
}
