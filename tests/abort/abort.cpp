/// Failures that must abort the job with a report. Each --way is one failure;
/// tests/abort/ways.cmake has the expected report and exit status. A failure in a task occurs on
/// the last core, or with --all on all cores at the same time. A failure in main occurs on all
/// cores.

#include <Grappa.hpp>

#include "structures/fetch_add_combiner.hpp"
#include "system/compat/names.hpp"
#include "system/report/merged_metrics.hpp"
#include "system/tasking/scheduler.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

DEFINE_string(way, "", "how to fail");
DEFINE_bool(all, false, "all cores fail at the same time");

namespace {

using namespace Grappa;
using namespace Grappa::detail;

GlobalCompletionEvent event;

int deep(volatile char* above, int depth) {
  volatile char here[1000];
  for (volatile char& byte : here) byte = above == nullptr ? 1 : above[0];
  return depth == 0 ? here[0] : deep(here, depth - 1) + here[0];
}

/// A function with a frame of 335 KB that writes only the far end of the frame.
GRAPPA_NOINLINE int step_over() {
  volatile char array[335000];
  array[0] = 1;
  return array[0];
}

int64_t negative_or(const int64_t& a, const int64_t& b) { return a < 0 ? a : b; }

/// As the third collective, the last core calls another collective than the other cores.
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

void call_it(void (*volatile function)()) { function(); }
void throw_it() { throw std::logic_error("stopped"); }
void throw_into_noexcept(void (*thrower)()) noexcept { thrower(); }

template <class F>
void elsewhere(F body) {
  std::thread(body).join();
}

/// Overwrites the metadata of malloc after the last of several blocks.
void damage_heap() {
  constexpr size_t kBlocks = 64, kBytes = 100000;
  void* volatile block = nullptr;
  for (size_t k = 0; k < kBlocks; ++k) block = std::malloc(kBytes);
  std::memset(block, 0xff, ::malloc_usable_size(block) + sizeof(size_t));
}

void break_heap(const std::string& way) {
  if (way == "heap_damaged") {
    damage_heap();
    std::raise(SIGSEGV);
  }
  // malloc detects the damage while it holds its lock, and aborts.
  if (way == "heap_locked") {
    for (;;) damage_heap();
  }
}

void break_rules_of_memory(const std::string& way) {
  if (way == "stack_overflow") deep(nullptr, 1000000);
  if (way == "large_frame") {
    CompletionEvent never(1);
    for (int k = 0; k < 40; ++k) spawn([&never] { never.wait(); });  // neighbouring stacks
    spawn([] { step_over(); });
    never.wait();
  }
  if (way == "handler_overflow") send_message(mycore(), [] { deep(nullptr, 1000000); });
  if (way == "packed_overflow") {
    CompletionEvent ended;
    spawn(&ended, [] {
      deep(nullptr, 40);  // overflows into the neighbouring stack, and returns
      yield();
    });
    ended.wait();
  }
  if (way == "null_call") call_it(nullptr);
  if (way == "null") delegate::write(make_global(static_cast<int*>(nullptr), mycore()), 1);
  if (way == "null_global") delegate::write(GlobalAddress<int>(), 1);
  if (way == "null_array") Grappa::memset(GlobalAddress<int>() + 5, 1, 5);
  if (way == "double_free") {
    auto array = global_alloc<int64_t>(10);
    global_free(array);
    global_free(array);
  }
  if (way == "free_inside") {
    auto array = global_alloc<int64_t>(1000);
    global_free(array + 8 * cores());
  }
  if (way == "free_local") {
    static int64_t word;
    global_free(make_global(&word));
  }
  if (way == "memcpy_overlap") {
    auto array = global_alloc<int64_t>(100);
    Grappa::memcpy(array + 1, array, 50);
  }
  if (way == "crossing_loop") {
    const GlobalAddress<int64_t> crossing(global_alloc<char>(1000) + 4);
    forall(crossing, 100, [](int64_t&) {});
  }
  if (way == "crossing_sum") {
    struct Three {
      int64_t words[3];
      Three operator+(const Three&) const { return *this; }
    };
    prefix_sum(GlobalAddress<Three>(global_alloc<char>(24 * 1000)), 1000);
  }
  if (way == "cache_released") {
    auto array = global_alloc<int64_t>(100);
    Incoherent<int64_t>::RW cache(array, 100);
    cache[0] = 1;
    cache.start_release();
    cache[1] = 2;
  }
  if (way == "file_missing") {
    File file("/no/such/file");
    read_array(file, global_alloc<int64_t>(100), 100);
  }
  if (way == "file_short") {
    File file("/proc/self/exe");
    file.offset = int64_t{1} << 40;
    read_array(file, global_alloc<int64_t>(100), 100);
  }
  if (way == "locale_out_of_memory") locale_alloc<int64_t>(size_t{1} << 60);
  if (way == "out_of_memory") global_alloc<int64_t>(size_t{1} << 50);
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
    check_metric_names();  // which init calls, too
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
    // The message type has been sent before by the core's thread.
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

/// Each call runs a throwing body on the caller's own core. The job must be aborted: if a call
/// propagates the exception to the caller, the job ends with status 0 and the test fails.
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

void end_otherwise(const std::string& way) {
  if (way.compare(0, 6, "throw_") == 0) throw_on_own_core(way.substr(6));
  if (way == "input_error") input_error("file.el:7: \"x\" is no vertex");
  if (way == "exception") throw std::runtime_error("of the user's own making");
  if (way == "handler_exception")
    send_message(mycore(), [] { throw std::runtime_error("of a message"); });
  if (way == "thread_exception") elsewhere([] { throw 7; });
  if (way == "noexcept") throw_into_noexcept(throw_it);
  if (way == "terminate") std::terminate();
  if (way == "check") GRAPPA_CHECK(1 + 1 == 3) << "arithmetic holds";
  if (way == "handler_check") send_message(mycore(), [] { CHECK(false) << "in a message"; });
  if (way == "check_values") CHECK_EQ(1 + 1, cores() + 10) << "so many";
  if (way == "second_fault") {
    scheduler().current()->runs = reinterpret_cast<const char*>(1);  // makes the report fault
    GRAPPA_CHECK(false) << "the first";
  }
  if (way == "forked") {
    const pid_t child = ::fork();
    if (child == 0) std::exit(3);
    int status = 0;
    ::waitpid(child, &status, 0);
    GRAPPA_CHECK(WEXITSTATUS(status) != 3) << "the child exited normally";
  }
  if (way == "log_fatal") LOG(FATAL) << "the end";
  if (way == "calls_abort") std::abort();
  if (way == "illegal") __builtin_trap();
  if (way == "bus") std::raise(SIGBUS);
  if (way == "exit_0") std::exit(0);
  if (way == "exit_3") std::exit(3);
  if (way == "quick_exit") std::quick_exit(0);
  if (way == "end_job_minus_1") end_job(-1);
  if (way == "end_job_differently") {  // the second call runs before messages of the first arrive
    send_message(mycore(), [] { end_job(5); });
    send_message(mycore(), [] { end_job(0); });
  }
  if (way == "vanish") ::_exit(0);
  if (way == "killed") std::raise(SIGKILL);
}

void fail(const std::string& way) {
  break_heap(way);
  break_rules_of_memory(way);
  break_rules_of_futures(way);
  break_rules_of_events(way);
  break_rules_of_collectives(way);
  break_rules_of_grappa(way);
  end_otherwise(way);
}

/// Calls that are invalid outside a job or outside a task.
void fail_in_main(const std::string& way) {
  if (way == "yield") yield();
  if (way == "spawn") spawn([] {});
  if (way == "send") send_message(static_cast<Core>(0), [] {});
  if (way == "delegate") delegate::call(0, [] { return 1; });
  if (way == "cores" && cores() == 7) std::exit(0);
  if (way == "mycore" && mycore() == 7) std::exit(0);
  if (way == "read") delegate::read(make_global(new int, mycore()));
  if (way == "future") delegate::call_future(mycore(), [] { return 1; }).get();
  if (way == "promise") {
    Promise<int> promise;
    promise.call_async(mycore(), [] { return 1; });
    promise.get();
  }
  if (way == "combiner") {
    FetchAddCombiner<int64_t, int64_t>(make_global(new int64_t(0), mycore()), 2, 0)
        .fetch_and_add(1);
  }
  if (way == "remote_lock") lock(make_global(new Mutex, mycore()));
  if (way == "copy") {
    int word = 1;
    Grappa::memcpy(make_global(new int, mycore()), &word, 1);
  }
  if (way == "write") delegate::write<async>(make_global(new int, 0), 1);
  if (way == "loop") forall(0, 10, [](int64_t) {});
  if (way == "finish") finish([] {});
  if (way == "barrier") barrier();
  if (way == "allocate") global_alloc<int64_t>(10);
  if (way == "lock") {
    Mutex mutex;
    mutex.lock();
    mutex.lock();
  }
  if (way == "wait") {
    CompletionEvent never(1);
    never.wait();
  }
  if (way == "sleep") sleep_for(0.001);
  if (way == "init") {
    char name[] = "abort";
    char* arguments[] = {name, nullptr};
    char** argv = arguments;
    int argc = 1;
    init(&argc, &argv);
  }
  if (way == "run") run([] {});
  if (way == "end_job") end_job(0);
  if (way == "finalize") finalize();
  if (way == "throw") throw std::runtime_error("in main");
  if (way == "check") CHECK(false) << "in main";
  if (way == "null") *static_cast<volatile int*>(nullptr) = 1;
}

/// --way=WHEN:WHAT fails in main. WHEN is `before` (before init), `outside` (between init and run),
/// or `after` (after finalize).
void fail_in_main_if(const char* when) {
  const std::string prefix = std::string(when) + ":";
  if (FLAGS_way.compare(0, prefix.size(), prefix) == 0)
    fail_in_main(FLAGS_way.substr(prefix.size()));
}

// A std::string cannot be captured by a closure that is sent to another core.
struct Way {
  char name[32];
};

void fail_in_tasks() {
  Way way = {};
  FLAGS_way.copy(way.name, sizeof way.name - 1);
  finish([way] {
    const auto start = [way] { spawn([way] { fail(way.name); }); };
    if (FLAGS_all) {
      on_all_cores([start] {
        barrier();
        start();
      });
    } else {
      delegate::call<async>(static_cast<Core>(cores() - 1), start);
    }
  });
  CompletionEvent never(1);
  never.wait();  // waits until the failure aborts the job
}

}  // namespace

int main(int argc, char* argv[]) {
  // init parses the flags, so parse --way=before: by hand.
  for (int k = 1; k < argc; ++k) {
    if (std::strncmp(argv[k], "--way=before:", 13) == 0) fail_in_main(argv[k] + 13);
  }
  init(&argc, &argv);
  if (FLAGS_way == "range") input_error("flag --way: out of range");
  if (FLAGS_way == "input_error_of_one" && mycore() + 1 == cores()) input_error("for one core");
  if (FLAGS_way == "run_on_one" && mycore() == 0) run([] {});
  if (FLAGS_way == "run_on_one") return finalize();
  if (FLAGS_way == "return_early") return 0;
  if (FLAGS_way == "return_early_5") return 5;
  if (FLAGS_way == "init_twice") init(&argc, &argv);
  fail_in_main_if("outside");
  if (FLAGS_way.find(':') == std::string::npos) run(fail_in_tasks);
  const int status = finalize();
  fail_in_main_if("after");
  return status;
}
