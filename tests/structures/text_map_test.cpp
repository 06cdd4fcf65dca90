#include "structures/global_map.hpp"
#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "system/tasking/scheduler.hpp"
#include "tests/harness/counted.hpp"
#include "tests/structures/modes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

typedef GlobalSet<std::string> TextSet;
typedef GlobalMap<std::string, int64_t> Counts;
typedef std::pair<std::string, int64_t> Count;

int64_t seen = 0;
int64_t wrong = 0;

std::string word(int64_t k) {
  return std::string(static_cast<size_t>(k % 37), 'w') + std::to_string(k);
}

/// Keys of 0 bytes to the limit of 1 MiB, two of each length. They differ in their last byte.
std::vector<std::string> keys_of_any_length() {
  std::vector<std::string> keys = {""};
  for (const size_t bytes : {1, 2, 7, 8, 14, 15, 16, 255, 256, 4096, 65536, 70000, 1048576}) {
    for (const char last : {'\0', 'y'}) keys.push_back(std::string(bytes - 1, '\0') + last);
  }
  return keys;
}

bool fewer(const Count& a, const Count& b) {
  return a.second != b.second ? a.second < b.second : b.first < a.first;
}

/// As [](StringView, auto& n) { ++n; }, which cannot be instantiated for a const value.
template <class N>
struct NotConst {
  static_assert(!std::is_const<N>::value, "a body was instantiated for a const value");
  typedef void type;
};
struct Increment {
  template <class N>
  typename NotConst<N>::type operator()(StringView, N& n) const {
    ++n;
  }
};

class TextSets : public EachMode {};
class TextMaps : public EachMode {};

TEST_P(TextSets, HaveEachKeyOnce) {
  const GlobalAddress<TextSet> set = TextSet::create(0, GetParam());
  const int64_t news = sum_all_cores([set]() -> int64_t {
    int64_t mine = 0;
    forall_here(0, 300, [set, &mine](int64_t k) { mine += set->insert(word(k)); });
    return mine;
  });
  EXPECT_EQ(300, news);
  EXPECT_EQ(300, set->size());
  for (int64_t k = 0; k < 320; ++k) EXPECT_EQ(k < 300, set->contains(word(k)));
  EXPECT_TRUE(set->erase(word(7)));
  EXPECT_FALSE(set->erase(word(7)));
  EXPECT_FALSE(set->lookup(word(7)));
  set->clear();
  EXPECT_TRUE(set->empty());
  EXPECT_EQ(GetParam(), set->combining());
  set->destroy();
}

TEST_P(TextSets, TakeKeysOfAnyLength) {
  const GlobalAddress<TextSet> set = TextSet::create(10, GetParam());
  const std::vector<std::string> keys = keys_of_any_length();
  for (const std::string& key : keys) EXPECT_TRUE(set->insert(key));
  for (const std::string& key : keys) EXPECT_FALSE(set->insert(key));
  for (const std::string& key : keys) EXPECT_TRUE(set->contains(key));
  EXPECT_FALSE(set->contains(std::string(3, 0)));
  set->clear();
  finish([set, &keys] {
    for (const std::string& key : keys) set->insert<async>(key);
  });
  for (const std::string& key : keys) EXPECT_TRUE(set->erase(key));
  on_all_cores([] { seen = 0; });
  finish([set, &keys] {
    for (const std::string& key : keys) set->insert<async>(key, [](StringView) { ++seen; });
  });
  for (const std::string& key : keys) EXPECT_TRUE(set->contains(key));
  EXPECT_EQ(static_cast<int64_t>(keys.size()), sum_all_cores([] { return seen; }));
  set->destroy();
}

constexpr size_t kMostDigits = 10;

/// A search that begins at "0": the body for a new key inserts two longer keys.
void insert_digits(GlobalAddress<TextSet> set, const std::string& digits) {
  set->insert<async>(digits, [set](StringView inserted) {
    ++seen;
    if (inserted.size() == kMostDigits) return;
    for (const char* const more : {"0", "1"}) insert_digits(set, inserted.copy() + more);
  });
}

TEST_P(TextSets, CallABodyOnceForEachNewKey) {
  const GlobalAddress<TextSet> set = TextSet::create(0, GetParam());
  on_all_cores([] { seen = 0; });
  on_all_cores([set] { insert_digits(set, "0"); });
  EXPECT_EQ((1 << kMostDigits) - 1, sum_all_cores([] { return seen; }));
  EXPECT_EQ((1 << kMostDigits) - 1, set->size());
  set->destroy();
}

TEST_P(TextMaps, CombineTheValuesOfEachKey) {
  const GlobalAddress<Counts> map = Counts::create(0, GetParam());
  on_all_cores([map] {
    forall_here(0, 1000, [map](int64_t k) { map->insert_or_combine<async>(word(k % 90), k); });
    forall_here(0, 100, [map](int64_t k) { map->insert_or_combine(word(k % 90), 1); });
  });
  std::map<std::string, int64_t> expected;
  for (int64_t k = 0; k < 1000; ++k) expected[word(k % 90)] += k * cores();
  for (int64_t k = 0; k < 100; ++k) expected[word(k % 90)] += cores();
  EXPECT_EQ(90, map->size());
  for (const auto& entry : expected) {
    int64_t n = 0;
    EXPECT_TRUE(map->lookup(entry.first, &n));
    EXPECT_EQ(entry.second, n);
  }
  map->destroy();
}

TEST_P(TextMaps, TakeKeysOfAnyLength) {
  const GlobalAddress<Counts> map = Counts::create(0, GetParam());
  const std::vector<std::string> keys = keys_of_any_length();
  const auto n = static_cast<int64_t>(keys.size());
  const auto key = [&keys](int64_t k) -> const std::string& { return keys[size_t(k)]; };
  for (int64_t k = 0; k < n; k += 2) EXPECT_TRUE(map->insert(key(k), k));
  finish([&] {
    for (int64_t k = 1; k < n; k += 2) map->insert<async>(key(k), k);
  });
  finish([&] {
    for (int64_t k = 0; k < n; ++k) map->insert_or_combine<async>(key(k), 10);
    for (int64_t k = 0; k < n; ++k) map->update<async>(key(k), [](int64_t& value) { ++value; });
  });
  EXPECT_EQ(n, map->size());
  for (int64_t k = 0; k < n; ++k) {
    int64_t value = 0;
    EXPECT_TRUE(map->lookup(key(k), &value)) << key(k).size() << " bytes";
    EXPECT_EQ(k + 11, value) << key(k).size() << " bytes";
    EXPECT_TRUE(map->erase(key(k)));
    EXPECT_FALSE(map->contains(key(k)));
  }
  EXPECT_TRUE(map->empty());
  map->destroy();
}

TEST_P(TextMaps, UpdateAndVisitEntries) {
  const GlobalAddress<Counts> map = Counts::create(0, GetParam());
  for (int64_t k = 0; k < 50; ++k) {
    EXPECT_FALSE(map->visit(word(k), [](int64_t& n) { ++n; }));
    EXPECT_EQ(1, map->update(word(k), [](int64_t& n) { return ++n; }));
    EXPECT_TRUE(map->visit(word(k), [](int64_t& n) { n *= 10; }));
    EXPECT_TRUE(map->contains(word(k)));
  }
  finish([map] {
    for (int64_t k = 0; k < 50; ++k) map->update<async>(word(k), [k](int64_t& n) { n += k; });
  });
  for (int64_t k = 0; k < 50; ++k) {
    int64_t n = 0;
    EXPECT_TRUE(map->lookup(word(k), &n));
    EXPECT_EQ(10 + k, n);
  }
  map->destroy();
}

TEST_P(TextMaps, AcceptValuesOfVariableLength) {
  typedef GlobalMap<int64_t, std::string> Texts;
  const GlobalAddress<Texts> map = Texts::create(0, GetParam());
  on_all_cores([map] {
    for (int64_t k = 0; k < 40; ++k) {
      map->insert_or_combine<async>(k, std::string(static_cast<size_t>(k * 100), 'x'));
    }
  });
  for (int64_t k = 0; k < 40; ++k) {
    std::string text;
    EXPECT_TRUE(map->lookup(k, &text));
    EXPECT_EQ(std::string(static_cast<size_t>(k * 100 * cores()), 'x'), text);
    EXPECT_EQ(text.size() + 1, map->update(k, [](std::string& s) {
      s += "y";
      return s.size();
    }));
  }
  map->forall_entries([](int64_t, std::string& text) { text.insert(0, "<"); });
  std::string text;
  EXPECT_TRUE(map->lookup(0, &text));
  EXPECT_EQ("<y", text);
  map->destroy();
}

GRAPPA_IN_EACH_MODE(TextSets);
GRAPPA_IN_EACH_MODE(TextMaps);

TEST(TextSet, IsVisitedAndFilteredAtTheOwners) {
  const GlobalAddress<TextSet> set = TextSet::create();
  finish([set] {
    for (int64_t k = 0; k < 500; ++k) set->insert<async>(word(k));
  });
  on_all_cores([] { seen = 0; });
  forall(set, [](StringView key) { seen += static_cast<int64_t>(key.size()); });
  int64_t letters = 0;
  for (int64_t k = 0; k < 500; ++k) letters += static_cast<int64_t>(word(k).size());
  EXPECT_EQ(letters, sum_all_cores([] { return seen; }));
  const int64_t removed = set->filter([](StringView key) { return key[key.size() - 1] != '3'; });
  EXPECT_EQ(50, removed);
  EXPECT_EQ(450, set->size());
  for (int64_t k = 0; k < 500; ++k) EXPECT_EQ(k % 10 != 3, set->contains(word(k)));
  set->destroy();
}

TEST(TextSet, ReturnsItsLargestKeys) {
  const GlobalAddress<TextSet> set = TextSet::create();
  const auto less = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  EXPECT_TRUE(set->top_k(3, less).empty());
  std::vector<std::string> all;
  for (int64_t k = 0; k < 500; ++k) {
    set->insert(word(k));
    all.push_back(word(k));
  }
  std::sort(all.begin(), all.end(),
            [less](const std::string& a, const std::string& b) { return less(b, a); });
  EXPECT_EQ(all, set->top_k(1000, less));
  all.resize(7);
  EXPECT_EQ(all, set->top_k(7, less));
  set->destroy();
}

TEST(TextMap, ReturnsItsLargestEntries) {
  const GlobalAddress<Counts> map = Counts::create();
  std::vector<Count> expected;
  for (int64_t k = 0; k < 300; ++k) {
    map->insert(word(k), k % 50);
    expected.emplace_back(word(k), k % 50);
  }
  std::sort(expected.begin(), expected.end(),
            [](const Count& a, const Count& b) { return fewer(b, a); });
  for (const int64_t k : {0, 1, 20, 300, 1000}) {
    const std::vector<Count> top = map->top_k(k, fewer);
    const auto n = static_cast<size_t>(std::min<int64_t>(k, 300));
    EXPECT_EQ(std::vector<Count>(expected.begin(), expected.begin() + static_cast<long>(n)), top);
  }
  map->destroy();
}

TEST(TextMap, KeepsTheEntriesOfAFilter) {
  const GlobalAddress<Counts> map = Counts::create(1000);
  for (int64_t k = 0; k < 300; ++k) map->insert(word(k), k);
  EXPECT_EQ(200, map->filter([](StringView, int64_t n) { return n % 3 == 0; }));
  forall(map, [](StringView, int64_t& n) { n = -n; });
  on_all_cores([] { seen = wrong = 0; });
  map->forall_entries([](StringView key, const int64_t& n) {
    ++seen;
    wrong += key != StringView(word(-n)) || n % 3 != 0;
  });
  EXPECT_EQ(100, sum_all_cores([] { return seen; }));
  EXPECT_EQ(0, sum_all_cores([] { return wrong; }));
  map->destroy();
}

TEST(TextMap, HasASumOfAScopeWhenTheScopeEnds) {
  const GlobalAddress<Counts> map = Counts::create();
  for (int64_t round = 1; round <= 20; ++round) {
    finish([map] {
      on_all_cores([map] {
        finish([map] {
          for (int64_t k = 0; k < 200; ++k) map->insert_or_combine<async>(word(k % 10), 1);
        });
        for (int64_t k = 0; k < 10; ++k) map->insert_or_combine<async>(word(k), 1);
      });
    });
    int64_t n = 0;
    EXPECT_TRUE(map->lookup(word(round % 10), &n));
    EXPECT_EQ(21 * round * cores(), n);
  }
  map->destroy();
}

TEST(TextMap, MakesTheAsyncCallsOfABodyAfterTheBody) {
  const auto map = GlobalMap<std::string, std::string>::create();
  for (int64_t k = 0; k < 100; ++k) {
    map->update(word(k), [map, k](std::string& value) {
      for (int64_t i = 0; i < 10; ++i) map->insert<async>(word(100 + 10 * k + i), "new");
      map->update<async>(word(k), [](std::string& same) { same += "+"; });
      value = std::string(100, 'v');
    });
  }
  map->sync_all_cores();
  EXPECT_EQ(1100, map->size());
  std::string value;
  for (int64_t k = 0; k < 1100; ++k) {
    EXPECT_TRUE(map->lookup(word(k), &value));
    EXPECT_EQ(k < 100 ? std::string(100, 'v') + "+" : "new", value);
  }
  map->destroy();
}

TEST(TextMap, CallsGenericBodiesForItsEntries) {
  const GlobalAddress<Counts> map = Counts::create();
  for (int64_t k = 0; k < 20; ++k) map->insert(word(k), k);
  map->forall_entries(Increment());
  for (int64_t k = 0; k < 20; ++k) {
    int64_t n = 0;
    EXPECT_TRUE(map->lookup(word(k), &n));
    EXPECT_EQ(k + 1, n);
  }
  map->destroy();
}

TEST(TextSet, TakesFewBytesBeyondItsKeys) {
  const GlobalAddress<TextSet> set = TextSet::create();
  const int64_t n = 40000 * cores();
  forall(0, n, [set](int64_t k) { set->insert<async>(word(k)); });
  int64_t bytes = 0;
  for (int64_t k = 0; k < n; ++k) bytes += static_cast<int64_t>(word(k).size());
  EXPECT_GE(bytes + 24 * n + cores() * int64_t{262144}, set->memory_bytes());
  EXPECT_LT(bytes, set->memory_bytes());
  set->destroy();
}

/// Every key has the same hash.
struct Hostile {
  size_t operator()(StringView) const { return 5; }
};

TEST(TextSet, AcceptsAHashWithOneValue) {
  const auto set = GlobalSet<std::string, Hostile>::create();
  on_all_cores([set] { forall_here(0, 2000, [set](int64_t k) { set->insert<async>(word(k)); }); });
  EXPECT_EQ(2000, set->size());
  for (int64_t k = 0; k < 2000; k += 100) EXPECT_TRUE(set->contains(word(k)));
  set->destroy();
}

TEST(TextMap, AcceptsAHashWithOneValue) {
  const auto map = GlobalMap<std::string, int64_t, Hostile>::create();
  on_all_cores([map] {
    seen = 0;
    forall_here(0, 2000, [map](int64_t k) { map->insert_or_combine<async>(word(k), k); });
  });
  forall(map, [](StringView, int64_t&) { ++seen; });
  EXPECT_EQ(2000, sum_all_cores([] { return seen; }));
  EXPECT_EQ(1, sum_all_cores([] { return int64_t{seen != 0}; })) << "all keys have one owner";
  for (int64_t k = 0; k < 2000; k += 100) {
    int64_t value = 0;
    EXPECT_TRUE(map->lookup(word(k), &value));
    EXPECT_EQ(k * cores(), value);
    EXPECT_TRUE(map->erase(word(k)));
  }
  EXPECT_EQ(1980, map->size());
  map->destroy();
}

TEST(TextSet, SendsTheInsertsOfManyTasksInFewMessages) {
  const GlobalAddress<TextSet> set = TextSet::create(0, Combining::Distributed);
  const Gain messages("message.messages");
  forall_here(0, 2000, [set](int64_t k) { set->insert(word(k)); });
  // Without combining, about 2,700 messages on 3 cores. A batch has at most one key of each task.
  const bool few_tasks = detail::scheduler().options().num_workers < 64;
  EXPECT_GE(few_tasks ? 1000u : 400u, messages.value());
  EXPECT_EQ(2000, set->size());
  set->destroy();
}

}  // namespace
