#include "system/runtime/flags.hpp"

#include <cstdio>
#include <fstream>
#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

DEFINE_int64(test_number, 1, "a number");
DEFINE_bool(test_switch, false, "a switch");
DEFINE_string(test_text, "", "a text");

namespace {

struct Outcome {
  std::string error;
  std::vector<std::string> rest;
};

Outcome parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(&argument[0]);
  pointers.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  char** argv = pointers.data();
  Outcome outcome;
  outcome.error = Grappa::detail::parse_flags(&argc, &argv);
  for (int k = 1; k < argc; ++k) outcome.rest.push_back(argv[k]);
  return outcome;
}

class Flags : public testing::Test {
  gflags::FlagSaver saver_;
};

TEST_F(Flags, AreAcceptedInAllCommonForms) {
  EXPECT_EQ("", parse({"--test_number=2"}).error);
  EXPECT_EQ(2, FLAGS_test_number);
  const Outcome separate = parse({"-test_number", "3"});
  EXPECT_EQ("", separate.error);
  EXPECT_TRUE(separate.rest.empty()) << "the value of a flag is no argument of the program";
  EXPECT_EQ(3, FLAGS_test_number);
  EXPECT_EQ("", parse({"--test_switch", "--test_text=a=b"}).error);
  EXPECT_TRUE(FLAGS_test_switch);
  EXPECT_EQ("a=b", FLAGS_test_text);
  EXPECT_EQ("", parse({"--notest_switch"}).error);
  EXPECT_FALSE(FLAGS_test_switch);
}

TEST_F(Flags, KeepOtherArgumentsInArgv) {
  const Outcome outcome = parse({"one", "--test_number=2", "-", "two", "--", "--three"});
  EXPECT_EQ("", outcome.error);
  EXPECT_EQ((std::vector<std::string>{"one", "-", "two", "--three"}), outcome.rest);
}

TEST_F(Flags, ThatAreUnknownAreReported) {
  EXPECT_NE(std::string::npos, parse({"--test_nunber=2"}).error.find("--test_nunber"));
  EXPECT_NE("", parse({"--notest_number"}).error) << "only booleans have a negation";
}

TEST_F(Flags, WithInvalidValuesAreReportedWithTheValue) {
  const std::string error = parse({"--test_number=12x"}).error;
  EXPECT_NE(std::string::npos, error.find("test_number"));
  EXPECT_NE(std::string::npos, error.find("12x"));
  EXPECT_EQ(std::string::npos, error.find('\n')) << "one line";
}

TEST_F(Flags, WithoutAValueAreReported) {
  EXPECT_NE(std::string::npos, parse({"--test_number"}).error.find("needs a value"));
}

TEST_F(Flags, AreReadFromAFlagFile) {
  const std::string error = parse({"--flagfile=/nowhere/flags"}).error;
  EXPECT_NE(std::string::npos, error.find("/nowhere/flags")) << error;
  const std::string advice = "; give a text file with one flag per line";
  EXPECT_EQ("flag --flagfile: \"/\" is a directory" + advice, parse({"--flagfile=/"}).error);
  EXPECT_EQ("flag --flagfile: \"/dev/zero\" is not a regular file" + advice,
            parse({"--flagfile=/dev/zero"}).error);
  const std::string fifo =
      testing::TempDir() + "grappa_flags_test_fifo." + std::to_string(::getpid());
  ASSERT_EQ(0, ::mkfifo(fifo.c_str(), 0600));
  EXPECT_EQ("flag --flagfile: \"" + fifo + "\" is not a regular file" + advice,
            parse({"--flagfile=" + fifo}).error);
  std::remove(fifo.c_str());

  const std::string path = testing::TempDir() + "grappa_flags_test." + std::to_string(::getpid());
  const auto parse_lines = [&path](const std::string& lines) {
    std::ofstream(path) << lines;
    return parse({"--flagfile=" + path}).error;
  };
  EXPECT_EQ("", parse_lines("# a remark\n\n--test_number=4\n  -notest_switch \n--test_text=a b"));
  EXPECT_EQ(4, FLAGS_test_number);
  EXPECT_EQ("a b", FLAGS_test_text);
  EXPECT_EQ(path + ":2: unknown flag --test_nunber; --help lists the flags",
            parse_lines("--test_number=5\n--test_nunber=5\n"));
  EXPECT_EQ(path + ":1: flag --test_number: invalid value \"12x\", expected int64",
            parse_lines("--test_number=12x\n"));
  EXPECT_EQ(path + ":1: \"test_number=5\" is not a flag", parse_lines("test_number=5\n"));
  EXPECT_NE("", parse_lines("--flagfile=" + path)) << "a file that includes itself";
  std::remove(path.c_str());
}

TEST_F(Flags, OfGflagsWithoutEffectAreUnknown) {
  for (const char* flag : {"--version", "--helpxml", "--fromenv=test_number", "--undefok=x"}) {
    EXPECT_NE(std::string::npos, parse({flag}).error.find("unknown flag --")) << flag;
  }
}

TEST_F(Flags, OutOfRangeAreReportedWithTheRange) {
  for (const char* bad : {"--num_workers=0", "--stack_bytes=100", "--buffer_bytes=1000",
                          "--buffers_per_core=-1", "--cores_per_locale=-2", "--trace_interval_ms=0",
                          "--trace_events=0", "--trace_min_ns=-1"}) {
    gflags::FlagSaver saver;
    ASSERT_EQ("", parse({bad}).error);
    std::string error;
    Grappa::detail::options_from_flags(&error);
    EXPECT_NE(std::string::npos, error.find(std::string(bad).substr(2, 5))) << error;
  }
}

TEST_F(Flags, ThatNeedMoreThanTheMemoryOfACoreAreReported) {
  const uint64_t core_bytes = uint64_t{1} << 30;
  for (const char* bad :
       {"--num_workers=1048576", "--buffers_per_core=20000", "--trace_events=200000000"}) {
    gflags::FlagSaver saver;
    ASSERT_EQ("", parse({"--trace=file", bad}).error);
    std::string error;
    const Grappa::detail::RuntimeOptions options = Grappa::detail::options_from_flags(&error);
    ASSERT_EQ("", error);
    const std::string name = std::string(bad).substr(0, std::string(bad).find('='));
    const std::string problem = Grappa::detail::sizes_problem(options, core_bytes);
    EXPECT_EQ(0u, problem.find("flag " + name + ": ")) << problem;
    EXPECT_EQ("", Grappa::detail::sizes_problem(options, 100 * core_bytes));
  }
}

TEST_F(Flags, HaveOldNames) {
  ASSERT_EQ("", parse({"--metrics_json=counters", "--trace_file", "curves"}).error);
  std::string error;
  const Grappa::detail::ReportOptions options = Grappa::detail::options_from_flags(&error).report;
  EXPECT_EQ("counters", options.report_json);
  EXPECT_EQ("curves", options.trace);
}

TEST_F(Flags, AreRejectedUnderTwoNames) {
  const std::string rest = " are the same flag: give one of them";
  EXPECT_EQ("flags --trace_file and --trace" + rest, parse({"--trace_file=a", "--trace=b"}).error);
  EXPECT_EQ("flags --report_json and --metrics_json" + rest,
            parse({"--report_json=a", "--metrics_json=b"}).error);
  EXPECT_EQ("", parse({"--trace=a", "--trace=b"}).error);
}

TEST_F(Flags, SetTheOptionsOfTheModules) {
  ASSERT_EQ("", parse({"--num_workers=7",        "--stack_bytes=65536",
                       "--poll_interval_us=8",   "--buffer_bytes=32768",
                       "--buffers_per_core=3",   "--ring_entries=5",
                       "--cores_per_locale=2",   "--flush_age_us=11",
                       "--routing=two_hop",      "--heap_bytes=1048576",
                       "--loop_threshold=9",     "--nosteal",
                       "--deadlock_check_ms=13", "--report",
                       "--report_json=report",   "--trace=trace",
                       "--trace_events=17",      "--trace_min_ns=19",
                       "--trace_switches",       "--trace_interval_ms=23"})
                    .error);
  std::string error;
  const Grappa::detail::RuntimeOptions options = Grappa::detail::options_from_flags(&error);
  EXPECT_EQ("", error);
  EXPECT_EQ(7, options.tasking.num_workers);
  EXPECT_EQ(65536u, options.tasking.stack_bytes);
  EXPECT_EQ(8000, options.tasking.poll_interval_ns);
  EXPECT_EQ(32768u, options.net.buffer_bytes);
  EXPECT_EQ(3, options.net.buffers_per_core);
  EXPECT_EQ(5, options.net.ring_entries);
  EXPECT_EQ(2, options.net.cores_per_locale);
  EXPECT_EQ(11, options.message.flush_age_us);
  EXPECT_EQ(Grappa::detail::Routing::TwoHop, options.message.routing);
  EXPECT_EQ(1048576u, options.global.heap_bytes);
  EXPECT_EQ(9, options.parallel.loop_threshold);
  EXPECT_FALSE(options.parallel.steal);
  EXPECT_EQ(13, options.deadlock_check_ms);
  EXPECT_TRUE(options.report.page);
  EXPECT_EQ("report", options.report.report_json);
  EXPECT_EQ("trace", options.report.trace);
  EXPECT_EQ(17, options.report.trace_events);
  EXPECT_EQ(19, options.report.trace_min_ns);
  EXPECT_TRUE(options.report.trace_switches);
  EXPECT_EQ(23, options.report.trace_interval_ms);
}

}  // namespace
