/// The main of tests that run as a job. Core 0 runs the tests in the main task, and the other cores
/// run their tasks and delegates. An EXPECT that fails on another core belongs to no TEST there.
/// The failure is printed with the number of the core. The core then exits with a failure status,
/// which becomes the status of the job.

#include <Grappa.hpp>

#include <cstdio>
#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

DEFINE_string(only, "",
              "run only the TESTs of these files: <path in the folder of the module>,...");
DEFINE_bool(few_repetitions, false, "repeat less often what takes long in a simulation");

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Restricts the TESTs to files. A file without TESTs aborts the job.
void select(const std::string& files) {
  std::string filter;
  std::istringstream stream(files);
  for (std::string file; std::getline(stream, file, ',');) {
    const size_t before = filter.size();
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
      const testing::TestSuite& suite = *all.GetTestSuite(s);
      for (int t = 0; t < suite.total_test_count(); ++t) {
        const testing::TestInfo& test = *suite.GetTestInfo(t);
        if (!ends_with(test.file(), "/" + file)) continue;
        filter += std::string(suite.name()) + "." + test.name() + ":";
      }
    }
    GRAPPA_CHECK(filter.size() > before) << "no TEST is in " << file;
  }
  testing::GTEST_FLAG(filter) = filter;
}

/// Prints failures with the core number. Only core 0 prints progress, in the format of GoogleTest.
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

  if (!FLAGS_only.empty()) select(FLAGS_only);
  int status = 0;
  Grappa::run([&status] { status = RUN_ALL_TESTS(); });
  const int finalized = Grappa::finalize();

  if (testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed()) status = 1;
  return status != 0 ? status : finalized;
}
