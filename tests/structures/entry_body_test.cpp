/// Tests of bodies that run on the entry of a key: with the fields of a payload, and with a view of
/// the value.

#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"

#include <Grappa.hpp>

#include "system/observe/clock.hpp"
#include "tests/structures/modes.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

typedef GlobalMap<std::string, std::string> Texts;
typedef GlobalMap<std::string, std::vector<double>> Lists;
typedef GlobalMap<int64_t, int64_t> Numbers;
typedef GlobalMultiMap<std::string, std::string> MultiTexts;

int64_t wrong = 0;
int64_t seen = 0;

struct Noexcept {
  size_t operator()(StringView value) const noexcept { return value.size(); }
};

constexpr int64_t kScopes = 20;
std::vector<int> done;  // on core 0, by scope

void wait_and_count(int64_t k) {
  const uint64_t end = detail::steady_ns() + static_cast<uint64_t>(k % 4) * 10000000;
  while (detail::steady_ns() < end) yield();
  delegate::call<async>(0, [k] { ++done[static_cast<size_t>(k)]; });
}

/// A value that counts its copies.
struct Counted {
  std::string text;
};

int64_t copies = 0;

}  // namespace

template <>
struct Grappa::Serialize<Counted> {
  static size_t size(const Counted& value) { return serialized_size(value.text); }
  static void write(Writer* to, const Counted& value) { to->value(value.text); }
  static Counted read(Reader* from) {
    ++copies;
    return Counted{from->value<std::string>()};
  }
};

namespace {

class EntryBodies : public EachMode {};

TEST_P(EntryBodies, TakeThePayloadOfAnUpdate) {
  const GlobalAddress<Texts> map = Texts::create(0, GetParam());
  for (int64_t k = 0; k < 40; ++k) {
    const std::string key = std::to_string(k), large(static_cast<size_t>(k * 1000), 'x');
    const std::string old =
        map->update(key, payload(key, large), [k](std::string& value, StringView a, StringView b) {
          const std::string before = value;
          value = a.copy() + std::to_string(k);
          wrong += b.size() != static_cast<size_t>(k * 1000);
          return before;
        });
    EXPECT_EQ("", old);
    // Owned values.
    const size_t bytes =
        map->update(key, payload(large, 'y'), [](std::string& value, std::string text, char y) {
          value += y;
          return value.size() + text.size();
        });
    EXPECT_EQ(2 * key.size() + 1 + large.size(), bytes);
  }
  std::string value;
  for (int64_t k = 0; k < 40; ++k) {
    const std::string key = std::to_string(k);
    EXPECT_TRUE(map->lookup(key, &value));
    EXPECT_EQ(key + key + "y", value);
  }
  EXPECT_EQ(0, sum_all_cores([] { return wrong; }));
  map->destroy();
}

TEST_P(EntryBodies, AreAtomicOnTheirKey) {
  const GlobalAddress<Texts> map = Texts::create(0, GetParam());
  on_all_cores([map] {
    forall_here(0, 200, [map](int64_t k) {
      const std::string more(static_cast<size_t>(k % 3), 'a');
      const auto append = [](std::string& value, StringView text) {
        value.append(text.data(), text.size());
      };
      map->update<async>(std::to_string(k % 5), payload(more), append);
      map->update(std::to_string(k % 5), payload(more), append);
    });
  });
  int64_t bytes = 0;
  for (int64_t k = 0; k < 5; ++k) {
    bytes += static_cast<int64_t>(
        map->update(std::to_string(k), [](StringView value) { return value.size(); }));
  }
  EXPECT_EQ(2 * 199 * cores(), bytes);
  map->destroy();
}

TEST_P(EntryBodies, TakeAlignedElements) {
  const GlobalAddress<Lists> map = Lists::create(0, GetParam());
  for (int64_t k = 0; k < 30; ++k) {
    const std::vector<double> more(static_cast<size_t>(k), 0.5);
    const char number = static_cast<char>(k);  // so that the body has one byte
    const std::string key(static_cast<size_t>(k), 'k');
    const auto append = [number](std::vector<double>& list, View<double> elements) {
      wrong += reinterpret_cast<uintptr_t>(elements.data()) % alignof(double) != 0;
      wrong += elements.size() != static_cast<size_t>(number);
      list.insert(list.end(), elements.begin(), elements.end());
    };
    map->update(key, payload(more), append);
    finish([&] { map->update<async>(key, payload(more), append); });
    EXPECT_TRUE(map->visit(key, payload(more), append));
    std::vector<double> list;
    EXPECT_TRUE(map->lookup(key, &list));
    EXPECT_EQ(std::vector<double>(static_cast<size_t>(3 * k), 0.5), list);
  }
  EXPECT_EQ(0, sum_all_cores([] { return wrong; }));
  map->destroy();
}

/// Each task has its own scope, and its work takes another time, so a commit of several tasks must
/// not mix their scopes.
TEST_P(EntryBodies, StartWorkOfTheScopeOfTheCall) {
  const GlobalAddress<Texts> map = Texts::create(0, GetParam());
  done.assign(kScopes, 0);
  forall_here(0, kScopes, [map](int64_t k) {
    const std::string key = std::to_string(k);
    finish([map, k, &key] {
      map->update(key, payload("x"), [k](std::string& value, StringView text) {
        value = text.copy();
        spawn([k] { wait_and_count(k); });
      });
    });
    EXPECT_EQ(1, done[static_cast<size_t>(k)]);
    finish([map, k, &key] {
      map->visit(key, [k](StringView) {
        delegate::call<async>((mycore() + 1) % cores(), [k] { wait_and_count(k); });
      });
    });
    EXPECT_EQ(2, done[static_cast<size_t>(k)]);
  });
  map->destroy();
}

TEST_P(EntryBodies, VisitPresentKeysOnly) {
  const GlobalAddress<Texts> map = Texts::create(0, GetParam());
  map->insert("here", "value");
  const auto append = [](std::string& value, StringView more) { value += more.copy(); };
  EXPECT_TRUE(map->visit("here", payload(" and more"), append));
  EXPECT_FALSE(map->visit("absent", payload(" and more"), append));
  EXPECT_FALSE(map->visit("absent", [](StringView) {}));
  finish([map, append] {
    map->visit<async>("here", payload("!"), append);
    map->visit<async>("absent", payload("!"), append);
    map->visit<async>("absent", [](std::string& value) { value = "changed"; });
  });
  std::string value;
  EXPECT_TRUE(map->lookup("here", &value));
  EXPECT_EQ("value and more!", value);
  EXPECT_EQ(1, map->size());
  map->destroy();
}

TEST_P(EntryBodies, MayViewTheStoredText) {
  const GlobalAddress<Texts> map = Texts::create(0, GetParam());
  const std::string large(size_t{1} << 20, 'z');
  map->insert("large", large);
  map->insert("", "");
  EXPECT_EQ('z', map->update("large", [](StringView value) { return value[value.size() - 1]; }));
  EXPECT_EQ("zz", map->update("large", payload(2), [](StringView value, int n) {
    return std::string(value.data(), static_cast<size_t>(n));
  }));
  EXPECT_TRUE(map->visit("large", [](StringView value) { wrong += value.size() != 1 << 20; }));
  on_all_cores([] { seen = 0; });
  map->forall_entries([](StringView key, StringView value) {
    seen += static_cast<int64_t>(key.size() + value.size());
  });
  EXPECT_EQ((1 << 20) + 5, sum_all_cores([] { return seen; }));
  EXPECT_EQ(1, map->filter([](StringView, StringView value) { return !value.empty(); }));
  EXPECT_EQ(0, sum_all_cores([] { return wrong; }));
  map->destroy();
}

TEST_P(EntryBodies, OfAMultiMapTakeAPayload) {
  const GlobalAddress<MultiTexts> map = MultiTexts::create(0, GetParam());
  const auto append = [](std::vector<std::string>& list, StringView text, StringView other) {
    list.push_back(text.copy());
    list.push_back(other.copy());
    return list.size();
  };
  EXPECT_EQ(2u, map->update("k", payload("a", "b"), append));
  finish([map, append] { map->update<async>("k", payload("c", ""), append); });
  EXPECT_EQ(std::vector<std::string>({"a", "b", "c", ""}), map->values("k"));
  map->destroy();
}

TEST_P(EntryBodies, OfPlainKeysTakeAPayload) {
  const GlobalAddress<Numbers> map = Numbers::create(0, GetParam());
  const auto add = [](int64_t& value, View<int64_t> more, StringView text) {
    for (const int64_t n : more) value += n;
    return text.copy() + std::to_string(value);
  };
  for (int64_t k = 0; k < 20; ++k) {
    const std::vector<int64_t> more(static_cast<size_t>(k), 2);
    EXPECT_FALSE(map->visit(k, payload(more, "x"), add));
    EXPECT_EQ("sum " + std::to_string(2 * k), map->update(k, payload(more, "sum "), add));
    finish([&] { map->update<async>(k, payload(more, ""), add); });
    EXPECT_TRUE(map->visit(k, payload(more, "x"), add));
    finish([&] {
      map->visit<async>(k, payload(more, "x"), add);
      map->visit<async>(k, [](int64_t& value) { ++value; });
      map->visit<async>(-1, payload(more, "x"), add);
    });
    // Owned values.
    map->update(k, payload("abc"), [](int64_t& value, const std::string& text) {
      value += static_cast<int64_t>(text.size());
    });
    int64_t value = 0;
    EXPECT_TRUE(map->lookup(k, &value));
    EXPECT_EQ(8 * k + 4, value);
  }
  map->sync_all_cores();
  EXPECT_EQ(20, map->size());
  map->destroy();
}

GRAPPA_IN_EACH_MODE(EntryBodies);

size_t free_function(StringView value) { return value.size(); }

TEST(EntryBody, TakesAViewInEachForm) {
  const GlobalAddress<Texts> map = Texts::create();
  map->insert("k", "text");
  EXPECT_EQ(4u, map->update("k", [](StringView value) noexcept { return value.size(); }));
  EXPECT_EQ(4u, map->update("k", [](const StringView& value) mutable { return value.size(); }));
  EXPECT_EQ(4u, map->update("k", &free_function));
  static_assert(std::is_same<detail::ValueIn<std::string, Noexcept, 0>::type, StringView>::value,
                "a body without exceptions takes a view under each standard");
  map->destroy();
}

TEST(EntryBody, OfAnotherTypeTakesACopy) {
  typedef GlobalMap<std::string, Counted> Map;
  const GlobalAddress<Map> map = Map::create();
  map->insert("k", Counted{"text"});
  on_all_cores([] { copies = 0; });
  EXPECT_EQ(4u, map->update("k", [](Counted& value) { return value.text.size(); }));
  EXPECT_EQ(1, sum_all_cores([] { return copies; }));
  map->destroy();
}

}  // namespace
