#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "tests/harness/random_seed.hpp"
#include "tests/structures/combined_tasks.hpp"
#include "tests/structures/int_map.hpp"
#include "tests/structures/modes.hpp"
#include "tests/structures/remote_keys.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace Grappa { namespace {

typedef IntMap Map;
typedef GlobalAddress<Map> MapAddress;

class MapInEachMode : public EachMode {};
GRAPPA_IN_EACH_MODE(MapInEachMode);

// All cores add to the instances of core 0.
int64_t found_new = 0;
int64_t wrong = 0;

void count_new(bool is_new) {
  if (is_new) delegate::call(0, [] { return ++found_new; });
}
void expect(bool holds) {
  if (!holds) delegate::call(0, [] { return ++wrong; });
}

TEST_P(MapInEachMode, KeepsTheLaterValueOfAKey) {
  const Combining mode = GetParam();
  const MapAddress map = Map::create(0, mode);
  EXPECT_TRUE(map->empty());
  for (int64_t key = -50; key < 50; ++key) {
    EXPECT_EQ(value_of(map, key), -1);
    EXPECT_FALSE(map->contains(key));
    EXPECT_TRUE(map->insert(key, key * key));
    EXPECT_EQ(value_of(map, key), key * key);
    EXPECT_FALSE(map->insert(key, key + 1000));
    EXPECT_EQ(value_of(map, key), key + 1000);
    EXPECT_TRUE(map->contains(key));
  }
  EXPECT_EQ(map->size(), 100);
  map->destroy();
}

TEST_P(MapInEachMode, VisitsOnlyItsEntries) {
  const MapAddress map = Map::create(0, GetParam());
  map->insert(1, 10);
  EXPECT_TRUE(map->visit(1, [](int64_t& value) { value += 5; }));
  EXPECT_EQ(15, value_of(map, 1));
  EXPECT_FALSE(map->visit(2, [](int64_t& value) { value += 5; }));
  EXPECT_EQ(1, map->size());
  map->destroy();
}

// More entries than a new table has cells.
TEST_P(MapInEachMode, KeepsTheEntriesOfAFilter) {
  constexpr int64_t kEntries = 3000;
  const MapAddress map = Map::create(0, GetParam());
  forall(0, kEntries, [map](int64_t key) { map->insert<async>(key, key % 7); });
  EXPECT_EQ(kEntries - kEntries / 3, map->filter([](int64_t key, int64_t& value) {
    value *= 10;
    return key % 3 == 0;
  }));
  EXPECT_EQ(kEntries / 3, map->size());
  int64_t wrong_values = 0;
  for (int64_t key = 0; key < kEntries; ++key) {
    wrong_values += value_of(map, key) != (key % 3 == 0 ? key % 7 * 10 : -1);
  }
  EXPECT_EQ(0, wrong_values);
  map->destroy();
}

TEST_P(MapInEachMode, ReturnsItsLargestEntries) {
  typedef std::pair<int64_t, int64_t> Entry;
  const MapAddress map = Map::create(0, GetParam());
  const auto less = [](const Entry& a, const Entry& b) { return a.second < b.second; };
  EXPECT_TRUE(map->top_k(3, less).empty());
  forall(0, 1000, [map](int64_t key) { map->insert<async>(key, key * 37 % 1000); });
  const std::vector<Entry> largest = map->top_k(3, less);
  ASSERT_EQ(3u, largest.size());
  for (int64_t k = 0; k < 3; ++k) {
    EXPECT_EQ(999 - k, largest[size_t(k)].second);
    EXPECT_EQ(999 - k, largest[size_t(k)].first * 37 % 1000);
  }
  EXPECT_TRUE(map->top_k(0, less).empty());
  EXPECT_EQ(1000u, map->top_k(2000, less).size());
  map->destroy();
}

TEST_P(MapInEachMode, LeavesTheValueOfALookupThatFindsNothing) {
  const Combining mode = GetParam();
  const MapAddress map = Map::create(0, mode);
  int64_t value = 77;
  EXPECT_FALSE(map->lookup(1, &value));
  EXPECT_EQ(value, 77);
  map->destroy();
}

TEST_P(MapInEachMode, RemovesErasedAndClearedKeys) {
  const Combining mode = GetParam();
  const MapAddress map = Map::create(0, mode);
  for (int64_t key = 0; key < 100; ++key) map->insert(key, key);
  for (int64_t key = 0; key < 100; key += 2) EXPECT_TRUE(map->erase(key));
  for (int64_t key = 0; key < 100; key += 2) EXPECT_FALSE(map->erase(key));
  EXPECT_EQ(map->size(), 50);
  EXPECT_EQ(value_of(map, 6), -1);
  EXPECT_EQ(value_of(map, 7), 7);
  EXPECT_TRUE(map->insert(6, 60));
  EXPECT_EQ(value_of(map, 6), 60);
  map->clear();
  EXPECT_EQ(map->size(), 0);
  EXPECT_EQ(value_of(map, 6), -1);
  EXPECT_TRUE(map->insert_or_combine(6, 5, collective_add<int64_t>));
  EXPECT_EQ(value_of(map, 6), 5);
  map->destroy();
}

// All cores access a few keys concurrently. Each lookup must return a value that was inserted for
// its key.
TEST_P(MapInEachMode, GivesEachLookupAValueThatWasInserted) {
  const Combining mode = GetParam();
  found_new = wrong = 0;
  const MapAddress map = Map::create(0, mode);
  in_tasks_of_all_cores(30, [map](int64_t task) {
    for (int64_t key = 0; key < 20; ++key) {
      count_new(map->insert(key, key * 1000 + task));
      int64_t value = -1;
      expect(map->lookup(key, &value) && value / 1000 == key && value % 1000 < 30);
    }
  });
  EXPECT_EQ(found_new, 20);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(map->size(), 20);
  map->destroy();
}

TEST_P(MapInEachMode, FinishWaitsForAsyncOperations) {
  const Combining mode = GetParam();
  const MapAddress map = Map::create(0, mode);
  forall(0, 5000, [map](int64_t i) { map->insert<async>(i, i + 1); });
  EXPECT_EQ(map->size(), 5000);
  forall(0, 5000,
         [map](int64_t i) { map->insert_or_combine<async>(i % 100, 1, collective_add<int64_t>); });
  for (int64_t key = 0; key < 100; ++key) EXPECT_EQ(value_of(map, key), key + 51);
  EXPECT_EQ(value_of(map, 100), 101);
  map->destroy();
}

TEST_P(MapInEachMode, SyncAllCoresWaitsForOperationsOutsideOfTheCallersScope) {
  const Combining mode = GetParam();
  const MapAddress map = Map::create(0, mode);
  CompletionEvent begun(cores());
  const auto event = make_global(&begun);
  for (Core core = 0; core < cores(); ++core) {
    send_message(core, [map, event] {
      spawn([map, event] {
        for (int64_t i = 0; i < 2000; ++i) {
          map->insert_or_combine<async>(i, 1, collective_add<int64_t>);
          map->insert<async>(mycore() * 2000 + i + 2000, 5);
        }
        complete(event);
      });
    });
  }
  begun.wait();
  map->sync_all_cores();
  EXPECT_EQ(map->size(), 2000 * cores() + 2000);
  for (int64_t i = 0; i < 2000; i += 400) EXPECT_EQ(value_of(map, i), cores());
  map->destroy();
}

TEST_P(MapInEachMode, InsertAsyncRunsItsBodyAtTheCallerAfterTheInsert) {
  const Combining mode = GetParam();
  found_new = wrong = 0;
  const MapAddress map = Map::create(0, mode);
  on_all_cores([map] {
    const Core caller = mycore();
    for (int64_t i = 0; i < 50; ++i) {
      map->insert_async(i, i + 5, [map, caller, i] {
        count_new(true);
        expect(mycore() == caller && value_of(map, i) == i + 5);
      });
    }
  });
  EXPECT_EQ(found_new, 50 * cores());
  EXPECT_EQ(wrong, 0);
  map->destroy();
}

// A few words are frequent. The count of each word must be exact in each mode of combining.
TEST_P(MapInEachMode, CountsHotWordsExactly) {
  constexpr int64_t kTasks = 20, kWords = 400;
  const Combining mode = GetParam();
  const MapAddress counts = Map::create(0, mode);
  found_new = 0;
  in_tasks_of_all_cores(kTasks, [counts](int64_t task) {
    for (int64_t i = 0; i < kWords; ++i) {
      const int64_t word = i % 4 == 0 ? i : i % 4;  // many rare words and three frequent words
      if ((i + task) % 20 == 0) {
        count_new(counts->insert_or_combine(word, 1, collective_add<int64_t>));
      } else {
        counts->insert_or_combine<async>(word, 1, collective_add<int64_t>);
      }
    }
  });
  EXPECT_EQ(counts->size(), 103);
  const int64_t tasks = kTasks * cores();
  for (int64_t word = 1; word < 4; ++word) EXPECT_EQ(value_of(counts, word), tasks * kWords / 4);
  for (int64_t word = 0; word < kWords; word += 4) EXPECT_EQ(value_of(counts, word), tasks);
  EXPECT_LE(found_new, 103);
  counts->destroy();
}

// An operation that is associative but not commutative: the result has the upper digits of the
// first operand and the lower digits of the last operand. The type has the maximum size of an
// operation.
struct OuterDigits {
  int64_t base;
  int64_t number;
  int64_t operator()(int64_t a, int64_t b) const { return a / base * base + b % base; }
};
int64_t smaller(int64_t a, int64_t b) { return std::min(a, b); }

TEST_P(MapInEachMode, CombinesByEachOperationInTheOrderOfATask) {
  const Combining mode = GetParam();
  const MapAddress map = Map::create(0, mode);
  for (int64_t i = 0; i < 10; ++i) map->insert_or_combine(1, 100 * i + i, OuterDigits{100, i / 5});
  EXPECT_EQ(value_of(map, 1), 9);  // hundreds of the first value, rest of the last value
  const int64_t most = 60;
  const auto add_up_to = [most](int64_t a, int64_t b) { return std::min(a + b, most); };
  EXPECT_FALSE(map->insert_or_combine(1, 54, add_up_to));
  EXPECT_EQ(value_of(map, 1), 60);
  EXPECT_FALSE(map->insert_or_combine(1, 12, smaller));
  EXPECT_EQ(value_of(map, 1), 12);
  EXPECT_TRUE(map->insert_or_combine(2, 70, add_up_to));
  EXPECT_EQ(value_of(map, 2), 70);
  in_tasks(300, [&](int64_t task) {
    map->insert_or_combine(3, 1, collective_add<int64_t>);
    map->insert_or_combine(4, -1, collective_mult<int64_t>);
    if (task % 5 == 0) map->insert_or_combine(3, 1000000, collective_max<int64_t>);
  });
  EXPECT_GE(value_of(map, 3), 1000000);
  EXPECT_LT(value_of(map, 3), 1000300);
  EXPECT_EQ(value_of(map, 4), 1);  // the number of operations is even
  map->destroy();
}

TEST_P(MapInEachMode, UpdatesAtTheOwnerAndReturnsWhatTheBodyReturns) {
  const Combining mode = GetParam();
  const MapAddress map = Map::create(0, mode);
  EXPECT_EQ(map->update(9, [](int64_t& value) { return value++; }), 0);
  map->update(9, [](int64_t& value) { value *= 20; });
  EXPECT_EQ(value_of(map, 9), 20);
  in_tasks_of_all_cores(
      50, [map](int64_t task) { map->update(task % 5, [](int64_t& value) { ++value; }); });
  for (int64_t key = 0; key < 5; ++key) EXPECT_EQ(value_of(map, key), 10 * cores());
  finish([map] {
    for (int64_t i = 0; i < 100; ++i) {
      map->update<async>(i % 5, [i](int64_t& value) { return value += i; });
    }
  });
  EXPECT_EQ(value_of(map, 4), 10 * cores() + 1030);  // 4 + 9 + ... + 99
  map->destroy();
}

TEST_P(MapInEachMode, VisitsEachEntryOnceAndLetsItsValueBeChanged) {
  const Combining mode = GetParam();
  found_new = 0;
  const MapAddress map = Map::create(0, mode);
  for (int64_t key = 0; key < 1500; ++key) map->insert<async>(key, -key);
  map->sync_all_cores();
  map->forall_entries([](const int64_t& key, int64_t& value) {
    expect(value == -key);  // may suspend
    value = key + 5;
    count_new(true);
  });
  EXPECT_EQ(found_new, 1500);
  map->forall_entries([](int64_t key, int64_t& value) { value -= key; });
  for (int64_t key = 0; key < 1500; ++key) EXPECT_EQ(value_of(map, key), 5);
  map->destroy();
}

struct Point {
  int16_t x, y;
  bool operator==(const Point& other) const { return x == other.x && y == other.y; }
};
struct SameForAll {
  size_t operator()(const Point&) const { return 0; }
};
struct Line {
  double ends[30];
};

TEST_P(MapInEachMode, AcceptsKeysAndValuesOfAnyTrivialType) {
  const Combining mode = GetParam();
  const auto flags = GlobalMap<char, bool>::create(0, mode);
  int64_t right = 0;
  in_tasks(100, [&](int64_t task) { flags->insert(static_cast<char>(task), task % 3 == 0); });
  in_tasks(100, [&](int64_t task) {
    bool flag = task % 3 != 0;
    right += flags->lookup(static_cast<char>(task), &flag) && flag == (task % 3 == 0) ? 1 : 0;
  });
  EXPECT_EQ(right, 100);
  flags->destroy();

  const auto lines = GlobalMap<Point, Line, SameForAll>::create(0, mode);
  in_tasks(400, [&](int64_t task) {
    Line line = {};
    line.ends[29] = static_cast<double>(task) / 2;
    lines->insert(Point{static_cast<int16_t>(task), 1}, line);
  });
  right = 0;
  in_tasks(400, [&](int64_t task) {
    Line line;
    const bool found = lines->lookup(Point{static_cast<int16_t>(task), 1}, &line);
    right += found && line.ends[29] == static_cast<double>(task) / 2 ? 1 : 0;
  });
  EXPECT_EQ(right, 400);
  lines->destroy();
}

TEST(GlobalMap, GrowsFromEmpty) {
  constexpr int64_t kKeys = 200000;
  wrong = 0;
  const MapAddress map = Map::create();
  forall(0, kKeys, [map](int64_t i) { map->insert<async>(i * i, i); });
  EXPECT_EQ(map->size(), kKeys);
  forall(0, kKeys / 10, [map](int64_t i) { expect(value_of(map, 100 * i * i) == 10 * i); });
  EXPECT_EQ(wrong, 0);
  map->destroy();
}

// Makes one operation on a key that only the calling task uses, and compares the result with a
// model of the keys of this task.
void step(MapAddress map, std::map<int64_t, int64_t>* model, int64_t key, int64_t value,
          unsigned what) {
  const auto found = model->find(key);
  const bool is_new = found == model->end();
  const int64_t before = is_new ? 0 : found->second;
  switch (what) {
    case 0: expect(map->insert(key, value) == is_new); break;
    case 1:
      expect(map->erase(key) == !is_new);
      model->erase(key);
      return;
    case 2: finish([map, key, value] { map->insert<async>(key, value); }); break;
    case 3:
      expect(map->insert_or_combine(key, value, collective_add<int64_t>) == is_new);
      value += before;
      break;
    case 4:
      finish([map, key, value] {
        map->insert_or_combine<async>(key, value, collective_max<int64_t>);
      });
      value = is_new ? value : std::max(value, before);
      break;
    case 5:
      expect(map->update(key, [value](int64_t& v) { return v += value; }) == before + value);
      value += before;
      break;
    default: expect(value_of(map, key) == (is_new ? -1 : before)); return;
  }
  (*model)[key] = value;
}

TEST_P(MapInEachMode, AnswersAsASerialMapDoes) {
  constexpr int64_t kTasks = 25, kOperations = 40000;  // in each mode
  const unsigned seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const Combining mode = GetParam();
  wrong = 0;
  const MapAddress map = Map::create(0, mode);
  in_tasks_of_all_cores(kTasks, [map, seed](int64_t task) {
    const int64_t me = mycore() * kTasks + task, tasks = cores() * kTasks;
    std::mt19937 random(seed + static_cast<unsigned>(me));
    std::map<int64_t, int64_t> model;
    for (int64_t n = 0; n < kOperations / tasks; ++n) {
      const int64_t key = static_cast<int64_t>(random() % 40) * tasks + me;
      step(map, &model, key, static_cast<int64_t>(random() % 1000), random() % 8);
    }
    for (int64_t key = me; key < 40 * tasks; key += tasks) {
      expect(value_of(map, key) == (model.count(key) == 0 ? -1 : model[key]));
    }
  });
  EXPECT_EQ(wrong, 0);
  map->destroy();
}

}}  // namespace Grappa
