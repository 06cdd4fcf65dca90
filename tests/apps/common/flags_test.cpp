#include "apps/common/flags.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

DEFINE_int64(some, 4, "a flag of this test");

namespace apps { namespace {

const testing::ExitedWithCode kRefused(2);

// A file that the destructor removes.
struct ScratchFile {
  const std::string path = testing::TempDir() + "grappa_flags_test";

  explicit ScratchFile(const std::string& text) { std::ofstream(path.c_str()) << text; }
  ~ScratchFile() { std::remove(path.c_str()); }

  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path.c_str()).rdbuf();
    return text.str();
  }
};

TEST(IsGiven, IsTrueIfTheFlagIsSetToItsDefault) {
  EXPECT_FALSE(is_given("some"));
  gflags::SetCommandLineOption("some", "4");
  EXPECT_TRUE(is_given("some"));
}

TEST(CheckRange, AcceptsBothEnds) {
  check_range("some", int64_t(1), 1, 40);
  check_range("some", int64_t(40), 1, 40);
  check_range("some", 0.0, 0, 1);
  check_range("some", 1.0, 0, 1);
}

TEST(CheckRangeDeathTest, RejectsValuesOutOfRange) {
  EXPECT_EXIT(check_range("some", int64_t(0), 1, 40), kRefused,
              "--some=0 is out of range; give 1 to 40\n$");
  EXPECT_EXIT(check_range("some", int64_t(41), 1, 40), kRefused, "--some=41 is out of range");
  EXPECT_EXIT(check_range("some", 1.5, 0, 1), kRefused, "--some=1.5 is out of range; give 0 to 1");
  EXPECT_EXIT(check_range("some", -0.5, 0, 1), kRefused, "--some=-0.5 is out of range");
}

TEST(CheckRangeDeathTest, RejectsNotANumber) {
  EXPECT_EXIT(check_range("some", std::nan(""), 0, 1), kRefused, "--some=nan is out of range");
}

TEST(CheckNoSurplus, AcceptsTheProgramNameAlone) {
  char program[] = "program";
  char* argv[] = {program, nullptr};
  check_no_surplus(1, argv);
}

TEST(CheckNoSurplusDeathTest, NamesTheFirstArgumentLeft) {
  char program[] = "program";
  char first[] = "first\n";
  char second[] = "second";
  char* argv[] = {program, first, second, nullptr};
  EXPECT_EXIT(check_no_surplus(3, argv), kRefused,
              "\"first\\\\x0a\" is not a flag; --help lists all flags");
}

TEST(CheckWritable, KeepsTheContentsOfTheFile) {
  const ScratchFile file("kept");
  check_writable("some", file.path);
  EXPECT_EQ(file.text(), "kept");
}

TEST(CheckWritableDeathTest, NamesFlagAndFileAndReason) {
  EXPECT_EXIT(check_writable("some", "/nowhere/at\n/all"), kRefused,
              "--some=/nowhere/at\\\\x0a/all cannot be written: No such file or directory");
}

TEST(WriteFile, ReplacesTheContentsOfTheFile) {
  const ScratchFile file("a long text that was there before");
  write_file("some", file.path, "short\n");
  EXPECT_EQ(file.text(), "short\n");
}

TEST(WriteFileDeathTest, RejectsADirectory) {
  EXPECT_EXIT(write_file("some", "/", "text"), kRefused, "--some=/ cannot be written: Is a dir");
}

}}  // namespace apps
