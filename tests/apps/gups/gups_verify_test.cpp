#include "apps/gups/gups.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace gups { namespace {

constexpr int kLogWords = 9;
constexpr int64_t kUpdates = 3001;

class NewTable : public Table {
 public:
  explicit NewTable(Mode mode)
      : Table{Grappa::global_alloc<int64_t>(size_t(1) << kLogWords), kLogWords} {
    if (mode == Mode::Xor) {
      number_words(*this);
    } else {
      Grappa::memset(words, 0, size());
    }
    make(mode);
  }
  ~NewTable() { Grappa::global_free(words); }

  void make(Mode mode) { update(*this, mode, kUpdates); }
  int64_t read(int64_t k) { return Grappa::delegate::read(words + k); }
  void write(int64_t k, int64_t value) { Grappa::delegate::write(words + k, value); }
};

TEST(WrongSum, IsEmptyIfEachUpdateWasAppliedOnce) {
  NewTable table(Mode::Async);
  EXPECT_EQ(wrong_sum(table, kUpdates), "");
}

TEST(WrongSum, IsFoundIfAnUpdateIsLost) {
  NewTable table(Mode::Async);
  table.write(77, table.read(77) - 1);
  EXPECT_EQ(wrong_sum(table, kUpdates), "the words of the table add up to 3000 after 3001 updates");
}

TEST(WrongSum, IsFoundIfAnUpdateIsAppliedTwice) {
  NewTable table(Mode::Async);
  table.write(511, table.read(511) + 1);
  EXPECT_NE(wrong_sum(table, kUpdates), "");
}

TEST(WrongExclusiveOr, IsEmptyIfEachUpdateWasAppliedOnce) {
  NewTable table(Mode::Xor);
  EXPECT_EQ(wrong_exclusive_or(table, kUpdates), "");
}

TEST(WrongExclusiveOr, IsFoundIfAnUpdateIsLost) {
  NewTable table(Mode::Xor);
  table.write(77, table.read(77) ^ 1234);
  EXPECT_NE(wrong_exclusive_or(table, kUpdates), "");
}

TEST(WrongNumbers, AreNoneIfAllWordsAreRestored) {
  NewTable table(Mode::Xor);
  table.make(Mode::Xor);
  EXPECT_EQ(wrong_numbers(table), "");
}

TEST(WrongNumbers, AreManyAfterHalfOfTheUpdates) {
  NewTable table(Mode::Xor);
  EXPECT_NE(wrong_numbers(table), "");
}

TEST(WrongNumbers, NameTheFirstWrongWord) {
  NewTable table(Mode::Xor);
  table.make(Mode::Xor);
  table.write(400, 7);
  EXPECT_EQ(
      wrong_numbers(table),
      "1 word is not restored by making each update twice; the first is word 400 with the value 7");
  table.write(78, 9);
  EXPECT_EQ(wrong_numbers(table),
            "2 words are not restored by making each update twice; the first is word 78 with the "
            "value 9");
}

}}  // namespace gups
