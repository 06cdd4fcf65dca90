/// Compares the checker with an independent checker, which tries every order of the operations on
/// standard containers.

#include "tests/harness/random_seed.hpp"
#include "tests/structures/linearizable.hpp"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace linearizability { namespace {

/// A container for each of the four structures. A history uses one of the containers.
struct Model {
  std::deque<int64_t> values;
  std::map<int64_t, int64_t> entries;
};

/// Performs the operation on the specified structure and returns it with its result.
Operation perform(const Specification& what, Operation operation, Model* model) {
  const auto entry = model->entries.find(operation.key);
  const bool in = entry != model->entries.end();
  operation.result = 0;
  operation.yes = in;
  switch (operation.kind) {
    case Kind::Push:
      model->values.push_back(operation.value);
      operation.yes = false;
      break;
    case Kind::TryPop:
      operation.yes = !model->values.empty();
      if (!operation.yes) break;
      operation.result = &what == &kStack ? model->values.back() : model->values.front();
      if (&what == &kStack) {
        model->values.pop_back();
      } else {
        model->values.pop_front();
      }
      break;
    case Kind::Size:
      operation.yes = false;
      operation.result = static_cast<int64_t>(model->values.size() + model->entries.size());
      break;
    case Kind::Insert:
      model->entries[operation.key] = operation.value;
      operation.yes = !in;
      break;
    case Kind::Lookup: operation.result = in ? entry->second : 0; break;
    case Kind::Contains: break;
    case Kind::Visit:
      if (in) entry->second += operation.value;
      break;
    case Kind::Combine:
      model->entries[operation.key] += operation.value;
      operation.yes = !in;
      break;
    case Kind::Update:
      operation.yes = false;
      if (in) operation.result = entry->second;
      model->entries[operation.key] = operation.value;
      break;
    case Kind::Erase: model->entries.erase(operation.key); break;
  }
  return operation;
}

/// True if the operations that are not in `done` have an order in which they give their results. If
/// operation a returned before operation b was called, a must precede b in this order.
bool some_order_explains(const Specification& what, const History& history, const Model& before,
                         std::vector<bool>* done) {
  bool all_done = true;
  for (size_t k = 0; k < history.size(); ++k) {
    if ((*done)[k]) continue;
    all_done = false;
    bool too_early = false;
    for (size_t other = 0; other < history.size(); ++other) {
      too_early |= !(*done)[other] && history[other].returned < history[k].invoked;
    }
    Model model = before;
    const Operation real = perform(what, history[k], &model);
    if (too_early || real.yes != history[k].yes || real.result != history[k].result) continue;
    (*done)[k] = true;
    const bool explained = some_order_explains(what, history, model, done);
    (*done)[k] = false;
    if (explained) return true;
  }
  return all_done;
}

bool some_order_explains(const Specification& what, const History& history) {
  std::vector<bool> done(history.size());
  return some_order_explains(what, history, Model(), &done);
}

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(engine_); }

 private:
  std::mt19937_64 engine_;
};

Operation some_operation(const Specification& what, int64_t value, bool with_size, Random* random) {
  Operation operation = {};
  if (with_size && random->below(8) == 0) {
    operation.kind = Kind::Size;
  } else if (!what.keyed) {
    operation.kind = random->below(2) == 0 ? Kind::Push : Kind::TryPop;
    if (operation.kind == Kind::Push) operation.value = value;
  } else {
    const Kind kinds[] = {Kind::Insert, Kind::Lookup, Kind::Erase,  Kind::Contains,
                          Kind::Update, Kind::Visit,  Kind::Combine};
    const int64_t number = random->below(&what == &kMap ? 7 : 4);
    operation.kind = kinds[number];
    operation.key = random->below(2);
    const bool puts = number == 0 || number > 3;
    if (&what == &kMap && puts) operation.value = value;
  }
  return operation;
}

/// Returns a linearizable history of `tasks` tasks. The calls of a task do not overlap. Each call
/// takes effect at an instant between the call and its return.
History good_history(const Specification& what, int64_t tasks, size_t length, Random* random) {
  History history;
  std::vector<uint64_t> free_from(static_cast<size_t>(tasks));
  std::vector<uint64_t> effect;
  const bool with_size = random->below(2) == 0;
  for (size_t k = 0; k < length; ++k) {
    const size_t task = static_cast<size_t>(random->below(tasks));
    Operation operation = some_operation(what, static_cast<int64_t>(k) + 1, with_size, random);
    operation.task = static_cast<int>(task);
    operation.invoked = free_from[task] + static_cast<uint64_t>(random->below(10));
    effect.push_back(operation.invoked + static_cast<uint64_t>(random->below(10)));
    operation.returned = effect.back() + static_cast<uint64_t>(random->below(10));
    free_from[task] = operation.returned + 1;
    history.push_back(operation);
  }
  std::vector<size_t> order(length);
  for (size_t k = 0; k < length; ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return effect[a] < effect[b]; });
  Model model;
  for (const size_t k : order) history[k] = perform(what, history[k], &model);
  return history;
}

/// Changes the result of one operation, or its time.
void disturb(const Specification& what, History* history, Random* random) {
  Operation& one = (*history)[static_cast<size_t>(random->below(int64_t(history->size())))];
  Operation& other = (*history)[static_cast<size_t>(random->below(int64_t(history->size())))];
  switch (random->below(3)) {
    case 0:
      if (one.kind != other.kind) return;
      std::swap(one.result, other.result);
      return std::swap(one.yes, other.yes);
    case 1:
      if (one.kind == Kind::Push || one.kind == Kind::Size || one.kind == Kind::Update) return;
      one.yes = !one.yes;
      if (!one.yes) one.result = 0;
      return;
    default:
      if (what.keyed && one.key != other.key) return;
      std::swap(one.invoked, other.invoked);
      return std::swap(one.returned, other.returned);
  }
}

class RandomHistories : public testing::TestWithParam<const Specification*> {
 protected:
  RandomHistories() : seed_(random_seed()), random_(seed_) {
    RecordProperty("seed", std::to_string(seed_));
  }

  const Specification& what() const { return *GetParam(); }
  std::string seed() const { return "seed " + std::to_string(seed_); }

  const uint64_t seed_;
  Random random_;
};

TEST_P(RandomHistories, AreLinearizableIfSomeOrderExplainsThem) {
  constexpr int kHistories = 2000;
  int good = 0;
  for (int k = 0; k < kHistories; ++k) {
    const int64_t tasks = 2 + random_.below(4);
    History history =
        good_history(what(), tasks, static_cast<size_t>(2 + random_.below(8)), &random_);
    for (int64_t times = random_.below(3); times > 0; --times) {
      disturb(what(), &history, &random_);
    }
    const bool expected = some_order_explains(what(), history);
    const Verdict verdict = check(what(), history);
    good += expected;
    std::string text;
    for (const Operation& each : history) {
      text += std::to_string(each.invoked) + ".." + std::to_string(each.returned) + " " +
              to_text(each) + "\n";
    }
    ASSERT_EQ(verdict.linearizable, expected) << seed() << "\n" << text << verdict.report;
  }
  EXPECT_LT(kHistories / 4, good) << seed();
  EXPECT_LT(kHistories / 10, kHistories - good) << seed();
}

TEST_P(RandomHistories, OfSixtyOperationsTakeFewSteps) {
  constexpr size_t kHistories = 500;
  random_ = Random(1);  // a rare history takes minutes, so these are always the same
  std::vector<size_t> configurations;
  for (size_t k = 0; k < kHistories; ++k) {
    const Verdict verdict = check(what(), good_history(what(), 12, 60, &random_));
    ASSERT_TRUE(verdict) << seed() << "\n" << verdict.report;
    configurations.push_back(verdict.configurations);
  }
  std::sort(configurations.begin(), configurations.end());
  EXPECT_LT(configurations[kHistories / 2], 300u) << seed();
}

class RandomQueueHistories : public RandomHistories {};

TEST_P(RandomQueueHistories, HaveAViolationIfNoOrderExplainsThem) {
  constexpr int kHistories = 4000;
  int good = 0, all = 0;
  while (all < kHistories) {
    const int64_t tasks = 2 + random_.below(4);
    History history =
        good_history(what(), tasks, static_cast<size_t>(2 + random_.below(8)), &random_);
    for (int64_t times = random_.below(3); times > 0; --times) {
      disturb(what(), &history, &random_);
    }
    if (std::any_of(history.begin(), history.end(),
                    [](const Operation& each) { return each.kind == Kind::Size; })) {
      continue;
    }
    ++all;
    const bool expected = some_order_explains(what(), history);
    good += expected;
    const std::string violation = queue_violation(history);
    std::string text;
    for (const Operation& each : history) {
      text += std::to_string(each.invoked) + ".." + std::to_string(each.returned) + " " +
              to_text(each) + "\n";
    }
    ASSERT_EQ(violation.empty(), expected) << seed() << "\n" << text << violation;
  }
  EXPECT_LT(kHistories / 4, good) << seed();
  EXPECT_LT(kHistories / 10, kHistories - good) << seed();
}

INSTANTIATE_TEST_SUITE_P(Of, RandomQueueHistories, testing::Values(&kQueue));

INSTANTIATE_TEST_SUITE_P(Of, RandomHistories, testing::Values(&kStack, &kQueue, &kSet, &kMap),
                         [](const testing::TestParamInfo<const Specification*>& each) {
                           return std::string(each.param->name);
                         });

}}  // namespace linearizability
