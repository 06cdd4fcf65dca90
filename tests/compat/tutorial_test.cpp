/// A program in the style of the original Grappa of 2014. It uses old header names, names without a
/// namespace, metrics, reductions over all cores, and scattered updates.

#include <Addressing.hpp>
#include <Collective.hpp>
#include <CompletionEvent.hpp>
#include <Delegate.hpp>
#include <GlobalAllocator.hpp>
#include <Grappa.hpp>
#include <Metrics.hpp>
#include <Mutex.hpp>
#include <ParallelLoop.hpp>
#include <Tasking.hpp>
#include <common.hpp>

#include <iostream>

DEFINE_int64(sizeA, 1 << 10, "number of elements of the updated array");
DEFINE_int64(sizeB, 1 << 12, "number of updates");

GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, updates_seen, 0);
GRAPPA_DEFINE_METRIC(SimpleMetric<double>, gups_runtime, 0.0);
GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, update_time, 0.0);

using namespace Grappa;

int64_t local_count;  // each core has its own instance

// Old programs use these names without the namespace.
static ::GlobalAddress<int64_t> first_half(::GlobalAddress<int64_t> array, int64_t n) {
  CHECK_LE(0, n);
  return array;
}

static ::Core last_core() { return static_cast<::Core>(Grappa::cores() - 1); }

void search(int64_t depth, CompletionEvent* done, int64_t* visited) {
  ++*visited;
  if (depth == 0) return;
  for (int child = 0; child < 2; ++child) {
    spawn(done, [=] { search(depth - 1, done, visited); });
  }
}

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    Metrics::reset_all_cores();
    Metrics::start_tracing();

    GlobalAddress<int64_t> A = global_alloc<int64_t>(FLAGS_sizeA);
    Grappa::memset(A, 0, FLAGS_sizeA);
    gups_runtime = Grappa::walltime();
    const int64_t size = FLAGS_sizeA;
    forall(0, FLAGS_sizeB, [A, size](int64_t i) {
      GRAPPA_TIME_REGION(update_time) { delegate::increment<async>(A + (i * 7919) % size, 1); }
      updates_seen++;
    });
    gups_runtime = Grappa::walltime() - gups_runtime;
    Metrics::stop_tracing();

    on_all_cores([] { local_count = 0; });
    forall(first_half(A, size), size, [](int64_t& element) { local_count += element; });
    on_all_cores([] {
      const int64_t all = allreduce<int64_t, collective_add>(local_count);
      CHECK_EQ(all, FLAGS_sizeB) << "updates were lost";
      local_count = all;
    });
    std::cout << "updates: " << local_count << std::endl;

    auto counter = make_global(&local_count, last_core());
    delegate::write(counter, 40);
    CHECK_EQ(40, delegate::fetch_and_add(counter, 2));
    std::cout << "answer: " << delegate::read(counter) << std::endl;

    CompletionEvent done;
    int64_t visited = 0;
    search(10, &done, &visited);
    done.wait();
    std::cout << "visited: " << visited << std::endl;

    global_free(A);
    Metrics::merge_and_print(std::cout);
  });
  Grappa::finalize();
}
