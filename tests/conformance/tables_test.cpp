/// Reference section "Containers": GlobalSet and GlobalMap in every combining mode.

#include "structures/global_map.hpp"
#include "structures/global_set.hpp"
#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>

using namespace conformance;

namespace {

const Combining kModes[] = {Combining::None, Combining::Centralized, Combining::Distributed};

struct HashTriple {
  size_t operator()(const Triple& triple) const { return static_cast<size_t>(triple.a); }
};
typedef GlobalSet<Triple, HashTriple> Triples;
typedef GlobalMap<int64_t, Triple> TripleOf;

int64_t then_count = 0;
GlobalCompletionEvent event;

TEST(Containers, GlobalSetIsCreatedAndDestroyed) {
  const auto by_flag = GlobalSet<int64_t>::create();
  EXPECT_EQ(Grappa::detail::default_combining(), by_flag->combining());
  by_flag->destroy();
  for (Combining mode : kModes) {
    const auto set = GlobalHashSet<int64_t>::create(100, mode);
    EXPECT_EQ(mode, set->combining());
    EXPECT_TRUE(set->empty());
    set->destroy();
  }
}

TEST(Containers, GlobalSetInsertLookupContainsEraseSizeClear) {
  for (Combining mode : kModes) {
    const auto set = Triples::create(0, mode);
    for (Core core : some_cores()) {
      delegate::call(core, [set] {
        for (int64_t k = 0; k < 40; ++k) set->insert(sample<Triple>(k));
      });
    }
    EXPECT_EQ(40, set->size());
    EXPECT_FALSE(set->insert(sample<Triple>(39)));
    EXPECT_TRUE(set->insert(sample<Triple>(40)));
    EXPECT_TRUE(set->contains(sample<Triple>(40)));
    EXPECT_TRUE(set->lookup(sample<Triple>(0)));
    EXPECT_FALSE(set->contains(sample<Triple>(41)));
    EXPECT_TRUE(set->erase(sample<Triple>(40)));
    EXPECT_FALSE(set->erase(sample<Triple>(40)));
    set->clear();
    EXPECT_TRUE(set->empty());
    set->destroy();
  }
}

TEST(Containers, GlobalSetInsertAsync) {
  for (Combining mode : kModes) {
    const auto set = Triples::create(0, mode);
    then_count = 0;
    finish([set] {
      for (int64_t k = 0; k < 100; ++k) set->insert<async>(sample<Triple>(k % 50));
      set->insert_async(sample<Triple>(50), [] { ++then_count; });
    });
    EXPECT_EQ(51, set->size());
    EXPECT_EQ(1, then_count);
    on_all_cores([set] { set->insert<async>(sample<Triple>(100 + mycore())); });
    set->sync_all_cores();
    EXPECT_EQ(51 + cores(), set->size());
    set->destroy();
  }
}

TEST(Containers, GlobalSetForallKeys) {
  for (Combining mode : kModes) {
    const auto set = GlobalSet<int64_t>::create(0, mode);
    const auto array = sample_array<int64_t>(50);
    forall(0, 50, [set](int64_t k) { set->insert<async>(k); });
    set->forall_keys([array](const int64_t& key) { delegate::write(array + key, key); });
    for (int64_t k = 0; k < 50; ++k) EXPECT_EQ(k, delegate::read(array + k));
    global_free(array);
    set->destroy();
  }
}

TEST(Containers, GlobalSetForall) {
  for (Combining mode : kModes) {
    const auto set = GlobalSet<int64_t>::create(0, mode);
    const auto array = sample_array<int64_t>(50);
    memset(array, int64_t{0}, 50);
    forall(0, 50, [set](int64_t k) { set->insert<async>(k); });
    const auto add = [array](const int64_t& key) { delegate::increment<async>(array + key, key); };
    forall(set, add);
    finish([set, add] { forall<async, 3>(set, add); });
    forall<&event>(set, add);
    forall<async, &event>(set, add);
    event.wait();
    for (int64_t k = 0; k < 50; ++k) EXPECT_EQ(4 * k, delegate::read(array + k));
    global_free(array);
    set->destroy();
  }
}

TEST(Containers, GlobalMapForall) {
  for (Combining mode : kModes) {
    const auto map = GlobalMap<int64_t, int64_t>::create(0, mode);
    forall(0, 50, [map](int64_t k) { map->insert<async>(k, k); });
    const auto twice = [](const int64_t& key, int64_t& value) { value += key; };
    forall(map, twice);
    finish([map, twice] { forall<async, 3>(map, twice); });
    forall<&event>(map, twice);
    for (int64_t k = 0; k < 50; ++k) {
      int64_t value = 0;
      EXPECT_TRUE(map->lookup(k, &value));
      EXPECT_EQ(4 * k, value);
    }
    map->destroy();
  }
}

TEST(Containers, GlobalMapIsCreatedAndDestroyed) {
  const auto by_flag = GlobalMap<int64_t, double>::create();
  EXPECT_EQ(Grappa::detail::default_combining(), by_flag->combining());
  by_flag->destroy();
  for (Combining mode : kModes) {
    const auto map = GlobalHashMap<int64_t, double>::create(100, mode);
    EXPECT_EQ(mode, map->combining());
    EXPECT_TRUE(map->empty());
    map->destroy();
  }
}

TEST(Containers, GlobalMapInsertLookupContainsEraseSizeClear) {
  for (Combining mode : kModes) {
    const auto map = TripleOf::create(0, mode);
    for (Core core : some_cores()) {
      delegate::call(core, [map] {
        for (int64_t k = 0; k < 40; ++k) map->insert(k, sample<Triple>(k));
      });
    }
    EXPECT_EQ(40, map->size());
    EXPECT_FALSE(map->insert(39, sample<Triple>(1)));
    EXPECT_TRUE(map->insert(40, sample<Triple>(2)));
    Triple triple = sample<Triple>(7);
    EXPECT_FALSE(map->lookup(41, &triple));
    EXPECT_TRUE(sample<Triple>(7) == triple);
    EXPECT_TRUE(map->lookup(39, &triple));
    EXPECT_TRUE(sample<Triple>(1) == triple);
    EXPECT_TRUE(map->contains(40));
    EXPECT_TRUE(map->erase(40));
    EXPECT_FALSE(map->erase(40));
    map->clear();
    EXPECT_TRUE(map->empty());
    map->destroy();
  }
}

TEST(Containers, GlobalMapUpdate) {
  for (Combining mode : kModes) {
    const auto map = GlobalMap<int64_t, double>::create(0, mode);
    map->insert(1, 0.5);
    EXPECT_EQ(1.5, map->update(1, [](double& value) { return value += 1; }));
    map->update(2, [](double& value) { value -= 1; });
    double value = 0;
    EXPECT_TRUE(map->lookup(2, &value));
    EXPECT_EQ(-1, value);
    map->destroy();
  }
}

TEST(Containers, GlobalMapInsertOrCombine) {
  for (Combining mode : kModes) {
    const auto map = GlobalMap<int64_t, int64_t>::create(0, mode);
    EXPECT_TRUE(map->insert_or_combine(5, 10, collective_add<int64_t>));
    EXPECT_FALSE(map->insert_or_combine(5, 10, collective_add<int64_t>));
    forall(0, 1000, [map](int64_t i) {
      map->insert_or_combine<async>(i % 7, i, [](int64_t a, int64_t b) { return a < b ? b : a; });
    });
    int64_t value = 0;
    EXPECT_TRUE(map->lookup(5, &value));
    EXPECT_EQ(999, value);
    EXPECT_EQ(7, map->size());
    map->destroy();
  }
}

TEST(Containers, GlobalMapInsertAsync) {
  for (Combining mode : kModes) {
    const auto map = TripleOf::create(0, mode);
    then_count = 0;
    finish([map] {
      for (int64_t k = 0; k < 100; ++k) map->insert<async>(k % 50, sample<Triple>(k % 50));
      map->insert_async(50, sample<Triple>(50), [] { ++then_count; });
    });
    EXPECT_EQ(51, map->size());
    EXPECT_EQ(1, then_count);
    on_all_cores([map] { map->insert<async>(100 + mycore(), sample<Triple>(0)); });
    map->sync_all_cores();
    EXPECT_EQ(51 + cores(), map->size());
    map->destroy();
  }
}

TEST(Containers, GlobalMapForallEntries) {
  for (Combining mode : kModes) {
    const auto map = TripleOf::create(0, mode);
    forall(0, 50, [map](int64_t k) { map->insert<async>(k, sample<Triple>(k)); });
    map->forall_entries([](const int64_t& key, Triple& triple) {
      EXPECT_TRUE(sample<Triple>(key) == triple);
      triple = sample<Triple>(key + 1);
    });
    for (int64_t k = 0; k < 50; ++k) {
      Triple triple;
      EXPECT_TRUE(map->lookup(k, &triple));
      EXPECT_TRUE(sample<Triple>(k + 1) == triple);
    }
    map->destroy();
  }
}

}  // namespace
