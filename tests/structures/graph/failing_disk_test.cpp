/// Tests of graph files on a failing disk: in each run, another system call fails.

#include "tests/harness/failing_disk.hpp"
#include "tests/structures/graph/csr_files.hpp"

#include <Grappa.hpp>
#include <cerrno>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa { namespace {

// Runs `problem()` once for each system call, which then fails. `problem()` must return a message
// that contains `sentence`, and must not change the free bytes of the global heap.
template <class F>
void expect_refused(int calls, int error, const std::string& sentence, const F& problem) {
  const size_t before = heap_bytes_free();
  int call = 0;
  std::string said;
  while (with_failing(calls, call, error, [&] { said = problem(); })) {
    EXPECT_NE(said.find(sentence), std::string::npos) << "call " << call << ": " << said;
    EXPECT_EQ(heap_bytes_free(), before) << "call " << call;
    ++call;
  }
  EXPECT_EQ(said, "none");
  EXPECT_GT(call, 0);
}

const std::string kFailed = ": Input/output error";

std::string matrix() {
  return "%%MatrixMarket matrix coordinate pattern general\n9 9 4\n1 2\n3 4\n5 6\n7 8\n";
}
std::string records() { return std::string("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0", 16); }

TEST(FailingDisk, IsReportedForAListOfEdges) {
  expect_refused(kOpenCall | kReadCall, EIO, kFailed,
                 [] { return problem_of(".el", "0 1\n2 3\n4 5\n"); });
  expect_refused(kOpenCall | kReadCall, EIO, kFailed, [] { return problem_of(".mtx", matrix()); });
  expect_refused(kOpenCall | kReadCall, EIO, kFailed,
                 [] { return problem_of(".bintsv4", records()); });
}

// Two lists of one neighbour.
std::string gap() {
  return number(0, 1) + number(2, 8) + number(2, 8) + number(0, 8) + number(1, 8) + number(2, 8) +
         number(1, 4) + number(0, 4);
}

TEST(FailingDisk, IsReportedForListsOfOtherPrograms) {
  expect_refused(kOpenCall | kReadCall, EIO, kFailed, [] { return problem_of(".sg", gap()); });
  expect_refused(kReadCall, kFileEnds, "the file ends ", [] { return problem_of(".sg", gap()); });
  expect_refused(kOpenCall | kReadCall, EIO, kFailed,
                 [] { return problem_of(".graph", "3 1\n2\n1\n\n"); });
}

TEST(FailingDisk, IsReportedForACompressedFile) {
  // The line "0 1" in the gzip format.
  const std::string file(
      "\x1f\x8b\x08\0\0\0\0\0\0\x03\x33\x50\x30\xe4\x02\0\xf1\x8f\xaa\xcf\x04\0\0\0", 24);
  expect_refused(kOpenCall | kReadCall, EIO, kFailed, [&] { return problem_of(".el.gz", file); });
  std::string said;
  with_failing(kReadCall, 0, kFileEnds, [&] { said = problem_of(".el.gz", file); });
  EXPECT_NE(said.find("the gzip data are truncated"), std::string::npos) << said;
}

TEST(FailingDisk, IsReportedForATruncatedListOfEdges) {
  const std::string ended = "the file ends ";
  expect_refused(kReadCall, kFileEnds, ended, [] { return problem_of(".bintsv4", records()); });
  // The last read call of a text reader finds the end of the file anyway, so only the first read
  // call fails here.
  for (const char* suffix : {".el", ".mtx"}) {
    std::string said;
    with_failing(kReadCall, 0, kFileEnds, [&] { said = problem_of(suffix, matrix()); });
    EXPECT_NE(said.find(ended), std::string::npos) << said;
  }
}

class SavedOnAFailingDisk : public testing::Test {
 protected:
  SavedOnAFailingDisk() : path_(folder_.file("graph")) {}

  // If any of the calls fails, the old file must be unchanged, and no other file may be left.
  template <class G>
  void expect_old(const std::string& old, G save) {
    expect_refused(kOpenCall | kWriteCall | kCloseCall, EIO, kFailed, [&] {
      std::ofstream(path_, std::ios::binary) << old;
      std::string error;
      if (save(&error)) return std::string("none");
      EXPECT_EQ(error.compare(0, path_.size() + 12, path_ + ": cannot be "), 0) << error;
      EXPECT_EQ(bytes_of(path_), old);
      EXPECT_EQ(folder_.names(), std::vector<std::string>{"graph"});
      return error;
    });
  }

  const Folder folder_;
  const std::string path_;
};

TEST_F(SavedOnAFailingDisk, AListOfEdgesLeavesTheOldFile) {
  const std::vector<EdgeAttributes> attributes(4, {5, 0});
  TupleGraph graph = TupleGraph::from_edges(9, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}, attributes);
  for (const char* format : {"el", "wel", "mm", "packed48", "sg", "wsg", "metis"}) {
    expect_old("old", [&](std::string* error) { return graph.try_save(path_, format, error); });
  }
  graph.destroy();
}

TEST_F(SavedOnAFailingDisk, AGraphLeavesTheOldFile) {
  const auto g = graph_of<Small>(200000, {{0, 1}, {70000, 170000}}, false);
  expect_old("old", [&](std::string* error) { return g->try_save(path_, error); });
  g->destroy();
}

TEST_F(SavedOnAFailingDisk, AGraphIsNotLoaded) {
  const auto g = graph_of<Small>(200000, {{0, 1}, {70000, 170000}}, false);
  g->save(path_);
  g->destroy();
  expect_refused(kOpenCall | kReadCall, EIO, kFailed, [&] { return load_problem<Small>(path_); });
}

TEST_F(SavedOnAFailingDisk, ATruncatedGraphIsNotLoaded) {
  const auto g = graph_of<Small>(200000, {{0, 1}, {70000, 170000}}, false);
  g->save(path_);
  g->destroy();
  // If the first call fails, the header is missing.
  std::string said;
  const auto load = [&] { said = load_problem<Small>(path_); };
  EXPECT_TRUE(with_failing(kReadCall, 0, kFileEnds, load));
  EXPECT_NE(said, "none");
  for (int call = 1; with_failing(kReadCall, call, kFileEnds, load); ++call) {
    EXPECT_NE(said.find("the file was truncated while it was read"), std::string::npos) << said;
  }
  EXPECT_EQ(said, "none");
}

}}  // namespace Grappa
