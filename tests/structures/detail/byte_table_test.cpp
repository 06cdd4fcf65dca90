#include "structures/detail/byte_table.hpp"

#include "tests/harness/random_seed.hpp"
#include "tests/structures/key_with_hash.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

char* insert(ByteTable* table, const std::string& key, bool* is_new) {
  return table->find_or_insert(hash_bytes(key), key, is_new);
}

void set(ByteTable* table, const std::string& key, const std::string& value) {
  bool is_new;
  table->set_value(insert(table, key, &is_new), value);
}

std::string value(const ByteTable& table, const std::string& key) {
  const char* const entry = table.find(hash_bytes(key), key);
  return entry == nullptr ? "absent" : table.value_of(entry).copy();
}

void expect_equal(const ByteTable& table, const std::map<std::string, std::string>& expected) {
  ASSERT_EQ(expected.size(), table.size());
  size_t visited = 0;
  for (size_t slot = table.next(0); slot != table.end(); slot = table.next(slot + 1)) {
    const auto found = expected.find(table.key_of(table.entry(slot)).copy());
    ASSERT_TRUE(found != expected.end());
    EXPECT_TRUE(table.value_of(table.entry(slot)) == StringView(found->second));
    ++visited;
  }
  EXPECT_EQ(expected.size(), visited);
  for (const auto& entry : expected) EXPECT_EQ(entry.second, value(table, entry.first));
}

TEST(HashBytes, DependsOnEachByteOfAKey) {
  for (size_t bytes = 1; bytes <= 40; ++bytes) {
    for (size_t at = 0; at < bytes; ++at) {
      // The buffers end with the keys, so that AddressSanitizer detects reads beyond them.
      const std::unique_ptr<char[]> a(new char[bytes]), b(new char[bytes]);
      std::fill_n(a.get(), bytes, 'k');
      std::fill_n(b.get(), bytes, 'k');
      const View<char> key(a.get(), bytes), other(b.get(), bytes);
      EXPECT_EQ(hash_bytes(key), hash_bytes(other));
      EXPECT_TRUE(equal_bytes(key, other));
      b[at] = 'l';
      EXPECT_NE(hash_bytes(key), hash_bytes(other)) << at << " of " << bytes;
      EXPECT_FALSE(equal_bytes(key, other)) << at << " of " << bytes;
      EXPECT_NE(hash_bytes(View<char>(a.get(), bytes - 1)), hash_bytes(key));
      EXPECT_FALSE(equal_bytes(View<char>(a.get(), bytes - 1), key));
    }
  }
  EXPECT_TRUE(equal_bytes(View<char>(), View<char>()));
}

TEST(ByteTable, FindsKeysOfAnyBytes) {
  ByteTable table(ByteTable::kAnyLength);
  const std::map<std::string, std::string> entries = {
      {"", "empty"},
      {std::string(1, 0), "zero"},
      {std::string(2, 0), "two zeros"},
      {"a", ""},
      {std::string(1 << 20, 'x'), "longest"},
      {"b", std::string(3 << 20, 'y')},
      {std::string(300000, 'z'), std::string(300000, 'z')}};
  for (const auto& entry : entries) set(&table, entry.first, entry.second);
  expect_equal(table, entries);
  EXPECT_EQ("absent", value(table, "c"));
}

TEST(ByteTable, HasTheEntriesOfAMapAfterRandomChanges) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  ByteTable table(ByteTable::kAnyLength);
  std::map<std::string, std::string> expected;
  for (int turn = 0; turn < 20000; ++turn) {
    const std::string key(random() % 3000 % 41, static_cast<char>('a' + random() % 26));
    const std::string longer = key + std::to_string(random() % 700);
    if (random() % 3 == 0) {
      EXPECT_EQ(expected.erase(longer) != 0, table.erase(hash_bytes(longer), longer));
    } else {
      const size_t bytes = random() % 50 == 0 ? random() % 100000 : random() % 60;
      const std::string text(bytes, static_cast<char>(turn));
      set(&table, longer, text);
      expected[longer] = text;
    }
    if (turn % 7000 == 0) expect_equal(table, expected);
  }
  expect_equal(table, expected);
  for (const auto& entry : expected) {
    EXPECT_TRUE(table.erase(hash_bytes(entry.first), entry.first));
  }
  EXPECT_EQ(size_t{0}, table.size());
}

TEST(ByteTable, AppendsToValuesAmongOtherChanges) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  ByteTable table(ByteTable::kGrowing);
  std::map<std::string, std::string> expected;
  for (int turn = 0; turn < 30000; ++turn) {
    const std::string key = "key" + std::to_string(random() % 200 * (random() % 200));
    if (random() % 20 == 0) {
      EXPECT_EQ(expected.erase(key) != 0, table.erase(hash_bytes(key), key));
      continue;
    }
    const size_t bytes = random() % 100 == 0 ? random() % 50000 : random() % 40;
    const std::string text(bytes, static_cast<char>(turn));
    if (random() % 10 == 0) {
      set(&table, key, text);
      expected[key] = text;
    } else {
      bool is_new;
      table.append_value(insert(&table, key, &is_new), text);
      expected[key] += text;
    }
    if (turn % 10000 == 0) expect_equal(table, expected);
  }
  expect_equal(table, expected);
}

TEST(ByteTable, SeldomMovesAValueToWhichIsAppended) {
  ByteTable table(ByteTable::kGrowing);
  bool is_new;
  int moves = 0;
  std::string text;
  set(&table, "other", "behind the first");
  for (int k = 0; k < 100000; ++k) {
    char* const entry = insert(&table, "key", &is_new);
    table.append_value(entry, std::to_string(k));
    text += std::to_string(k);
    const bool moved = table.find(hash_bytes("key"), "key") != entry;
    if (moved) set(&table, "other", std::string(static_cast<size_t>(k % 100), 'o'));
    moves += moved;
  }
  EXPECT_TRUE(text == value(table, "key"));
  EXPECT_LE(moves, 70) << "four sizes for each of 17 powers of two";
  EXPECT_GE(text.size() * 2 + 3 * 262144, table.memory_bytes());
}

TEST(ByteTable, ReusesTheChunksOfHugePages) {
  ByteTable table(ByteTable::kAnyLength);
  const auto key_of = [](size_t k) { return std::string(60, 'k') + std::to_string(k); };
  constexpr size_t kEntries = 150000;  // 13 MB
  size_t most = 0;
  for (size_t turn = 0; turn < 2; ++turn) {
    for (size_t k = 0; k < kEntries; ++k) set(&table, key_of(k), std::to_string(k + turn));
    if (turn == 0) most = table.memory_bytes();
    EXPECT_GE(most + (size_t{2} << 20), table.memory_bytes());
    for (size_t k = 0; k < kEntries; ++k) {
      if (k % 100 == turn) continue;
      EXPECT_TRUE(table.erase(hash_bytes(key_of(k)), key_of(k)));
    }
    EXPECT_GE(most / 3, table.memory_bytes()) << "the index, and one percent of the entries";
    for (size_t k = turn; k < kEntries; k += 100) {
      EXPECT_EQ(std::to_string(k + turn), value(table, key_of(k)));
    }
  }
  EXPECT_EQ(kEntries / 100, table.size());
  table.clear();
  EXPECT_EQ(size_t{0}, table.size());
  for (size_t k = 0; k < kEntries; ++k) set(&table, key_of(k), "after clear");
  EXPECT_EQ("after clear", value(table, key_of(kEntries - 1)));
}

TEST(ByteTable, AppendsInAnArenaWithHugePages) {
  ByteTable table(ByteTable::kGrowing);
  const std::string text(100, 't');
  const auto append = [&table](size_t k, const std::string& more) {
    bool is_new;
    table.append_value(insert(&table, std::to_string(k), &is_new), more);
  };
  for (size_t turn = 0; turn < 20; ++turn) {
    for (size_t k = 0; k < 10000; ++k) append(k, text + std::to_string(turn));
    append(3, std::string(100000, 'l'));
  }
  for (size_t k = 0; k < 10000; k += 3) {
    std::string expected;
    for (size_t turn = 0; turn < 20; ++turn) {
      expected += text + std::to_string(turn) + std::string(k == 3 ? 100000 : 0, 'l');
    }
    ASSERT_TRUE(expected == value(table, std::to_string(k))) << k;
  }
}

TEST(ByteTable, SetsTheValueOfANewKeyWithoutAGap) {
  ByteTable table(ByteTable::kAnyLength);
  const std::string text(1000, 't');
  for (int k = 0; k < 1000; ++k) set(&table, std::string(1000, 'k') + std::to_string(k), text);
  EXPECT_GE(size_t{9 * 262144}, table.memory_bytes()) << "2.0 MB of keys and values";
}

TEST(ByteTable, KeepsAlignedValuesOfFixedLength) {
  ByteTable table(sizeof(int64_t));
  for (int64_t k = 0; k < 1000; ++k) {
    bool is_new;
    char* const entry =
        insert(&table, std::string(static_cast<size_t>(k % 50), 'k') + std::to_string(k), &is_new);
    EXPECT_TRUE(is_new);
    int64_t* const number = reinterpret_cast<int64_t*>(ByteTable::fixed_value(entry));
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(number) % alignof(int64_t));
    EXPECT_EQ(0, *number) << "a new value has zero bytes";
    *number = k;
  }
  for (int64_t k = 0; k < 1000; ++k) {
    const std::string key = std::string(static_cast<size_t>(k % 50), 'k') + std::to_string(k);
    const char* const entry = table.find(hash_bytes(key), key);
    ASSERT_NE(nullptr, entry);
    EXPECT_EQ(k, *reinterpret_cast<const int64_t*>(entry));
  }
}

TEST(ByteTable, FindsKeysWithEqualPositionsInTheIndex) {
  // The index has the exclusive or of both halves of a hash.
  const auto key = [](uint64_t k) { return key_with_hash(k << 32 | (k ^ 7)); };
  ASSERT_EQ(uint64_t{3} << 32 | 4, hash_bytes(key(3)));
  ByteTable table(ByteTable::kAnyLength);
  for (uint64_t k = 0; k < 500; ++k) set(&table, key(k), std::string(k, 'v'));
  for (uint64_t k = 0; k < 500; k += 2) EXPECT_TRUE(table.erase(hash_bytes(key(k)), key(k)));
  for (uint64_t k = 0; k < 500; ++k) {
    EXPECT_EQ(k % 2 == 1 ? std::string(k, 'v') : "absent", value(table, key(k))) << k;
  }
}

TEST(ByteTable, TakesAtMost23Or27BytesOfAnEntryBeyondItsKeyAndValue) {
  for (const size_t value_bytes : {size_t{0}, size_t{8}, size_t{ByteTable::kAnyLength}}) {
    const bool any_length = value_bytes == ByteTable::kAnyLength;
    for (const size_t n : {size_t{90000}, size_t{110000}, size_t{130000}}) {
      ByteTable table(value_bytes);
      size_t bytes = 0;
      std::mt19937_64 random(n);
      for (size_t k = 0; k < n; ++k) {
        std::string key(8 + random() % 33, 0);
        for (char& c : key) c = static_cast<char>(random());
        bool is_new;
        insert(&table, key, &is_new);
        if (is_new) bytes += key.size() + (any_length ? 0 : value_bytes);
      }
      EXPECT_GE(any_length ? 27.0 : 23.0,
                static_cast<double>(table.memory_bytes() - bytes) / static_cast<double>(n))
          << n << " keys, values of " << value_bytes << " bytes";
    }
  }
}

TEST(ByteTable, ReusesTheMemoryOfChangedAndErasedEntries) {
  ByteTable table(ByteTable::kAnyLength);
  for (size_t k = 0; k < 2000; ++k) set(&table, std::to_string(k), std::string(500, 'a'));
  const size_t before = table.memory_bytes();
  for (size_t turn = 0; turn < 10; ++turn) {
    for (size_t k = 0; k < 2000; ++k) {
      set(&table, std::to_string(k), std::string(400 + (turn * 37 + k) % 100, 'b'));
      const std::string key = "large" + std::to_string(k % 3);
      set(&table, key, std::string(k % 100 == 0 ? 700000 : 100, 'c'));
      if (k % 7 == 0) table.erase(hash_bytes(key), key);
    }
  }
  EXPECT_GE(2 * before + (size_t{4} << 20), table.memory_bytes());
  table.clear();
  EXPECT_EQ(size_t{0}, table.size());
  EXPECT_EQ("absent", value(table, "1"));
  set(&table, "1", "new");
  EXPECT_EQ("new", value(table, "1"));
}

}  // namespace
