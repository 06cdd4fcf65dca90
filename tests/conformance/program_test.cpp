/// Reference section "Life of a program": a program with its own main, from init to finalize. Tests
/// flags, arguments, runs, and the macros of glog and gflags. Prints only errors.

#include "tests/conformance/samples.hpp"

#include <cstring>

DEFINE_int64(conformance_answer, 0, "a flag of the program");
DEFINE_string(conformance_name, "none", "another flag of the program");

using namespace conformance;

namespace {

int64_t run_by_function = 0;  // on each core
int64_t left_on_each_core = 0;

void function_body() { ++run_by_function; }

struct ObjectBody {
  int64_t* count;
  void operator()() const { *count += 10; }
};

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
  CHECK_EQ(FLAGS_conformance_answer, 42);
  CHECK_EQ(FLAGS_conformance_name, "deep thought");
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

  const double begun = walltime();
  CHECK_LE(begun, walltime());
  VLOG(9) << "not printed";
  DLOG_IF(FATAL, mycore() < 0) << "never";
  LOG_IF(FATAL, cores() < 1) << "never";

  const int status = finalize();
  CHECK_EQ(status, 0);
  return status;
}
