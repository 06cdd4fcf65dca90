#include "apps/gups/gups.hpp"

#include "apps/gups/gups_stream.hpp"

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace gups { namespace {

// Creates a table in which each word equals its index. Makes n updates in each mode, and returns
// the words of the table.
std::vector<int64_t> updated(int log_words, const std::vector<Mode>& modes, int64_t n) {
  const Table table = {Grappa::global_alloc<int64_t>(size_t(1) << log_words), log_words};
  Grappa::forall(table.words, table.size(), [](int64_t k, int64_t& word) { word = k; });
  for (const Mode mode : modes) update(table, mode, n);
  std::vector<int64_t> words;
  for (int64_t k = 0; k < table.size(); ++k) {
    words.push_back(Grappa::delegate::read(table.words + k));
  }
  Grappa::global_free(table.words);
  return words;
}

// Computes the same table with a serial loop.
std::vector<int64_t> expected(int log_words, bool flips, int64_t n) {
  std::vector<int64_t> words;
  for (int64_t k = 0; k < int64_t(1) << log_words; ++k) words.push_back(k);
  for (int64_t k = 0; k < n; ++k) {
    int64_t& word = words[word_of(k, log_words)];
    word = flips ? word ^ k : word + 1;
  }
  return words;
}

TEST(Update, AddsOneForEachUpdate) {
  EXPECT_EQ(updated(8, {Mode::Async}, 5000), expected(8, false, 5000));
}

TEST(Update, AddsOneForEachUpdateThatBlocks) {
  EXPECT_EQ(updated(8, {Mode::Blocking}, 5000), expected(8, false, 5000));
}

TEST(Update, FlipsTheBitsOfItsNumber) {
  EXPECT_EQ(updated(8, {Mode::Xor}, 5000), expected(8, true, 5000));
}

TEST(Update, RestoresTheTableAfterFlippingBitsTwice) {
  EXPECT_EQ(updated(8, {Mode::Xor, Mode::Xor}, 5000), expected(8, true, 0));
}

TEST(Update, AcceptsTablesSmallerThanTheNumberOfCores) {
  EXPECT_EQ(updated(1, {Mode::Async}, 1000), expected(1, false, 1000));
}

TEST(Update, AcceptsFewerUpdatesThanCores) {
  EXPECT_EQ(updated(6, {Mode::Blocking}, 1), expected(6, false, 1));
}

std::unique_ptr<Grappa::Progress> begun_long_ago(int64_t n) {
  const Grappa::detail::VirtualClock past(1);
  return std::unique_ptr<Grappa::Progress>(new Grappa::Progress("gups", n, "updates"));
}

TEST(Update, ShowsItsProgress) {
  const Table table = {Grappa::global_alloc<int64_t>(64), 6};
  ::setenv("GRAPPA_TERMINAL", "1", 1);
  testing::internal::CaptureStderr();
  update(table, Mode::Async, 1000, begun_long_ago(1000)->counter());
  ::unsetenv("GRAPPA_TERMINAL");
  const std::string shown = testing::internal::GetCapturedStderr();
  EXPECT_EQ(shown.compare(0, 7, "\rgups: "), 0) << shown;
  Grappa::global_free(table.words);
}

}}  // namespace gups
