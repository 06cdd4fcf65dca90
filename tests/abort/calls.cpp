/// Calls that break the rules of Grappa, for the program abort (abort.cpp).

#include "tests/abort/calls.hpp"

#include "system/compat/names.hpp"
#include "system/report/job_report.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

GlobalCompletionEvent event;

int64_t negative_or(const int64_t& a, const int64_t& b) { return a < 0 ? a : b; }

/// Calls three collectives. The third collective differs between the last core and the others.
void disagree(const std::string& way) {
  const bool kind = way == "other_collective", type = way == "other_type";
  const bool operation = way == "other_operation", length = way == "other_length";
  on_all_cores([kind, type, operation, length] {
    const bool other = mycore() == cores() - 1;
    std::vector<int64_t> values(other ? 5000 : 5001);
    barrier();
    barrier();
    if (kind && !other) barrier();
    if (kind && other) allreduce<int64_t, collective_add>(1);
    if (type && !other) allgather(int64_t{1});
    if (type && other) allgather(1.0);
    if (operation && !other) allreduce<int64_t, negative_or>(1);
    if (operation && other) allreduce<int64_t, collective_add>(1);
    if (length) allreduce_inplace<int64_t, collective_max>(values.data(), values.size());
    broadcast(1, other ? 1 : 0);
  });
}

void break_rules_of_futures(const std::string& way) {
  const Core next = static_cast<Core>((mycore() + 1) % cores());
  if (way == "unread_future") delegate::call_future(next, [] { return 1; });
  if (way == "overwritten_future") {
    Future<int> future = delegate::call_future(next, [] { return 1; });
    future = delegate::call_future(next, [] { return 2; });
  }
  if (way == "empty_future") Future<int>().get();
  if (way == "moved_future") {
    Future<int> future = delegate::call_future(next, [] { return 1; });
    Future<int> other = std::move(future);
    future.get();
  }
  if (way == "large_answer") {
    struct Large {
      char bytes[20000];
    };
    delegate::call(next, [] { return Large(); });
  }
}

void break_rules_of_events(const std::string& way) {
  if (way == "event_completed_too_often") {
    event.enroll(2);
    event.complete(3);
  }
  if (way == "event_completed_elsewhere") {
    event.enroll();
    event.send_completion(static_cast<Core>((mycore() + 1) % cores()), 2);
  }
  if (way == "element_on_two_cores") {
    struct Triple {
      int64_t words[3];
    };
    const auto triples = global_alloc<Triple>(10);
    delegate::call(triples + 2, [](Triple& t) { t.words[2] = 1; });
  }
  if (way == "locale_memory_freed_twice") {
    int64_t* const word = locale_alloc<int64_t>();
    locale_free(word);
    locale_free(word);
  }
  if (way == "event_waits_for_itself") finish<&event>([] { spawn([] { event.wait(); }); });
  if (way == "event_on_a_stack") {
    GlobalCompletionEvent here;
    here.enroll();
  }
}

void break_rules_of_collectives(const std::string& way) {
  if (way.compare(0, 6, "other_") == 0) disagree(way);
  if (way == "two_collectives") {
    spawn([] { barrier(); });
    barrier();
  }
  if (way == "accumulated_late") {
    on_all_cores([] {
      AllReducer<int, collective_add> sum(0);
      sum.finish();
      sum.accumulate(1);
    });
  }
  if (way == "no_such_root") broadcast(1, cores());
  if (way == "loop_without_n") forall(global_alloc<int64_t>(10), [](int64_t&) {});
  if (way == "loop_over_local") {
    int64_t mine = 1;
    forall(make_global(&mine), [](int64_t&) {});
  }
  if (way == "reduce_local") {
    const int64_t mine = 1;
    reduce<int64_t, collective_add>(&mine);
  }
}

/// Calls a function that takes a core with an invalid core number whose low 16 bits are 0.
void name_no_core(const std::string& call) {
  const int64_t core = call.back() == '-' ? -65536 : 7 * 65536;
  const std::string name = call.substr(0, call.find('-'));
  static Mutex mutex;
  static int64_t word = 0;
  const auto get_mutex = [] { return &mutex; };
  const auto nothing = [] {};
  const auto answer = [] { return 1; };
  if (name == "call") delegate::call(core, nothing);
  if (name == "call_locked") delegate::call(core, get_mutex, nothing);
  if (name == "call_async") delegate::call<async>(core, nothing);
  if (name == "call_async_locked") delegate::call<async>(core, get_mutex, nothing);
  if (name == "call_blocking") delegate::call<blocking>(core, nothing);
  if (name == "call_of_event") delegate::call<async, &event>(core, nothing);
  if (name == "call_suspendable") delegate::call_suspendable(core, nothing);
  if (name == "call_future") delegate::call_future(core, answer).get();
  if (name == "promise") Promise<int>().call_async(core, answer);
  if (name == "spawnRemote") spawnRemote(core, nothing);
  if (name == "spawnRemote_of_event") spawnRemote<&event>(core, nothing);
  if (name == "send_message") send_message(core, nothing);
  if (name == "send_heap_message") send_heap_message(core, nothing);
  if (name == "send_payload")
    send_message(
        core, [](void*, size_t) {}, "x", 1);
  if (name == "send_completion") event.send_completion(core);
  if (name == "broadcast") broadcast(1, core);
  if (name == "make_global") make_global(&word, core);
  if (name == "two_dimensional") GlobalAddress<int64_t>::two_dimensional(&word, core);
  if (name == "localize") global_alloc<int64_t>(1).localize(core);
  if (name == "locale_of") locale_of(core);
}

void count_below_0(const std::string& call) {
  static int64_t words[10];
  const auto array = global_alloc<int64_t>(10);
  const auto visit = [](int64_t) {};
  const auto visit_word = [](int64_t&) {};
  if (call == "global_alloc") global_alloc<int64_t>(-5);
  if (call == "symmetric_global_alloc") symmetric_global_alloc<int64_t>(-5);
  if (call == "locale_alloc") locale_alloc<int64_t>(-5);
  if (call == "locale_new_array") locale_new_array<int64_t>(-5);
  if (call == "memset") Grappa::memset(array, 1, -5);
  if (call == "memset_async") memset_async(array, 1, -5);
  if (call == "memcpy") Grappa::memcpy(array, array, -5);
  if (call == "memcpy_async") memcpy_async(words, array, -5);
  if (call == "prefix_sum") prefix_sum(array, -5);
  if (call == "array_str") util::array_str("", array, -5);
  if (call == "array_str_here") util::array_str("", words, -5);
  if (call == "iterate_local") iterate_local(array, -5);
  if (call == "on_cores_localized_async")
    on_cores_localized_async(array, -5, [](int64_t*, size_t) {});
  if (call == "allreduce_inplace") allreduce_inplace<int64_t, collective_add>(words, -5);
  if (call == "send_message")
    send_message(
        0, [](void*, size_t) {}, words, size_t(-5));
  if (call == "Incoherent") Incoherent<int64_t>::RO cache(array, -5);
  if (call == "forall") forall(0, -5, visit);
  if (call == "forall_elements") forall(array, -5, visit_word);
  if (call == "forall_here") forall_here(0, -5, visit);
  if (call == "forall_unbound") forall<unbound>(0, -5, visit);
}

void loop_too_far(const std::string& way) {
  const int64_t start = std::numeric_limits<int64_t>::max() - 2;
  if (way == "loop_too_far") forall<1>(start, 10, [](int64_t) {});
  if (way == "loop_too_far_here") forall_here<1>(start, 10, [](int64_t) {});
  if (way == "loop_too_far_unbound") forall<unbound, 1>(start, 10, [](int64_t) {});
}

void break_rules_of_grappa(const std::string& way) {
  if (way.compare(0, 6, "count_") == 0) count_below_0(way.substr(6));
  loop_too_far(way);
  if (way.compare(0, 5, "core_") == 0) name_no_core(way.substr(5));
  if (way == "no_such_core") delegate::call(cores(), [] {});
  if (way == "payload_suspends")
    send_message(
        mycore(), [](void*, size_t) { yield(); }, "x", 1);
  if (way == "mutex_elsewhere") {
    ConditionVariable condition;
    Mutex mutex;
    wait(make_global(&condition), make_global(&mutex, (mycore() + 1) % cores()));
  }
  if (way == "same_metric") {
    static SimpleMetric<int> one("twins", 0), other("twins", 0);
    check_metric_names();  // init also calls it
  }
  if (way == "metrics_in_another_order") {
    on_all_cores([] {
      const auto one = [] { static SimpleMetric<int> metric("one", 0); };
      const auto other = [] { static SimpleMetric<int> metric("other", 0); };
      if (mycore() == 0) one();
      other();
      if (mycore() != 0) one();
    });
    Metrics::merge_and_print();
  }
  if (way == "metrics_path") Metrics::merge_and_dump_to_file("/nowhere/at/all.json");
  if (way == "run_in_run") run([] {});
  if (way == "finalize_in_run") finalize();
  if (way == "thread_yields") elsewhere([] { yield(); });
  if (way == "thread_spawns") elsewhere([] { spawn([] {}); });
  if (way == "thread_sends") {
    // The thread of the core has sent this message type before.
    for (int k = 0; k < 2; ++k) {
      const auto send = [] { send_message(static_cast<Core>(0), [] {}); };
      if (k == 0) send();
      if (k == 1) elsewhere(send);
    }
  }
  if (way == "thread_delegates") elsewhere([] { delegate::call(0, [] { return 1; }); });
  if (way == "thread_runs") elsewhere([] { run([] {}); });
  if (way == "thread_loops") elsewhere([] { forall(0, 10, [](int64_t) {}); });
}

}  // namespace

void break_rules_of_calls(const std::string& way) {
  break_rules_of_futures(way);
  break_rules_of_events(way);
  break_rules_of_collectives(way);
  break_rules_of_grappa(way);
}

void throw_on_own_core(const std::string& call) {
  struct Word {
    Word() = default;
    explicit Word(int) {}
    Word& operator+=(const Word&) { throw std::logic_error("of the user's own making"); }
  };
  static Word word;
  static Mutex mutex;
  static SimpleSymmetric<int> object;
  const auto thrower = [] { throw_it(); };
  const auto answer = [] {
    throw_it();
    return 1;
  };
  const auto visit = [](int64_t) { throw_it(); };
  const auto here = make_global(&word);
  try {
    if (call == "call") delegate::call(mycore(), thrower);
    if (call == "call_at") delegate::call(here, [](Word&) { throw_it(); });
    if (call == "call_at_pointer") delegate::call(here, [](Word*) { throw_it(); });
    if (call == "call_locked")
      delegate::call(
          mycore(), [] { return &mutex; }, thrower);
    if (call == "increment") delegate::increment(here, Word());
    if (call == "call_future") delegate::call_future(mycore(), answer).get();
    if (call == "promise") Promise<int>().call_async(mycore(), answer);
    if (call == "forall") forall(0, cores(), visit);
    if (call == "forall_here") forall_here(0, 1, visit);
    if (call == "forall_unbound") forall<unbound>(0, cores(), visit);
    if (call == "forall_elements") {
      forall(global_alloc<int64_t>(8 * cores()), 8 * cores(), [](int64_t&) { throw_it(); });
    }
    if (call == "forall_symmetric")
      forall(make_global(&object), [](SimpleSymmetric<int>&) { throw_it(); });
    if (call == "on_all_cores") on_all_cores(thrower);
    if (call == "call_on_all_cores") call_on_all_cores(thrower);
  } catch (const std::logic_error&) {}
  end_job(0);
}
