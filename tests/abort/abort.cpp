/// Programs that must end badly, and say why. One case for each --way; tests/CMakeLists.txt holds
/// what each must say and the status it must end with. The core that fails is the last one.

#include <Grappa.hpp>

#include "system/runtime/merged_metrics.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

DEFINE_string(way, "", "how to end");

namespace {

using namespace Grappa;

int deep(volatile char* above, int depth) {
  volatile char here[1000];
  for (volatile char& byte : here) byte = above == nullptr ? 1 : above[0];
  return depth == 0 ? here[0] : deep(here, depth - 1) + here[0];
}

int64_t negative_or(const int64_t& a, const int64_t& b) { return a < 0 ? a : b; }

/// The last core calls something else than the others, as the third collective.
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

void fail(const std::string& way) {
  if (way.compare(0, 6, "other_") == 0) disagree(way);
  if (way == "input_error") input_error("file.el:7: \"x\" is no vertex");
  if (way == "stack_overflow") deep(nullptr, 1000000);
  if (way == "handler_overflow") send_message(mycore(), [] { deep(nullptr, 1000000); });
  if (way == "packed_overflow") {
    CompletionEvent ended;
    spawn(&ended, [] {
      deep(nullptr, 40);  // beyond the end of its stack, into that of the task above, and back
      yield();
    });
    ended.wait();
  }
  if (way == "exception") throw std::runtime_error("of the user's own making");
  if (way == "check") GRAPPA_CHECK(1 + 1 == 3) << "arithmetic holds";
  if (way == "null") delegate::write(make_global(static_cast<int*>(nullptr), mycore()), 1);
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
  if (way == "locale_out_of_memory") locale_alloc<int64_t>(size_t{1} << 60);
  if (way == "out_of_memory") global_alloc<int64_t>(size_t{1} << 50);
  if (way == "no_such_core") delegate::call(cores(), [] {});
  if (way == "payload_suspends")
    send_message(
        mycore(), [](void*, size_t) { yield(); }, "x", 1);
  if (way == "mutex_elsewhere") {
    ConditionVariable condition;
    Mutex mutex;
    wait(make_global(&condition), make_global(&mutex, static_cast<Core>(mycore() + 1)));
  }
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
  if (way == "same_metric") {
    static SimpleMetric<int> one("twins", 0), other("twins", 0);
    check_metric_names();  // as init does
  }
  if (way == "metrics_path") Metrics::merge_and_dump_to_file("/nowhere/at/all.json");
  if (way == "two_collectives") {
    spawn([] { barrier(); });
    barrier();
  }
  if (way == "no_such_root") broadcast(1, cores());
  if (way == "reduce_local") {
    const int64_t mine = 1;
    reduce<int64_t, collective_add>(&mine);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  if (FLAGS_way == "range") input_error("flag --way: out of range");
  run([] {
    // A std::string does not travel.
    struct Way {
      char name[32];
    } way = {};
    FLAGS_way.copy(way.name, sizeof way.name - 1);
    finish([way] {
      delegate::call<async>(static_cast<Core>(cores() - 1),
                            [way] { spawn([way] { fail(way.name); }); });
    });
    CompletionEvent never(1);
    never.wait();  // the failure ends the job; the main task does not
  });
  return finalize();
}
