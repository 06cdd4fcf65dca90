#include "system/failure/failure.hpp"

#include "system/base/compiler.hpp"
#include "system/failure/failure_report.hpp"

#include <Grappa.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace Grappa {

using namespace detail;

namespace {

size_t occurrences(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

GRAPPA_NOINLINE void wait_in_a_function_of_its_own(FullEmpty<int>* cell) {
  cell->readFF();
  asm volatile("");  // no tail call
}

GRAPPA_NOINLINE StackTrace stack_of_a_function_of_its_own() {
  StackTrace stack(kDeepestStack);
  stack.resize(walk_interrupted(nullptr, stack.data(), stack.size()));
  return stack;
}

TEST(StackTrace, NamesTheCallerFirst) {
  const std::string text = symbolised(stack_of_a_function_of_its_own());
  EXPECT_NE(text.find("stack_of_a_function_of_its_own"), std::string::npos) << text;
#ifndef __clang__  // libdw finds no source line of this test if clang++ 14 compiled it
  EXPECT_NE(text.find("waiting_table_test.cpp:"), std::string::npos) << text;
#endif
}

TEST(WaitingTable, GroupsWorkersByWhatTheyWaitFor) {
  FullEmpty<int> cell;
  Mutex mutex;
  mutex.lock();
  CompletionEvent ended(8);
  int started = 0;
  for (int k = 0; k < 5; ++k) {
    spawn([&] {
      ++started;
      wait_in_a_function_of_its_own(&cell);
      ended.complete();
    });
  }
  for (int k = 0; k < 3; ++k) {
    spawn([&] {
      ++started;
      mutex.lock();
      mutex.unlock();
      ended.complete();
    });
  }
  while (started < 8) yield();
  const std::string table = waiting_table({waiting_part()});
  EXPECT_EQ(occurrences(table, "     0        5  the FullEmpty at "), 1u) << table;
  EXPECT_EQ(occurrences(table, "     0        3  the mutex at "), 1u) << table;
#if defined(__x86_64__)
  EXPECT_EQ(occurrences(table, "wait_in_a_function_of_its_own"), 1u) << table;
#endif
  cell.writeXF(1);
  mutex.unlock();
  ended.wait();
}

TEST(WaitingTable, ShowsEachStackOnce) {
  FullEmpty<int> cell;
  CompletionEvent ended(1);
  bool started = false;
  spawn([&] {
    started = true;
    wait_in_a_function_of_its_own(&cell);
    ended.complete();
  });
  while (!started) yield();
  const std::string part = waiting_part();
  const std::string table = waiting_table({part, part});
  EXPECT_EQ(occurrences(table, "     0        1  the FullEmpty at "), 2u) << table;
#if defined(__x86_64__)
  EXPECT_EQ(occurrences(table, "wait_in_a_function_of_its_own"), 1u) << table;
  EXPECT_EQ(occurrences(table, ": same as core 0, for the FullEmpty"), 1u) << table;
#endif
  cell.writeXF(1);
  ended.wait();
}

TEST(WaitingTable, NamesTheCoreThatOwesAnAnswer) {
  static FullEmpty<int> cell;
  if (cores() == 1) return;
  const Core last = static_cast<Core>(cores() - 1);
  CompletionEvent ended(1);
  spawn([&] {
    delegate::call(last, [] { cell.readFE(); });
    ended.complete();
  });
  for (;;) {
    const std::string table = waiting_table({waiting_part()});
    if (table.find("an answer from core " + std::to_string(last)) != std::string::npos) break;
    yield();
  }
  delegate::call(last, [] { cell.writeEF(1); });
  ended.wait();
}

/// Returns the part of the report about a core with one group of workers.
std::string part_of(int core, int completed, bool waits, int number, const std::string& reason) {
  return "{\"core\":" + std::to_string(core) + ",\"completed\":" + std::to_string(completed) +
         ",\"waits\":" + (waits ? "true" : "false") +
         ",\"collective\":\"barrier\",\"groups\":[{\"number\":" + std::to_string(number) +
         ",\"reason\":\"" + reason + "\",\"stack\":[]}]}";
}

TEST(WaitingTable, ReportsACoreWithoutTasks) {
  EXPECT_EQ("  core   number  wait for\n     1        0  nothing: there are no tasks\n",
            waiting_table({part_of(1, 0, false, 0, "nothing: there are no tasks")}));
}

TEST(WaitingTable, DoesNotCutLongLines) {
  const std::string reason = "the other cores in an allreduce of " + std::string(400, 'x');
  EXPECT_EQ("  core   number  wait for\n     1        1  " + reason + "\n     2        1  " +
                reason + "\n",
            waiting_table({part_of(1, 0, false, 1, reason), part_of(2, 0, false, 1, reason)}));
}

TEST(WaitingTable, NamesTheCoresMissingInACollective) {
  const std::string table =
      waiting_table({part_of(0, 5, false, 0, "nothing"), part_of(1, 4, true, 1, "the others"),
                     part_of(2, 4, false, 0, "nothing"), "", part_of(4, 3, false, 0, "nothing")});
  EXPECT_NE(table.find("Missing in barrier, after 4 completed collectives: core 2, 4\n"),
            std::string::npos)
      << table;
}

}  // namespace
}  // namespace Grappa
