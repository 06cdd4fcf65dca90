#include "apps/nqueens/nqueens.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace nqueens { namespace {

int64_t solutions(int n, int task_rows) { return total(count(n, task_rows)).solutions; }

// Counts the solutions. Places the queens column by column, and does not use bit masks.
int64_t solutions_by_hand(int n, std::vector<int>* columns) {
  const int row = int(columns->size());
  if (row == n) return 1;
  int64_t found = 0;
  for (int column = 0; column < n; ++column) {
    bool safe = true;
    for (int above = 0; above < row; ++above) {
      const int distance = column - (*columns)[size_t(above)];
      if (distance == 0 || distance == row - above || distance == above - row) safe = false;
    }
    if (!safe) continue;
    columns->push_back(column);
    found += solutions_by_hand(n, columns);
    columns->pop_back();
  }
  return found;
}

TEST(Count, EqualsASearchWithoutBitMasks) {
  for (int n = 1; n <= 9; ++n) {
    std::vector<int> columns;
    EXPECT_EQ(solutions_by_hand(n, &columns), solutions(n, 2 < n ? 2 : n)) << n << " queens";
  }
}

TEST(Count, DoesNotDependOnTheNumberOfTaskRows) {
  for (int rows = 0; rows <= 8; ++rows) EXPECT_EQ(92, solutions(8, rows)) << rows << " rows";
}

TEST(Count, RunsOneTaskForEachQueenOfTheFirstRows) {
  EXPECT_EQ(1, total(count(6, 0)).tasks);
  EXPECT_EQ(1 + 6, total(count(6, 1)).tasks);
  EXPECT_EQ(1 + 6 + 20, total(count(6, 2)).tasks) << "pairs that do not attack each other";
}

TEST(Count, DoesNotDependOnThePreviousCount) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(2680, solutions(11, 3));
    EXPECT_EQ(1, solutions(1, 1));
    EXPECT_EQ(0, solutions(3, 2));
  }
}

TEST(Total, AddsUpTheSharesOfAllCores) {
  const Share sum = total({{3, 10}, {0, 1}, {4, 5}});
  EXPECT_EQ(7, sum.solutions);
  EXPECT_EQ(16, sum.tasks);
}

}}  // namespace nqueens
