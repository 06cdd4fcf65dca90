#include "structures/text/line_writer.hpp"

#include "tests/structures/graph/graph_files.hpp"
#include "tests/structures/text/text_files.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace Grappa { namespace {

std::string line_of(int64_t i) { return std::to_string(i) + std::string(size_t(i % 100), '-'); }

void write_some(const std::string& path, int64_t n) {
  LineWriter out(path);
  const LineWriter::Lines lines = out.lines();
  forall(0, n, [lines](int64_t i) { lines.write(line_of(i)); });
  out.close();
}

// The lines of each core have more than the buffer.
TEST(LineWriter, WritesEachLineOnce) {
  const Folder folder;
  const std::string path = folder.file("out");
  for (const int64_t n : {0, 1, 100, 100000}) {
    write_some(path, n);
    std::vector<std::string> expected, lines;
    for (int64_t i = 0; i < n; ++i) expected.push_back(line_of(i));
    std::istringstream text(bytes_of(path));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(lines == expected) << n;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"out"}) << "a temporary file is left";
  }
}

// The iterations need several rounds.
TEST(WriteLines, KeepsTheOrderOfTheIterations) {
  const Folder folder;
  const std::string path = folder.file("out");
  for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{63}, int64_t{65}, int64_t{200000}}) {
    std::string expected;
    for (int64_t i = 0; i < n; ++i) expected += i % 3 == 0 ? "" : std::to_string(i) + "\n\n";
    write_lines(path, n, [](int64_t i, std::string* text) {
      if (i % 1000 == 1) yield();
      if (i % 3 != 0) *text += std::to_string(i) + "\n\n";
    });
    EXPECT_TRUE(bytes_of(path) == expected) << n;
  }
}

TEST(WriteLines, MayReadFromOtherCores) {
  const Folder folder;
  const int64_t n = 1000;
  const auto squares = global_alloc<int64_t>(n);
  forall(squares, n, [](int64_t i, int64_t& square) { square = i * i; });
  write_lines(folder.file("out"), n, [squares](int64_t i, std::string* text) {
    *text += std::to_string(delegate::read(squares + i)) + "\n";
  });
  std::string expected;
  for (int64_t i = 0; i < n; ++i) expected += std::to_string(i * i) + "\n";
  EXPECT_EQ(bytes_of(folder.file("out")), expected);
  global_free(squares);
}

// The limit simulates a full disk.
TEST(LineWriter, KeepsTheOldFileIfTheDiskIsFull) {
  const Folder folder;
  const std::string path = folder.file("out");
  std::ofstream(path) << "old\n";
  const auto in_order = [&path] {
    write_lines(path, 30000, [](int64_t i, std::string* text) { *text += line_of(i) + "\n"; });
  };
  limit_files(100000);
  const std::string unordered = complaint([&] { write_some(path, 30000); });
  const std::string ordered = complaint(in_order);
  limit_files(RLIM_INFINITY);
  for (const std::string& message : {unordered, ordered}) {
    EXPECT_EQ(message.find(path + ": cannot be written on core "), 0u) << message;
    EXPECT_NE(message.find(": File too large"), std::string::npos) << message;
  }
  EXPECT_EQ(bytes_of(path), "old\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"out"});
}

// input_error() ends the process, so no destructor runs afterwards.
TEST(LineWriter, RemovesTheTemporaryFileBeforeItReportsAnError) {
  const Folder folder;
  static std::vector<std::string> names;
  static const Folder* watched = nullptr;
  watched = &folder;
  const auto before = detail::input_error_hook;
  detail::input_error_hook = [](const char* line) {
    names = watched->names();
    throw std::runtime_error(line);
  };
  limit_files(1000);
  EXPECT_THROW(write_some(folder.file("out"), 3000), std::runtime_error);
  limit_files(RLIM_INFINITY);
  detail::input_error_hook = before;
  EXPECT_EQ(names, std::vector<std::string>{});
}

int64_t iterations_here = 0;

TEST(WriteLines, StopsAfterAFailedWrite) {
  const Folder folder;
  on_all_cores([] { iterations_here = 0; });
  const int64_t round = detail::kLinesPerRound * cores();
  limit_files(1000);
  complaint([&] {
    write_lines(folder.file("out"), 3 * round, [](int64_t, std::string* text) {
      ++iterations_here;
      *text += "a line\n";
    });
  });
  limit_files(RLIM_INFINITY);
  EXPECT_EQ(sum_all_cores([] { return iterations_here; }), round);
}

TEST(LineWriter, RefusesPathsThatCannotBeReplaced) {
  const Folder folder;
  EXPECT_EQ(complaint([&] { write_some(folder.path(), 1); }),
            folder.path() + ": is a directory, which a file cannot replace");
  EXPECT_EQ(complaint([&] { write_some(folder.file("no/file"), 1); }),
            folder.file("no/file") + ": cannot be written: No such file or directory");
}

}}  // namespace Grappa
