/// Closures with illegal captures. Each --mistake calls the function of the same name. In checked
/// mode, the report contains the closure's type and thus the name of that function. --list prints
/// the names.

#include <Grappa.hpp>

#include "structures/global_bag.hpp"
#include "structures/global_map.hpp"
#include "structures/global_set.hpp"
#include "structures/global_stack.hpp"
#include "structures/global_vector.hpp"
#include "structures/graph/loops/graph_loops.hpp"
#include "system/compat/on_cores_localized.hpp"
#include "system/compat/promise.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <sys/mman.h>

DEFINE_string(mistake, "", "the mistake to make");
DEFINE_bool(list, false, "print the names of all mistakes");

namespace {

using namespace Grappa;

/// The destination of closures: another core if the job has several.
Core other() { return static_cast<Core>(cores() - 1); }

GlobalAddress<int64_t> array() {
  static const GlobalAddress<int64_t> words = global_alloc<int64_t>(1000);
  return words;
}

typedef Graph<int64_t, int64_t> SmallGraph;

GlobalCompletionEvent event;
CompletionEvent here;

// Kinds of illegal captures.

void captures_reference() {
  int64_t sum = 0;
  delegate::call(other(), [&sum] { ++sum; });
}

void captures_reference_behind_value() {
  int64_t sum = 0;
  const int64_t one = mycore() + 1;
  delegate::call(other(), [one, &sum] { sum += one; });
}

void captures_reference_behind_small_value() {
  int64_t sum = 0;
  const char letter = static_cast<char>('a' + mycore());
  delegate::call(other(), [letter, &sum] { sum += letter; });
}

void captures_all_by_reference() {
  int64_t sum = 0, one = 1;
  delegate::call(other(), [&] { sum += one; });
}

struct Counting {
  int64_t sum = 0;
  void captures_this() {
    delegate::call(other(), [this] { ++sum; });
  }
};
void captures_this() { Counting().captures_this(); }

void captures_this_on_heap() {
  struct OnHeap {
    int64_t sum = 0;
    void captures_this_on_heap() {
      delegate::call(other(), [this] { ++sum; });
    }
  };
  std::unique_ptr<OnHeap>(new OnHeap)->captures_this_on_heap();
}

void captures_stack_pointer() {
  int64_t words[100] = {0};
  int64_t* const first = words;
  delegate::call(other(), [first] { ++first[0]; });
}

void captures_pointer_behind_array() {
  int64_t words[100] = {0};
  int64_t* const behind = words + 99;
  delegate::call(other(), [behind] { ++*behind; });
}

void captures_heap_pointer() {
  std::unique_ptr<int64_t> word(new int64_t(0));
  int64_t* const place = word.get();
  delegate::call(other(), [place] { ++*place; });
}

void captures_large_heap_pointer() {
  std::vector<char> bytes(10 * 1024 * 1024);
  char* const place = bytes.data() + 5000000;
  delegate::call(other(), [place] { ++*place; });
}

void captures_iterator() {
  std::vector<int64_t> words(100);
  const auto first = words.begin();
  delegate::call(other(), [first] { ++*first; });
}

void captures_c_str() {
  const std::string name(50, 'x');
  const char* const text = name.c_str();
  delegate::call(other(), [text] { return static_cast<int64_t>(text[0]); });
}

void captures_short_c_str() {
  const std::string name = "x";
  const char* const text = name.c_str();
  delegate::call(other(), [text] { return static_cast<int64_t>(text[0]); });
}

struct Inner {
  int64_t number;
  int64_t* place;
};
struct Outer {
  double weight;
  Inner inner[2];
};

void captures_nested_struct() {
  int64_t sum = 0;
  const Outer outer = {1, {{2, nullptr}, {3, &sum}}};
  delegate::call(other(), [outer] { *outer.inner[1].place = outer.inner[1].number; });
}

void captures_pointer_last_in_large_closure() {
  int64_t sum = 0;
  struct Large {
    int64_t words[40];
    int64_t* place;
  } large = {{0}, &sum};
  delegate::call(other(), [large] { *large.place = large.words[0]; });
}

void captures_in_function_object() {
  struct captures_in_function_object {
    int64_t* place;
    void operator()() const { ++*place; }
  };
  int64_t sum = 0;
  delegate::call(other(), captures_in_function_object{&sum});
}

/// Maps a page that only core 0 has at this address.
int64_t* mapped_here() {
  void* const address = reinterpret_cast<void*>(uintptr_t{0x123400000000});
  void* const page = ::mmap(address, 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK(page == address);
  return static_cast<int64_t*>(page);
}

void captures_mapped_pointer() {
  int64_t* const place = mapped_here();
  delegate::call(other(), [place] { ++*place; });
}

void captures_mapped_pointer_for_tasks() {
  int64_t* const place = mapped_here();
  on_all_cores([place] { ++*place; });
}

int64_t* on_stack_of_main = nullptr;
void captures_stack_of_main() {
  int64_t* const place = on_stack_of_main;
  delegate::call(other(), [place] { ++*place; });
}

void captures_stack_of_other_task() {
  static int64_t* place = nullptr;
  CompletionEvent ready(1);
  CompletionEvent done(1);
  CompletionEvent* const is_ready = &ready;
  CompletionEvent* const is_done = &done;
  spawn([is_ready, is_done] {
    int64_t sum = 0;
    place = &sum;
    is_ready->complete();
    is_done->wait();
    place = nullptr;
  });
  ready.wait();
  int64_t* const its = place;
  delegate::call(other(), [its] { ++*its; });
  done.complete();
}

void captures_stack_of_task_that_yields() {
  static int64_t* place = nullptr;
  static bool ended = false;
  spawn([] {
    int64_t sum = 0;
    place = &sum;
    while (!ended) yield();
    place = nullptr;
  });
  while (place == nullptr) yield();
  int64_t* const its = place;
  delegate::call(other(), [its] { ++*its; });
  ended = true;
}

// Functions that take a closure.

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

struct Mistake {
  const char* name;
  void (*make)();
};

#define MISTAKE(name) \
  { #name, name }
const Mistake mistakes[] = {
    MISTAKE(captures_reference),
    MISTAKE(captures_reference_behind_value),
    MISTAKE(captures_reference_behind_small_value),
    MISTAKE(captures_all_by_reference),
    MISTAKE(captures_this),
    MISTAKE(captures_this_on_heap),
    MISTAKE(captures_stack_pointer),
    MISTAKE(captures_pointer_behind_array),
    MISTAKE(captures_heap_pointer),
    MISTAKE(captures_large_heap_pointer),
    MISTAKE(captures_iterator),
    MISTAKE(captures_c_str),
    MISTAKE(captures_short_c_str),
    MISTAKE(captures_nested_struct),
    MISTAKE(captures_pointer_last_in_large_closure),
    MISTAKE(captures_in_function_object),
    MISTAKE(captures_mapped_pointer),
    MISTAKE(captures_mapped_pointer_for_tasks),
    MISTAKE(captures_stack_of_main),
    MISTAKE(captures_stack_of_other_task),
    MISTAKE(captures_stack_of_task_that_yields),
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

}  // namespace

int main(int argc, char* argv[]) {
  int64_t on_stack = 0;
  on_stack_of_main = &on_stack;
  init(&argc, &argv);
  run([] {
    for (const Mistake& mistake : mistakes) {
      if (FLAGS_list) std::puts(mistake.name);
      if (FLAGS_mistake == mistake.name) mistake.make();
    }
  });
  return finalize();
}
