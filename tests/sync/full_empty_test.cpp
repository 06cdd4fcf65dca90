#include "system/sync/full_empty.hpp"

#include "system/sync/completion_event.hpp"
#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa { namespace {

typedef FullEmpty<int> Cell;
typedef std::vector<std::string> Log;

/// Spawns a task that performs `operation` and logs the result. Returns when the task waits or
/// ends.
void spawn_operation(const std::string& operation, Cell* cell, Log* log, int value = 0) {
  spawn([=] {
    std::string result = operation;
    if (operation == "FF") result += std::to_string(cell->readFF());
    if (operation == "FE") result += std::to_string(cell->readFE());
    if (operation == "wEF") cell->writeEF(value);
    if (operation == "wFF") cell->writeFF(value);
    log->push_back(result);
  });
  settle();
}

TEST(FullEmpty, IsInitiallyEmptyOrHasAValue) {
  Cell none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.full());
  Cell seven(7);
  EXPECT_FALSE(seven.empty());
  EXPECT_TRUE(seven.full());
  EXPECT_EQ(seven.readFF(), 7);
}

TEST(FullEmpty, ReadFFKeepsTheCellFull) {
  Cell cell(7);
  EXPECT_EQ(cell.readFF(), 7);
  EXPECT_TRUE(cell.full());
}

TEST(FullEmpty, ReadFEEmptiesTheCell) {
  Cell cell(7);
  EXPECT_EQ(cell.readFE(), 7);
  EXPECT_TRUE(cell.empty());
}

TEST(FullEmpty, ReadXXChangesNothingAndNeverWaits) {
  Cell cell(7);
  EXPECT_EQ(cell.readXX(), 7);
  EXPECT_TRUE(cell.full());
  cell.readFE();
  EXPECT_EQ(cell.readXX(), 7);
  EXPECT_TRUE(cell.empty());
  EXPECT_EQ(Cell().readXX(), 0);
}

TEST(FullEmpty, WriteEFFillsAnEmptyCell) {
  Cell cell;
  cell.writeEF(7);
  EXPECT_TRUE(cell.full());
  EXPECT_EQ(cell.readFF(), 7);
}

TEST(FullEmpty, WriteFFReplacesTheValueOfAFullCell) {
  Cell cell(7);
  cell.writeFF(8);
  EXPECT_TRUE(cell.full());
  EXPECT_EQ(cell.readFF(), 8);
}

TEST(FullEmpty, WriteXFNeverWaits) {
  Cell cell;
  cell.writeXF(7);
  EXPECT_EQ(cell.readFF(), 7);
  cell.writeXF(8);
  EXPECT_TRUE(cell.full());
  EXPECT_EQ(cell.readFF(), 8);
}

TEST(FullEmpty, ResetEmptiesTheCellAndKeepsTheValueForReadXX) {
  Cell cell(7);
  cell.reset();
  EXPECT_TRUE(cell.empty());
  EXPECT_EQ(cell.readXX(), 7);
  cell.reset();
  EXPECT_TRUE(cell.empty());
}

TEST(FullEmpty, ReadersAndWriteFFWaitForAFullCell) {
  for (const std::string operation : {"FF", "FE", "wFF"}) {
    run_tasks([operation] {
      Cell cell;
      Log log;
      spawn_operation(operation, &cell, &log);
      EXPECT_TRUE(log.empty()) << operation;
      cell.writeEF(7);
      settle();
      EXPECT_EQ(log.size(), 1u) << operation;
      EXPECT_EQ(cell.full(), operation != "FE");
    });
  }
}

TEST(FullEmpty, WriteEFWaitsForAnEmptyCell) {
  run_tasks([] {
    Cell cell(7);
    Log log;
    spawn_operation("wEF", &cell, &log, 8);
    EXPECT_TRUE(log.empty());
    EXPECT_EQ(cell.readFF(), 7);
    EXPECT_EQ(cell.readFE(), 7);
    EXPECT_TRUE(cell.full());  // the waiting writeEF filled it at once
    EXPECT_EQ(cell.readXX(), 8);
    settle();
    EXPECT_EQ(log.size(), 1u);
  });
}

TEST(FullEmpty, OneWriteServesEveryReadFFBeforeTheFirstReadFE) {
  run_tasks([] {
    Cell cell;
    Log log;
    for (const char* operation : {"FF", "FF", "FE", "FF", "FE"}) {
      spawn_operation(operation, &cell, &log);
    }
    cell.writeEF(1);
    EXPECT_TRUE(log.empty());  // a write does not switch
    EXPECT_TRUE(cell.empty());
    settle();
    EXPECT_EQ(log, (Log{"FF1", "FF1", "FE1"}));
    cell.writeEF(2);
    settle();
    EXPECT_EQ(log, (Log{"FF1", "FF1", "FE1", "FF2", "FE2"}));
    EXPECT_TRUE(cell.empty());
  });
}

TEST(FullEmpty, AReadFETakesTheValueFromAReadFFBehindIt) {
  run_tasks([] {
    Cell cell;
    Log log;
    spawn_operation("FE", &cell, &log);
    spawn_operation("FF", &cell, &log);
    cell.writeXF(1);
    settle();
    EXPECT_EQ(log, (Log{"FE1"}));
    cell.writeXF(2);
    settle();
    EXPECT_EQ(log, (Log{"FE1", "FF2"}));
  });
}

TEST(FullEmpty, AWaitingWriteFFReplacesTheValueForLaterReaders) {
  run_tasks([] {
    Cell cell;
    Log log;
    spawn_operation("FF", &cell, &log);
    spawn_operation("wFF", &cell, &log, 2);
    spawn_operation("FF", &cell, &log);
    cell.writeEF(1);
    settle();
    EXPECT_EQ(log, (Log{"FF1", "wFF", "FF2"}));
    EXPECT_EQ(cell.readFE(), 2);
  });
}

TEST(FullEmpty, WaitingWritesFollowEachOtherInOrderOfArrival) {
  run_tasks([] {
    Cell cell(0);
    Log log;
    for (int value = 1; value <= 3; ++value) spawn_operation("wEF", &cell, &log, value);
    for (int value = 0; value <= 3; ++value) EXPECT_EQ(cell.readFE(), value);
    EXPECT_TRUE(cell.empty());
    EXPECT_TRUE(log.empty());  // a read does not switch
    settle();
    EXPECT_EQ(log.size(), 3u);
  });
}

TEST(FullEmpty, ResetLetsAWaitingWriteFillTheCell) {
  run_tasks([] {
    Cell cell(1);
    Log log;
    spawn_operation("wEF", &cell, &log, 2);
    cell.reset();
    EXPECT_EQ(cell.readFF(), 2);
    settle();
    EXPECT_EQ(log.size(), 1u);
  });
}

TEST(FullEmpty, WriteXFOfAFullCellServesNoWaitingWriteEF) {
  run_tasks([] {
    Cell cell(1);
    Log log;
    spawn_operation("wEF", &cell, &log, 3);
    cell.writeXF(2);
    settle();
    EXPECT_TRUE(log.empty());
    EXPECT_EQ(cell.readFE(), 2);
    EXPECT_EQ(cell.readFE(), 3);
    settle();
  });
}

TEST(FullEmpty, ANewTaskCannotTakeTheValueOfAWokenTask) {
  run_tasks([] {
    Cell cell;
    Log log;
    spawn_operation("FE", &cell, &log);
    cell.writeEF(1);
    EXPECT_TRUE(cell.empty());
    cell.writeEF(2);  // this write is before the woken task runs
    EXPECT_EQ(cell.readFE(), 2);
    settle();
    EXPECT_EQ(log, (Log{"FE1"}));
  });
}

TEST(FullEmpty, PassesEveryValueExactlyOnce) {
  constexpr int kValues = 500, kTasks = 4;
  std::vector<int> taken(kValues * kTasks, 0);
  run_tasks([&taken] {
    Cell cell;
    CompletionEvent ended;
    for (int task = 0; task < kTasks; ++task) {
      spawn(&ended, [&, task] {
        for (int k = 0; k < kValues; ++k) cell.writeEF(task * kValues + k);
      });
      spawn(&ended, [&] {
        for (int k = 0; k < kValues; ++k) ++taken[static_cast<size_t>(cell.readFE())];
      });
    }
    ended.wait();
    EXPECT_TRUE(cell.empty());
  });
  for (int times : taken) EXPECT_EQ(times, 1);
}

TEST(FullEmpty, HoldsNonTrivialValues) {
  const std::string one(100, '1'), two(100, '2'), three(100, '3');
  run_tasks([&] {
    FullEmpty<std::string> cell;
    CompletionEvent ended;
    for (int k = 0; k < 3; ++k) spawn(&ended, [&] { EXPECT_EQ(cell.readFF(), one); });
    spawn(&ended, [&] { EXPECT_EQ(cell.readFE(), one); });
    spawn(&ended, [&] { EXPECT_EQ(cell.readFE(), two); });
    settle();
    cell.writeEF(one);
    cell.writeEF(two);
    ended.wait();
    cell.writeEF(two);
    spawn(&ended, [&] { cell.writeEF(three); });
    settle();
    EXPECT_EQ(cell.readFE(), two);
    cell.writeFF(one);
    EXPECT_EQ(cell.readXX(), one);
    ended.wait();
  });
}

/// Counts its instances.
struct Counted {
  static int alive;

  Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
};

int Counted::alive = 0;

TEST(FullEmpty, DestroysEveryCopyOfAValue) {
  run_tasks([] {
    FullEmpty<Counted> cell;
    CompletionEvent ended;
    for (int k = 0; k < 3; ++k) spawn(&ended, [&cell] { cell.readFF(); });
    spawn(&ended, [&cell] { cell.readFE(); });
    spawn(&ended, [&cell] { cell.readFE(); });
    settle();
    cell.writeEF(Counted());
    cell.writeEF(Counted());
    cell.writeEF(Counted());
    spawn(&ended, [&cell] { cell.writeEF(Counted()); });
    settle();
    cell.readFE();
    ended.wait();
    EXPECT_EQ(Counted::alive, 1);
  });
  EXPECT_EQ(Counted::alive, 0);
}

TEST(FullEmpty, HoldsTypesWithoutADefaultConstructor) {
  struct Number {
    explicit Number(int n) : value(n) {}
    int value;
  };
  run_tasks([] {
    FullEmpty<Number> cell(Number(1));
    cell.reset();
    spawn([&cell] { cell.writeEF(Number(2)); });
    EXPECT_EQ(cell.readFE().value, 2);
  });
}

TEST(FullEmpty, HoldsTypesThatAreAlignedToCacheLines) {
  struct alignas(64) Line {
    int64_t words[8];
  };
  run_tasks([] {
    FullEmpty<Line> cell;
    CompletionEvent ended;
    spawn(&ended, [&cell] {
      const Line line = cell.readFE();
      EXPECT_EQ(reinterpret_cast<uintptr_t>(&line) % 64, 0u);
      EXPECT_EQ(line.words[7], 8);
    });
    settle();
    cell.writeEF(Line{{1, 2, 3, 4, 5, 6, 7, 8}});
    ended.wait();
  });
}

TEST(FullEmpty, ACellOfAWordFitsTheBlocksOfTheGlobalHeap) {
  EXPECT_EQ(sizeof(FullEmpty<char>), 16u);
  EXPECT_EQ(sizeof(FullEmpty<int>), 16u);
  EXPECT_EQ(sizeof(FullEmpty<int64_t>), 32u);
}

TEST(FullEmpty, FreeFunctionsTakeReferencesAndPointers) {
  FullEmpty<int64_t> cell;
  writeEF(cell, 1);
  EXPECT_EQ(readFF(cell), 1);
  EXPECT_EQ(readFE(cell), 1);
  EXPECT_TRUE(empty(cell));
  writeEF(&cell, 2);
  EXPECT_EQ(readFF(&cell), 2);
  EXPECT_EQ(readFE(&cell), 2);
  EXPECT_TRUE(empty(&cell));
  writeXF(cell, 3);
  writeFF(cell, 4);
  EXPECT_EQ(readXX(cell), 4);
  EXPECT_TRUE(full(cell));
  reset(cell);
  EXPECT_FALSE(full(&cell));
  writeXF(&cell, 5);
  writeFF(&cell, 6);
  EXPECT_EQ(readXX(&cell), 6);
  reset(&cell);
  EXPECT_TRUE(empty(cell));
}

}}  // namespace Grappa
