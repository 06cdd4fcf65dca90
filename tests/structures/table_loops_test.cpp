/// Tests of loops over the keys of a GlobalSet and over the entries of a GlobalMap, with template
/// arguments, and of top_k of a set.

#include "structures/global_map.hpp"
#include "structures/global_set.hpp"
#include "tests/structures/modes.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa { namespace {

class TableLoops : public EachMode {};
GRAPPA_IN_EACH_MODE(TableLoops);

GlobalCompletionEvent event;

TEST_P(TableLoops, VisitEachKeyOnceWithAnyArguments) {
  const auto set = GlobalSet<int64_t>::create(0, GetParam());
  const auto sums = global_alloc<int64_t>(50);
  memset(sums, 0, 50);
  forall(0, 50, [set](int64_t key) { set->insert<async>(key); });
  const auto add = [sums](const int64_t& key) { delegate::increment<async>(sums + key, key); };
  forall(set, add);
  finish([set, add] { forall<async, 3>(set, add); });
  forall<&event>(set, add);
  forall<async, &event>(set, add);
  event.wait();
  forall(sums, 50, [](int64_t key, int64_t& sum) { EXPECT_EQ(4 * key, sum); });
  global_free(sums);
  set->destroy();
}

TEST_P(TableLoops, ChangeTheValueOfEachEntryWithAnyArguments) {
  const auto map = GlobalMap<int64_t, int64_t>::create(0, GetParam());
  EXPECT_EQ(map->combining(), GetParam());
  forall(0, 50, [map](int64_t key) { map->insert<async>(key, key); });
  const auto add = [](const int64_t& key, int64_t& value) { value += key; };
  forall(map, add);
  finish([map, add] { forall<async, 3>(map, add); });
  forall<&event>(map, add);
  for (int64_t key = 0; key < 50; ++key) {
    int64_t value = -1;
    EXPECT_TRUE(map->lookup(key, &value));
    EXPECT_EQ(value, 4 * key);
  }
  map->destroy();
}

constexpr int64_t kTexts = 30;
int64_t visits[kTexts];

TEST_P(TableLoops, VisitEachTextOnceWithAnyArguments) {
  const auto set = GlobalSet<std::string>::create(0, GetParam());
  finish([set] {
    for (int64_t k = 0; k < kTexts; ++k) set->insert<async>(std::to_string(k));
  });
  on_all_cores([] { std::fill(visits, visits + kTexts, 0); });
  const auto count = [](StringView key) { ++visits[std::stoll(key.copy())]; };
  forall(set, count);
  finish([set, count] { forall<async, 3>(set, count); });
  forall<&event>(set, count);
  forall<async, &event>(set, count);
  event.wait();
  for (int64_t k = 0; k < kTexts; ++k) EXPECT_EQ(4, sum_all_cores([k] { return visits[k]; }));
  set->destroy();
}

TEST_P(TableLoops, ChangeTheValueOfEachTextWithAnyArguments) {
  const auto map = GlobalMap<std::string, int64_t>::create(0, GetParam());
  const auto texts = GlobalMap<int64_t, std::string>::create(0, GetParam());
  finish([map, texts] {
    for (int64_t k = 0; k < kTexts; ++k) {
      map->insert<async>(std::to_string(k), 1);
      texts->insert<async>(k, "");
    }
  });
  const auto add = [](StringView key, int64_t& value) { value += std::stoll(key.copy()); };
  const auto append = [](int64_t key, std::string& value) { value += std::to_string(key) + " "; };
  forall(map, add);
  forall(texts, append);
  finish([=] {
    forall<async, 3>(map, add);
    forall<async>(texts, append);
  });
  forall<&event>(map, add);
  forall<async, &event>(map, add);
  forall<async, &event>(texts, append);
  event.wait();
  for (int64_t k = 0; k < kTexts; ++k) {
    const std::string number = std::to_string(k);
    int64_t value = 0;
    std::string text;
    EXPECT_TRUE(map->lookup(number, &value));
    EXPECT_EQ(1 + 4 * k, value);
    EXPECT_TRUE(texts->lookup(k, &text));
    EXPECT_EQ(number + " " + number + " " + number + " ", text);
  }
  map->destroy();
  texts->destroy();
}

TEST_P(TableLoops, ReplaceEachValue) {
  const auto numbers = GlobalMap<int64_t, int64_t>::create(0, GetParam());
  const auto texts = GlobalMap<std::string, std::string>::create(0, GetParam());
  for (int64_t k = 0; k < kTexts; ++k) {
    numbers->insert(k, k);
    texts->insert(std::to_string(k), "0");
  }
  numbers->transform([](const int64_t& key, const int64_t& value) { return 10 * value + key; });
  texts->transform(
      [](StringView key, const std::string& value) { return value + "-" + key.copy(); });
  for (int64_t k = 0; k < kTexts; ++k) {
    const std::string number = std::to_string(k);
    int64_t value = 0;
    std::string text;
    EXPECT_TRUE(numbers->lookup(k, &value));
    EXPECT_EQ(11 * k, value);
    EXPECT_TRUE(texts->lookup(number, &text));
    EXPECT_EQ("0-" + number, text);
  }
  numbers->destroy();
  texts->destroy();
}

TEST_P(TableLoops, ReturnTheLargestKeys) {
  const auto set = GlobalSet<int64_t>::create(0, GetParam());
  const auto less = [](int64_t a, int64_t b) { return a * 37 % 1000 < b * 37 % 1000; };
  EXPECT_TRUE(set->top_k(3, less).empty());
  forall(0, 1000, [set](int64_t key) { set->insert<async>(key); });
  const std::vector<int64_t> largest = set->top_k(3, less);
  ASSERT_EQ(3u, largest.size());
  for (int64_t k = 0; k < 3; ++k) EXPECT_EQ(999 - k, largest[size_t(k)] * 37 % 1000);
  EXPECT_EQ(1000u, set->top_k(2000, less).size());
  set->destroy();
}

TEST(Tables, CombineInTheModeOfTheFlag) {
  const auto set = GlobalSet<int64_t>::create();
  const auto map = GlobalMap<int64_t, int64_t>::create();
  EXPECT_EQ(set->combining(), detail::default_combining());
  EXPECT_EQ(map->combining(), detail::default_combining());
  set->destroy();
  map->destroy();
}

}}  // namespace Grappa
