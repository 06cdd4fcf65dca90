/// A program with its own main, from init to finalize: flags, arguments, the numbers of cores and
/// locales, real time, and the macros of glog and gflags. Prints only errors. With --exit_status, a
/// task calls end_job.

#include <Grappa.hpp>

#include <cstring>

DEFINE_int64(program_answer, 0, "a flag of the program");
DEFINE_string(program_name, "none", "another flag of the program");
DEFINE_int32(exit_status, 0, "the argument of end_job; 0: no call");

using namespace Grappa;

namespace {

int64_t run_by_function = 0;  // each core has its own count
int64_t left_on_each_core = 0;
int64_t steps = 0;

void function_body() { ++run_by_function; }

struct ObjectBody {
  int64_t* count;
  void operator()() const { *count += 10; }
};

/// Checks on each core that the numbers agree with those of the other cores.
void check_numbers() {
  Core in_locale = 0, before = 0;
  for (Core core = 0; core < cores(); ++core) {
    CHECK_EQ(delegate::call(core, [] { return mycore(); }), core);
    CHECK_EQ(delegate::call(core, [] { return mylocale(); }), locale_of(core));
    CHECK_EQ(delegate::call(core, [] { return cores(); }), cores());
    CHECK_EQ(delegate::call(core, [] { return locales(); }), locales());
    CHECK_LT(locale_of(core), locales());
    if (locale_of(core) != mylocale()) continue;
    ++in_locale;
    before = static_cast<Core>(before + (core < mycore() ? 1 : 0));
  }
  CHECK_EQ(locale_cores(), in_locale);
  CHECK_EQ(locale_mycore(), before);
  CHECK_EQ(locale_of(0), 0);
  CHECK_EQ(locale_of(cores() - 1), locales() - 1);
}

/// Checks on each core that time never decreases, and that other tasks run while this task sleeps.
void check_time() {
  double before = walltime();
  for (int k = 0; k < 100; ++k) {
    yield();
    const double now = walltime();
    CHECK_LE(before, now);
    before = now;
  }
  steps = 0;
  CompletionEvent ended;
  spawn(&ended, [] { ++steps; });
  sleep_for(0.005);
  CHECK_LE(0.005, walltime() - before);
  CHECK_EQ(steps, 1);
  ended.wait();
  sleep_for(0);
}

}  // namespace

int main(int argc, char* argv[]) {
  const char* const program = argv[0];
  const int64_t heap_bytes = int64_t{1} << 26;
  init(&argc, &argv, heap_bytes);

  // init() removes the known flags and keeps the other arguments in order.
  CHECK_EQ(argc, 3);
  CHECK_EQ(argv[0], program);
  CHECK_EQ(std::strcmp(argv[1], "first"), 0);
  CHECK_EQ(std::strcmp(argv[2], "second"), 0);
  CHECK_EQ(FLAGS_program_answer, 42);
  CHECK_EQ(FLAGS_program_name, "deep thought");
  // Each core's part is rounded up to whole pages.
  CHECK_GE(heap_bytes_total(), static_cast<size_t>(heap_bytes));
  CHECK_LT(heap_bytes_total(), static_cast<size_t>(heap_bytes) + 4096 * cores());

  // The core numbers are also known outside of run.
  CHECK_LT(mycore(), cores());
  CHECK_LT(mylocale(), locales());

  int64_t runs = 0;
  run([&runs] {
    ++runs;
    CHECK_EQ(mycore(), 0);
    on_all_cores([] { left_on_each_core = 100 + mycore(); });
  });
  run(function_body);
  const ObjectBody object = {&runs};
  run(object);
  const int64_t here = mycore() == 0 ? 1 : 0;
  CHECK_EQ(runs, 11 * here) << "a body runs once, on core 0";
  CHECK_EQ(run_by_function, here);
  CHECK_EQ(left_on_each_core, 100 + mycore()) << "memory persists between runs";
  run([] {
    on_all_cores(check_numbers);
    on_all_cores(check_time);
  });

  const double begun = walltime();
  CHECK_LE(begun, walltime());
  VLOG(9) << "not printed";
  DLOG_IF(FATAL, mycore() < 0) << "never";
  LOG_IF(FATAL, cores() < 1) << "never";

  if (FLAGS_exit_status != 0) run([] { end_job(FLAGS_exit_status); });
  const int status = finalize();
  CHECK_EQ(status, 0);
  return status;
}
