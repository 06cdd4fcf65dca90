/// Failures that must abort the job with a report. Each --way is one failure;
/// tests/abort/ways.cmake has the expected report and exit status. A failure in a task occurs on
/// the last core, or with --all on all cores at the same time. A failure in main occurs on all
/// cores. calls.cpp has the calls that break the rules of Grappa.

#include "system/compat/fetch_add_combiner.hpp"
#include "system/compat/names.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/abort/calls.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

DEFINE_string(way, "", "how to fail");
DEFINE_bool(all, false, "all cores fail at the same time");

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int deep(volatile char* above, int depth) {
  volatile char here[1000];
  for (volatile char& byte : here) byte = above == nullptr ? 1 : above[0];
  return depth == 0 ? here[0] : deep(here, depth - 1) + here[0];
}

/// Has a frame of 335 KB and writes only the far end of the frame.
GRAPPA_NOINLINE int step_over() {
  volatile char array[335000];
  array[0] = 1;
  return array[0];
}

/// Has its own frame in stack traces, because it is not inlined and continues after the call.
GRAPPA_NOINLINE void call_it(void (*volatile function)()) {
  function();
  asm volatile("");
}
void throw_into_noexcept(void (*thrower)()) noexcept { thrower(); }

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

void break_rules_of_stacks(const std::string& way) {
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
}

void break_rules_of_memory(const std::string& way) {
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
  break_rules_of_stacks(way);
  break_rules_of_memory(way);
  break_rules_of_calls(way);
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
