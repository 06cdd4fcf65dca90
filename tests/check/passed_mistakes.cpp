/// Functions that take a closure, each called with a closure that captures a reference.

#include "structures/global_bag.hpp"
#include "structures/global_map.hpp"
#include "structures/global_set.hpp"
#include "structures/global_stack.hpp"
#include "structures/global_vector.hpp"
#include "structures/graph/graph.hpp"
#include "system/compat/on_cores_localized.hpp"
#include "system/compat/promise.hpp"
#include "tests/check/mistakes.hpp"

#include <algorithm>

namespace {

using namespace Grappa;

GlobalAddress<int64_t> array() {
  static const GlobalAddress<int64_t> words = global_alloc<int64_t>(1000);
  return words;
}

typedef Graph<int64_t, int64_t> SmallGraph;

GlobalCompletionEvent event;
CompletionEvent here;

void passed_to_call_at_address() {
  int64_t sum = 0;
  delegate::call(array() + 999, [&sum](int64_t& word) { sum += word; });
}

void passed_to_call_to_this_core() {
  int64_t sum = 0;
  delegate::call(mycore(), [&sum] { ++sum; });
}

void passed_to_call_here_at_address() {
  int64_t sum = 0;
  static int64_t mine = 0;
  delegate::call(make_global(&mine), [&sum](int64_t& word) { sum += word; });
}

void passed_to_call_with_lock() {
  int64_t sum = 0;
  static Mutex mutex;
  delegate::call(
      other(), [] { return &mutex; }, [&sum] { ++sum; });
}

void passed_to_call_as_lock() {
  Mutex mutex;
  delegate::call(
      other(), [&mutex] { return &mutex; }, [] {});
}

void passed_to_async_call() {
  int64_t sum = 0;
  finish([&sum] { delegate::call<async>(other(), [&sum] { ++sum; }); });
}

void passed_to_async_call_at_address() {
  int64_t sum = 0;
  finish([&sum] { delegate::call<async>(array() + 999, [&sum](int64_t& word) { sum += word; }); });
}

void passed_to_async_call_after_many() {
  int64_t sum = 0;
  finish([&sum] {
    for (int k = 0; k < 10000; ++k) {
      int64_t* const place = k == 9999 ? &sum : nullptr;
      delegate::call<async>(other(), [place] {
        if (place != nullptr) ++*place;
      });
    }
  });
}

void passed_to_async_call_with_lock() {
  int64_t sum = 0;
  static Mutex mutex;
  finish([&sum] {
    delegate::call<async>(
        other(), [] { return &mutex; }, [&sum] { ++sum; });
  });
}

void passed_to_call_of_event() {
  int64_t sum = 0;
  finish<&event>([&sum] { delegate::call<async, &event>(other(), [&sum] { ++sum; }); });
}

void passed_to_future() {
  int64_t sum = 0;
  delegate::call_future(other(), [&sum] { return ++sum; }).get();
}

void passed_to_future_at_address() {
  int64_t sum = 0;
  delegate::call_future(array() + 999, [&sum](int64_t& word) { return sum += word; }).get();
}

void passed_to_promise() {
  int64_t sum = 0;
  Promise<int64_t> promise;
  promise.call_async(other(), [&sum] { return ++sum; });
  promise.get();
}

void passed_to_send_message() {
  int64_t sum = 0;
  send_message(other(), [&sum] { ++sum; });
}

void passed_to_send_message_with_payload() {
  int64_t sum = 0;
  send_message(
      other(), [&sum](void*, size_t bytes) { sum += static_cast<int64_t>(bytes); }, "x", 1);
}

void passed_to_forall_over_indices() {
  int64_t sum = 0;
  forall(0, 100, [&sum](int64_t) { ++sum; });
}

void passed_to_forall_over_ranges() {
  int64_t sum = 0;
  forall(0, 100, [&sum](int64_t, int64_t n) { sum += n; });
}

void passed_to_async_forall() {
  int64_t sum = 0;
  finish([&sum] { forall<async>(0, 100, [&sum](int64_t) { ++sum; }); });
}

void passed_to_unbound_forall() {
  int64_t sum = 0;
  forall<unbound>(0, 100, [&sum](int64_t) { ++sum; });
}

void passed_to_forall_of_event() {
  int64_t sum = 0;
  forall<&event>(0, 100, [&sum](int64_t) { ++sum; });
}

void passed_to_unbound_forall_here() {
  int64_t sum = 0;
  forall_here<unbound>(0, 100, [&sum](int64_t) { ++sum; });
}

void passed_to_forall_over_array() {
  int64_t sum = 0;
  forall(array(), 1000, [&sum](int64_t& word) { sum += word; });
}

void passed_to_forall_over_symmetric() {
  int64_t sum = 0;
  static const GlobalAddress<int64_t> object = symmetric<int64_t>();
  forall(object, [&sum](int64_t& word) { sum += word; });
}

void passed_to_on_cores_localized() {
  int64_t sum = 0;
  finish([&sum] {
    on_cores_localized_async(array(), 1000,
                             [&sum](int64_t*, size_t n) { sum += static_cast<int64_t>(n); });
  });
}

void passed_to_on_all_cores() {
  int64_t sum = 0;
  on_all_cores([&sum] { ++sum; });
}

void passed_to_call_on_all_cores() {
  int64_t sum = 0;
  call_on_all_cores([&sum] { ++sum; });
}

void passed_to_sum_all_cores() {
  int64_t sum = 1;
  sum_all_cores([&sum] { return sum; });
}

void passed_to_unbound_spawn() {
  int64_t sum = 0;
  finish([&sum] { spawn<unbound>([&sum] { ++sum; }); });
}

void passed_to_unbound_spawn_with_event() {
  int64_t sum = 0;
  spawn<unbound>(&here, [&sum] { ++sum; });
  here.wait();
}

void passed_to_unbound_spawn_of_event() {
  int64_t sum = 0;
  finish<&event>([&sum] { spawn<unbound, &event>([&sum] { ++sum; }); });
}

void passed_to_spawn_remote() {
  int64_t sum = 0;
  finish([&sum] { spawnRemote(other(), [&sum] { ++sum; }); });
}

void passed_by_message_on_other_core() {
  delegate::call(other(), [] {
    int64_t sum = 0;
    delegate::call(0, [&sum] { ++sum; });
  });
}

void passed_by_task_of_loop() {
  on_all_cores([] {
    if (mycore() != other()) return;
    int64_t sum = 0;
    delegate::call(0, [&sum] { ++sum; });
  });
}

void passed_to_map_update() {
  int64_t sum = 0;
  const auto map = GlobalMap<int64_t, int64_t>::create();
  map->update(5, [&sum](int64_t& value) { value = sum; });
}

void passed_to_map_loop() {
  int64_t sum = 0;
  const auto map = GlobalMap<int64_t, int64_t>::create();
  map->forall_entries([&sum](const int64_t&, int64_t& value) { sum += value; });
}

void passed_to_map_combination() {
  const auto map = GlobalMap<int64_t, int64_t>::create();
  int64_t most = 100;
  map->insert_or_combine(5, 6, [&most](int64_t a, int64_t b) { return std::min(most, a + b); });
}

void passed_to_set_loop() {
  int64_t sum = 0;
  const auto set = GlobalSet<int64_t>::create();
  forall(set, [&sum](const int64_t& key) { sum += key; });
}

void passed_to_set_insertion() {
  int64_t sum = 0;
  const auto set = GlobalSet<int64_t>::create();
  finish([&] { set->insert_async(5, [&sum] { ++sum; }); });
}

void passed_to_vector_loop() {
  int64_t sum = 0;
  const auto vector = GlobalVector<int64_t>::create(100);
  forall(vector, [&sum](int64_t& element) { sum += element; });
}

void passed_to_stack_loop() {
  int64_t sum = 0;
  const auto stack = GlobalStack<int64_t>::create();
  forall(stack, [&sum](int64_t& element) { sum += element; });
}

void passed_to_bag_loop() {
  int64_t sum = 0;
  const auto bag = GlobalBag<int64_t>::create();
  forall(bag, [&sum](int64_t& element) { sum += element; });
}

GlobalAddress<SmallGraph> small_graph() {
  TupleGraph edges = TupleGraph::from_edges(3, {{0, 1}, {1, 2}});
  return SmallGraph::create(edges);
}

void passed_to_graph_loop() {
  int64_t sum = 0;
  forall(small_graph(), [&sum](SmallGraph::Vertex& v) { sum += v.nadj; });
}

void passed_to_graph_loop_at_targets() {
  int64_t sum = 0;
  forall(small_graph(), [&sum](SmallGraph::Edge& e, SmallGraph::Vertex&) { sum += e.id; });
}

void passed_to_neighbour_loop() {
  int64_t sum = 0;
  forall(adj(small_graph(), VertexID{1}), [&sum](SmallGraph::Edge& e) { sum += e.id; });
}

}  // namespace

const std::vector<Mistake> ways_to_pass = {
    MISTAKE(passed_to_call_at_address),
    MISTAKE(passed_to_call_to_this_core),
    MISTAKE(passed_to_call_here_at_address),
    MISTAKE(passed_to_call_with_lock),
    MISTAKE(passed_to_call_as_lock),
    MISTAKE(passed_to_async_call),
    MISTAKE(passed_to_async_call_at_address),
    MISTAKE(passed_to_async_call_after_many),
    MISTAKE(passed_to_async_call_with_lock),
    MISTAKE(passed_to_call_of_event),
    MISTAKE(passed_to_future),
    MISTAKE(passed_to_future_at_address),
    MISTAKE(passed_to_promise),
    MISTAKE(passed_to_send_message),
    MISTAKE(passed_to_send_message_with_payload),
    MISTAKE(passed_to_forall_over_indices),
    MISTAKE(passed_to_forall_over_ranges),
    MISTAKE(passed_to_async_forall),
    MISTAKE(passed_to_unbound_forall),
    MISTAKE(passed_to_forall_of_event),
    MISTAKE(passed_to_unbound_forall_here),
    MISTAKE(passed_to_forall_over_array),
    MISTAKE(passed_to_forall_over_symmetric),
    MISTAKE(passed_to_on_cores_localized),
    MISTAKE(passed_to_on_all_cores),
    MISTAKE(passed_to_call_on_all_cores),
    MISTAKE(passed_to_sum_all_cores),
    MISTAKE(passed_to_unbound_spawn),
    MISTAKE(passed_to_unbound_spawn_with_event),
    MISTAKE(passed_to_unbound_spawn_of_event),
    MISTAKE(passed_to_spawn_remote),
    MISTAKE(passed_by_message_on_other_core),
    MISTAKE(passed_by_task_of_loop),
    MISTAKE(passed_to_map_update),
    MISTAKE(passed_to_map_loop),
    MISTAKE(passed_to_map_combination),
    MISTAKE(passed_to_set_loop),
    MISTAKE(passed_to_set_insertion),
    MISTAKE(passed_to_vector_loop),
    MISTAKE(passed_to_stack_loop),
    MISTAKE(passed_to_bag_loop),
    MISTAKE(passed_to_graph_loop),
    MISTAKE(passed_to_graph_loop_at_targets),
    MISTAKE(passed_to_neighbour_loop),
};
