/// Compares FullEmpty with a reference implementation, by random operations of many tasks.

#include "system/sync/full_empty.hpp"

#include "system/sync/completion_event.hpp"
#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace Grappa { namespace {

typedef FullEmpty<int> Cell;

enum class Kind { ReadFF, ReadFE, ReadXX, WriteEF, WriteFF, WriteXF, Reset };

/// The reference implementation. The oldest pending operation that the state allows takes effect.
/// This is repeated until the state allows no pending operation.
struct Word {
  struct Operation {
    int id;
    Kind kind;
    int value;
  };

  bool allows(Kind kind) const {
    switch (kind) {
      case Kind::ReadFF:
      case Kind::ReadFE:
      case Kind::WriteFF: return full;
      case Kind::WriteEF: return !full;
      default: return true;
    }
  }

  void arrive(const Operation& operation) {
    waiting.push_back(operation);
    for (;;) {
      const auto next = std::find_if(waiting.begin(), waiting.end(),
                                     [this](const Operation& o) { return allows(o.kind); });
      if (next == waiting.end()) return;
      if (next->kind >= Kind::WriteEF && next->kind <= Kind::WriteXF) value = next->value;
      results[next->id] = value;
      if (next->kind == Kind::ReadFE || next->kind == Kind::Reset) full = false;
      if (next->kind == Kind::WriteEF || next->kind == Kind::WriteXF) full = true;
      if (next->id != operation.id) woken.push_back(next->id);
      waiting.erase(next);
    }
  }

  bool full = false;
  int value = 0;
  std::vector<Operation> waiting;
  std::map<int, int> results;  // the value after each completed operation
  std::vector<int> woken;      // operations that waited, in the order of their effects
};

/// Returns the value read by `operation`, or the value after the operation.
int perform(const Word::Operation& operation, Cell* cell) {
  switch (operation.kind) {
    case Kind::ReadFF: return cell->readFF();
    case Kind::ReadFE: return cell->readFE();
    case Kind::ReadXX: return cell->readXX();
    case Kind::WriteEF: cell->writeEF(operation.value); return operation.value;
    case Kind::WriteFF: cell->writeFF(operation.value); return operation.value;
    case Kind::WriteXF: cell->writeXF(operation.value); return operation.value;
    case Kind::Reset: break;
  }
  const int before = cell->readXX();
  cell->reset();
  return before;
}

void compare_with_word(unsigned seed) {
  std::mt19937 random(seed);
  // Each kind has a random weight, so every mixture of waiters occurs in some run.
  std::vector<Kind> kinds;
  for (int kind = 0; kind <= static_cast<int>(Kind::Reset); ++kind) {
    kinds.insert(kinds.end(), random() % 5, static_cast<Kind>(kind));
  }
  kinds.push_back(Kind::WriteEF);
  Word word;
  Cell cell;
  int operations = 0;
  std::vector<int> woken;
  const auto both = [&](Kind kind) {
    const int id = operations++;
    const Word::Operation operation = {id, kind, id + 1};
    word.arrive(operation);
    const bool at_once = word.results.count(id) != 0;
    const int result = perform(operation, &cell);
    if (at_once) {
      ASSERT_EQ(operations, id + 1) << "the operation waited, but should take effect at once";
    } else {
      woken.push_back(id);
    }
    ASSERT_EQ(word.results.count(id), 1u) << "the operation took effect too early";
    ASSERT_EQ(word.results[id], result);
    ASSERT_EQ(word.full, cell.full());
    ASSERT_EQ(word.value, cell.readXX());
  };
  CompletionEvent ended;
  for (int task = 0; task < 12; ++task) {
    spawn(&ended, [&] {
      for (int k = 0; k < 30 && !testing::Test::HasFatalFailure(); ++k) {
        both(kinds[random() % kinds.size()]);
        if (random() % 3 == 0) yield();
      }
    });
  }
  for (settle(); ended.get_count() > 0; settle()) {
    EXPECT_EQ(static_cast<int64_t>(word.waiting.size()), ended.get_count()) << "waiting tasks";
    both(word.full ? Kind::Reset : Kind::WriteXF);
  }
  EXPECT_EQ(word.woken, woken);
}

TEST(FullEmptyModel, ServesRandomOperationsInTheSpecifiedOrder) {
  run_tasks([] {
    const unsigned first = std::random_device()() % 1000000;
    for (unsigned seed = first; seed < first + 300 && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      compare_with_word(seed);
    }
  });
}

}}  // namespace Grappa
