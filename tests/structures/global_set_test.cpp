#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/random_seed.hpp"
#include "tests/structures/combined_tasks.hpp"
#include "tests/structures/modes.hpp"
#include "tests/structures/remote_keys.hpp"

#include <cctype>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace Grappa { namespace {

typedef GlobalSet<int64_t> Set;
typedef GlobalAddress<Set> SetAddress;

class SetInEachMode : public EachMode {};
GRAPPA_IN_EACH_MODE(SetInEachMode);

// The counters are at file scope, so all cores can add to the counters of core 0.
int64_t found_new = 0;
int64_t wrong = 0;
int64_t visited = 0;
std::set<int64_t> added_here;

void count_new(bool is_new) {
  if (is_new) delegate::call(0, [] { return ++found_new; });
}
void expect(bool holds) {
  if (!holds) delegate::call(0, [] { return ++wrong; });
}

// Each core has the keys in its cache before.
TEST_P(SetInEachMode, KeepsTheKeysOfAFilter) {
  constexpr int64_t kKeys = 2000;
  const SetAddress set = Set::create(0, GetParam());
  on_all_cores([set] {
    for (int64_t key = 0; key < kKeys; ++key) set->insert(key);
  });
  EXPECT_EQ(kKeys / 2, set->filter([](int64_t key) { return key % 2 == 0; }));
  EXPECT_EQ(kKeys / 2, set->size());
  wrong = 0;
  on_all_cores([set] {
    for (int64_t key = 0; key < kKeys; ++key) expect(set->contains(key) == (key % 2 == 0));
  });
  EXPECT_EQ(0, wrong);
  set->destroy();
}

TEST_P(SetInEachMode, ReportsWhetherAKeyIsNewOrPresent) {
  const Combining mode = GetParam();
  const SetAddress set = Set::create(0, mode);
  EXPECT_EQ(set->combining(), mode);
  EXPECT_TRUE(set->empty());
  for (int64_t key = -50; key < 50; ++key) {
    EXPECT_FALSE(set->contains(key));
    EXPECT_TRUE(set->insert(key));
    EXPECT_TRUE(set->contains(key));
    EXPECT_TRUE(set->lookup(key));
    EXPECT_FALSE(set->insert(key));
  }
  EXPECT_FALSE(set->contains(50));
  EXPECT_EQ(set->size(), 100);
  EXPECT_FALSE(set->empty());
  set->destroy();
}

TEST_P(SetInEachMode, RemovesErasedKeys) {
  const SetAddress set = Set::create(0, GetParam());
  for (int64_t key = 0; key < 100; ++key) set->insert(key);
  for (int64_t key = 0; key < 100; key += 2) EXPECT_TRUE(set->erase(key));
  for (int64_t key = 0; key < 100; key += 2) EXPECT_FALSE(set->erase(key));
  EXPECT_EQ(set->size(), 50);
  for (int64_t key = 0; key < 100; ++key) EXPECT_EQ(set->contains(key), key % 2 == 1);
  EXPECT_TRUE(set->insert(6));
  EXPECT_TRUE(set->contains(6));
  set->destroy();
}

TEST_P(SetInEachMode, IsEmptyAndUsableAfterClear) {
  const Combining mode = GetParam();
  const SetAddress set = Set::create(10, mode);
  for (int64_t key = 0; key < 1000; ++key) set->insert<async>(key);
  set->sync_all_cores();
  EXPECT_EQ(set->size(), 1000);
  set->clear();
  EXPECT_EQ(set->size(), 0);
  EXPECT_FALSE(set->contains(5));
  EXPECT_TRUE(set->insert(5));
  EXPECT_EQ(set->size(), 1);
  set->destroy();
}

TEST_P(SetInEachMode, ReportsAKeyAsNewToOneTask) {
  found_new = wrong = 0;
  const SetAddress set = Set::create(0, GetParam());
  in_tasks_of_all_cores(40, [set](int64_t task) {
    for (int64_t key = 0; key < 20; ++key) {
      count_new(set->insert(key));
      expect(set->contains(key));
      if (task % 7 == 0) yield();
    }
  });
  EXPECT_EQ(found_new, 20);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(set->size(), 20);
  set->destroy();
}

TEST(GlobalSet, ReportsAKeyAsNewOnceInABatch) {
  if (cores() == 1) return;  // no operation is combined
  const int64_t key = remote_key();
  const SetAddress set = Set::create(0, Combining::Distributed);
  const Gain commits("structures.commits"), duplicates("structures.duplicates");
  const Gain operations("structures.operations"), messages("structures.owner_messages");
  const Gain known("structures.known");
  int64_t new_keys = 0;
  in_tasks(3, [&](int64_t) { new_keys += set->insert(key) ? 1 : 0; });
  EXPECT_EQ(new_keys, 1);
  EXPECT_EQ(operations.value() + known.value(), 3u);
  EXPECT_EQ(duplicates.value(), operations.value() - commits.value());
  EXPECT_LE(messages.value(), commits.value());
  set->destroy();
}

// erase() is not combined, so its result shows whether the key is in the set at that moment.
TEST(GlobalSet, NeverAnswersALookupFromAPendingInsert) {
  const SetAddress set = Set::create(0, Combining::Distributed);
  const Gain duplicates("structures.duplicates");
  for (int64_t key = 0; key < 100; ++key) {
    in_tasks(2, [&](int64_t task) {
      if (task == 0) {
        set->insert(key);
      } else if (set->contains(key)) {
        EXPECT_TRUE(set->erase(key));
      }
    });
  }
  EXPECT_EQ(duplicates.value(), 0u);
  set->destroy();
}

TEST(GlobalSet, LetsAMergedInsertWaitForTheCommit) {
  const SetAddress set = Set::create(0, Combining::Distributed);
  for (int64_t key = 0; key < 100; ++key) {
    in_tasks(2, [&](int64_t task) {
      set->insert(key);
      if (task == 1) {
        EXPECT_TRUE(set->erase(key));
      }
    });
  }
  set->destroy();
}

TEST(GlobalSet, CommitsExactlyFullProxies) {
  for (const int64_t keys : {1023, 1024, 1025, 2048}) {
    const SetAddress set = Set::create(0, Combining::Distributed);
    int64_t new_keys = 0;
    in_tasks(keys, [&](int64_t task) { new_keys += set->insert(task) ? 1 : 0; });
    in_tasks(keys, [&](int64_t task) { new_keys += set->contains(task) ? 1 : 0; });
    EXPECT_EQ(new_keys, 2 * keys);
    EXPECT_EQ(set->size(), keys);
    set->destroy();
  }
}

TEST(GlobalSet, SendsOneMessageToEachOwnerForACommit) {
  const SetAddress set = Set::create(0, Combining::Distributed);
  const Gain commits("structures.commits"), messages("structures.owner_messages");
  in_tasks(1000, [&](int64_t task) { set->insert(task); });
  EXPECT_LE(messages.value(), commits.value() * static_cast<uint64_t>(cores() - 1));
  EXPECT_GE(messages.value(), static_cast<uint64_t>(cores() - 1));
  set->destroy();
}

TEST_P(SetInEachMode, FinishWaitsForAsyncInserts) {
  const SetAddress set = Set::create(0, GetParam());
  forall(0, 5000, [set](int64_t i) { set->insert<async>(i % 3000); });
  EXPECT_EQ(set->size(), 3000);
  set->destroy();
}

TEST(GlobalSet, SyncAllCoresWaitsForAsyncInsertsOutsideOfTheCallersScope) {
  const SetAddress set = Set::create();
  GlobalAddress<CompletionEvent> begun = make_global(new CompletionEvent(cores()));
  for (Core core = 0; core < cores(); ++core) {
    send_message(core, [set, begun] {
      spawn([set, begun] {
        for (int64_t i = 0; i < 2000; ++i) set->insert<async>(mycore() * 2000 + i);
        complete(begun);
      });
    });
  }
  begun.pointer()->wait();
  set->sync_all_cores();
  EXPECT_EQ(set->size(), 2000 * cores());
  delete begun.pointer();
  set->destroy();
}

TEST_P(SetInEachMode, InsertAsyncRunsItsBodyAtTheCallerAfterTheInsert) {
  visited = wrong = 0;
  const SetAddress set = Set::create(0, GetParam());
  on_all_cores([set] {
    const Core caller = mycore();
    for (int64_t i = 0; i < 100; ++i) {
      const int64_t key = i / 2;  // each key is inserted twice
      set->insert_async(key, [set, caller, key] {
        expect(mycore() == caller && set->contains(key));
        delegate::call(0, [] { return ++visited; });
      });
    }
  });
  EXPECT_EQ(visited, 100 * cores());
  EXPECT_EQ(wrong, 0);
  set->sync_all_cores();
  set->destroy();
}

// The body of a key below 1000 inserts two more keys.
void reach(SetAddress set, int64_t key) {
  set->insert<async>(key, [set](const int64_t& new_key) {
    expect(added_here.insert(new_key).second);
    if (new_key >= 1000) return;
    reach(set, new_key + 1000);
    reach(set, new_key + 2000);
  });
}

TEST_P(SetInEachMode, InsertWithABodyRunsItOnceForEachNewKeyAtItsOwner) {
  wrong = 0;
  const SetAddress set = Set::create(0, GetParam());
  for (int64_t key = 0; key < 5; ++key) set->insert(key);
  on_all_cores([set] {
    for (int64_t key = 0; key < 1000; ++key) reach(set, key);
  });
  set->forall_keys(
      [](const int64_t& key) { expect(key % 1000 < 5 || added_here.count(key) == 1); });
  EXPECT_EQ(sum_all_cores([] { return int64_t(added_here.size()); }), 2985);
  EXPECT_EQ(set->size(), 2990) << "5 keys were in the set before, so they have added no others";
  EXPECT_EQ(wrong, 0);
  on_all_cores([] { added_here.clear(); });
  set->destroy();
}

TEST_P(SetInEachMode, VisitsEachKeyOnceAtItsOwner) {
  visited = 0;
  const SetAddress set = Set::create(0, GetParam());
  set->forall_keys([](const int64_t&) { delegate::call(0, [] { return ++visited; }); });
  EXPECT_EQ(visited, 0);
  for (int64_t key = 0; key < 2000; ++key) set->insert<async>(key);
  set->sync_all_cores();
  const GlobalAddress<int64_t> seen = global_alloc<int64_t>(2000);
  const GlobalAddress<int64_t> visitor = symmetric<int64_t>(0);
  Grappa::memset(seen, 0, 2000);
  set->forall_keys([seen, visitor](const int64_t& key) {
    ++*visitor.pointer();
    delegate::increment(seen + key, 1);  // suspends
  });
  forall(seen, 2000, [](int64_t& n) { EXPECT_EQ(n, 1); });
  EXPECT_EQ(*visitor.pointer() == 2000, cores() == 1);
  set->forall_keys([](int64_t& key) { key = 0; });  // old programs pass a copy of the key like this
  EXPECT_TRUE(set->contains(1999));
  global_free(visitor);
  global_free(seen);
  set->destroy();
}

TEST(GlobalSet, DistributesConsecutiveKeysEvenly) {
  const SetAddress set = Set::create();
  forall(0, 4000, [set](int64_t i) { set->insert<async>(i << 20); });
  const GlobalAddress<int64_t> mine = symmetric<int64_t>(0);
  set->forall_keys([mine](const int64_t&) { ++*mine.pointer(); });
  const int64_t fair = 4000 / cores();
  on_all_cores([mine, fair] {
    EXPECT_GT(*mine.pointer(), fair - fair / 4);
    EXPECT_LT(*mine.pointer(), fair + fair / 4);
  });
  global_free(mine);
  set->destroy();
}

struct SameForAll {
  size_t operator()(int64_t) const { return 7; }
};

TEST_P(SetInEachMode, DistinguishesKeysWithEqualHashes) {
  const Combining mode = GetParam();
  const auto set = GlobalSet<int64_t, SameForAll>::create(0, mode);
  int64_t new_keys = 0;
  in_tasks(500, [&](int64_t task) { new_keys += set->insert(task % 250) ? 1 : 0; });
  EXPECT_EQ(new_keys, 250);
  for (int64_t key = 0; key < 300; ++key) EXPECT_EQ(set->contains(key), key < 250);
  EXPECT_TRUE(set->erase(100));
  EXPECT_FALSE(set->contains(100));
  EXPECT_TRUE(set->contains(101));
  set->destroy();
}

struct Letter {
  char name;
};
struct HashLetter {
  size_t operator()(const Letter& a) const { return static_cast<size_t>(std::tolower(a.name)); }
};
struct SameLetter {
  bool operator()(const Letter& a, const Letter& b) const {
    return std::tolower(a.name) == std::tolower(b.name);
  }
};

TEST_P(SetInEachMode, UsesTheEqualityOfTheProgram) {
  const Combining mode = GetParam();
  const auto set = GlobalSet<Letter, HashLetter, SameLetter>::create(0, mode);
  EXPECT_TRUE(set->insert(Letter{'a'}));
  EXPECT_FALSE(set->insert(Letter{'A'}));
  EXPECT_TRUE(set->contains(Letter{'A'}));
  int64_t new_keys = 0;
  in_tasks(52, [&](int64_t i) {
    new_keys += set->insert(Letter{static_cast<char>((i < 26 ? 'a' : 'A') + i % 26)}) ? 1 : 0;
  });
  EXPECT_EQ(new_keys, 25);
  set->destroy();
}

// The key is so large that the part of a commit for one owner does not fit in a message buffer.
struct Wide {
  int64_t number;
  char rest[192];
  bool operator==(const Wide& other) const {
    return number == other.number && rest[191] == other.rest[191];
  }
};
struct HashWide {
  size_t operator()(const Wide& wide) const { return static_cast<size_t>(wide.number); }
};

TEST(GlobalSet, AcceptsBatchesLargerThanAMessageBuffer) {
  const auto set = GlobalSet<Wide, HashWide>::create(0, Combining::Distributed);
  int64_t new_keys = 0, in = 0;
  in_tasks(1000, [&](int64_t task) {
    Wide wide = {task, {}};
    wide.rest[191] = 'w';
    new_keys += set->insert(wide) ? 1 : 0;
  });
  in_tasks(1000, [&](int64_t task) {
    Wide wide = {task, {}};
    wide.rest[191] = task % 2 == 0 ? 'w' : 'x';
    in += set->contains(wide) ? 1 : 0;
  });
  EXPECT_EQ(new_keys, 1000);
  EXPECT_EQ(in, 500);
  set->destroy();
}

TEST(GlobalSet, GrowsFromEmpty) {
  constexpr int64_t kKeys = 200000;
  wrong = 0;
  const SetAddress set = Set::create();
  forall(0, kKeys, [set](int64_t i) { set->insert<async>(i * i); });
  EXPECT_EQ(set->size(), kKeys);
  forall(0, kKeys / 10, [set](int64_t i) {
    // 100 * i * i + 2 is not a square.
    expect(set->contains(100 * i * i) && !set->contains(100 * i * i + 2));
  });
  EXPECT_EQ(wrong, 0);
  set->destroy();
}

// Each task has its own keys, so the expected result of each operation is known.
TEST_P(SetInEachMode, AnswersLikeASerialSet) {
  constexpr int64_t kTasks = 25, kOperations = 40000;  // in each mode
  const unsigned seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const Combining mode = GetParam();
  wrong = 0;
  const SetAddress set = Set::create(0, mode);
  in_tasks_of_all_cores(kTasks, [set, seed](int64_t task) {
    const int64_t me = mycore() * kTasks + task, tasks = cores() * kTasks;
    std::mt19937 random(seed + static_cast<unsigned>(me));
    std::set<int64_t> model;
    for (int64_t step = 0; step < kOperations / tasks; ++step) {
      const int64_t key = static_cast<int64_t>(random() % 40) * tasks + me;
      switch (random() % 4) {
        case 0: expect(set->insert(key) == model.insert(key).second); break;
        case 1: expect(set->erase(key) == (model.erase(key) == 1)); break;
        case 2:
          finish([set, key] { set->insert<async>(key); });
          model.insert(key);
          break;
        default: expect(set->contains(key) == (model.count(key) == 1));
      }
    }
    for (int64_t key = me; key < 40 * tasks; key += tasks) {
      expect(set->contains(key) == (model.count(key) == 1));
    }
  });
  EXPECT_EQ(wrong, 0);
  set->destroy();
}

}}  // namespace Grappa
