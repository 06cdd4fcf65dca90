/// The main of tests that run as a job. Core 0 runs the tests in the main task; the other cores
/// serve them. An EXPECT that fails on another core, in a delegate or a task, belongs to no test
/// there: it is printed with its core and makes that core's exit status a failure, which mpirun
/// makes the job's.

#include <Grappa.hpp>

#include <cstdio>
#include <gtest/gtest.h>

namespace {

/// Says which core failed. Progress is core 0's alone to print, and it does so as GoogleTest does.
class FailuresOfThisCore : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const char* file = result.file_name() ? result.file_name() : "unknown file";
    std::fprintf(stderr, "%s:%d: failure on core %d\n%s\n", file, result.line_number(),
                 static_cast<int>(Grappa::mycore()), result.message());
  }
};

}  // namespace

int main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  Grappa::init(&argc, &argv);
  if (Grappa::mycore() != 0) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOfThisCore);
  }

  int status = 0;
  Grappa::run([&status] { status = RUN_ALL_TESTS(); });
  const int finalized = Grappa::finalize();

  if (testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()) status = 1;
  return status != 0 ? status : finalized;
}
