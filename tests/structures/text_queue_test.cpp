/// Tests of GlobalQueue with elements that have a Serialize: strings, vectors and other types.
/// queue_linearizable_test.cpp tests linearizability.

#include "structures/global_queue.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "system/message/append.hpp"
#include "tests/structures/modes.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

/// A type with a Serialize. Counts its objects on this core.
struct Road {
  static int64_t alive;
  std::string name;
  int64_t lanes;

  explicit Road(std::string its_name = "", int64_t its_lanes = 0)
      : name(std::move(its_name)), lanes(its_lanes) {
    ++alive;
  }
  Road(const Road& other) : name(other.name), lanes(other.lanes) { ++alive; }
  Road& operator=(const Road&) = default;
  ~Road() { --alive; }
};
int64_t Road::alive = 0;

}  // namespace

template <>
struct Grappa::Serialize<Road> {
  static size_t size(const Road& road) { return road.name.size() + sizeof road.lanes; }
  static void write(Writer* to, const Road& road) {
    to->value(road.lanes);
    to->bytes(road.name.data(), road.name.size());
  }
  // The name has no count: it takes the other bytes of the value.
  static Road read(Reader* from) {
    const auto lanes = from->value<int64_t>();
    const size_t n = from->left();
    return Road(std::string(from->bytes(n), n), lanes);
  }
};

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef GlobalQueue<std::string> Texts;

constexpr size_t kLongest = size_t{1} << 20;

/// A text of this length, whose characters depend on the seed and on their position.
std::string text(size_t length, int64_t seed = 0) {
  std::string all(length, ' ');
  for (size_t i = 0; i < length; ++i) {
    all[i] = static_cast<char>((i * 7 + i / 251 + static_cast<size_t>(seed) * 13) % 256);
  }
  return all;
}

/// A text that contains a number, with 1 to 300 bytes.
std::string numbered(int64_t number) {
  return std::to_string(number) + std::string(static_cast<size_t>(number * 31 % 281), '.');
}
int64_t number_in(const std::string& value) { return std::stoll(value); }

class TextQueueInEachMode : public EachMode {
 protected:
  void SetUp() override { queue = Texts::create(0, GetParam()); }
  void TearDown() override { queue->destroy(); }

  /// Pushes texts of these lengths on the last core, and pops them on core 0.
  void expect_to_keep(const std::vector<size_t>& lengths) {
    const auto q = queue;
    for (size_t length : lengths) {
      delegate::call(static_cast<Core>(cores() - 1), [q, length] { q->push(text(length)); });
    }
    for (size_t length : lengths) {
      ASSERT_TRUE(text(length) == queue->pop()) << length << " bytes";
    }
    EXPECT_TRUE(queue->empty());
  }

  GlobalAddress<Texts> queue;
};

TEST_P(TextQueueInEachMode, KeepsTextsOfAnyLength) {
  expect_to_keep({0, 1, 7, 15, 16, 17, 255, 4096, 4097, 65535, 65536, 65537, 300001, kLongest});
}

TEST_P(TextQueueInEachMode, KeepsTextsThatFillABuffer) {
  std::vector<size_t> lengths;
  for (size_t less = 0; less < 80; ++less) lengths.push_back(largest_message() - less);
  expect_to_keep(lengths);
}

TEST_P(TextQueueInEachMode, PopsInFifoOrder) {
  for (int64_t i = 0; i < 2000; ++i) queue->push(numbered(i));
  EXPECT_EQ(2000, queue->size());
  for (int64_t i = 0; i < 2000; ++i) ASSERT_EQ(numbered(i), queue->pop());
  EXPECT_TRUE(queue->empty());
}

TEST_P(TextQueueInEachMode, ReportsThatItIsEmpty) {
  std::string value = "unchanged";
  EXPECT_FALSE(queue->try_pop(&value));
  EXPECT_EQ("unchanged", value);
  EXPECT_EQ(0, queue->try_pop(&value, 1));
  EXPECT_EQ("unchanged", value);
  queue->enqueue("");
  EXPECT_TRUE(queue->try_pop(&value));
  EXPECT_EQ("", value);
}

TEST_P(TextQueueInEachMode, KeepsTheOrderOfEachProducer) {
  const auto q = queue;
  constexpr int64_t kEach = 200;
  const int64_t producers = 4 * cores();
  forall<1>(0, producers, [q](int64_t producer) {
    for (int64_t i = 0; i < kEach; ++i) q->push(numbered(producer * kEach + i));
  });
  std::vector<int64_t> next(static_cast<size_t>(producers), 0);
  for (int64_t n = producers * kEach; n > 0; --n) {
    const std::string value = queue->pop();
    const int64_t number = number_in(value), producer = number / kEach;
    ASSERT_EQ(numbered(number), value);
    ASSERT_EQ(next[static_cast<size_t>(producer)]++, number % kEach) << "producer " << producer;
  }
  EXPECT_TRUE(queue->empty());
}

TEST_P(TextQueueInEachMode, PopsSeveralAtATime) {
  const auto q = queue;
  for (int64_t i = 0; i < 1500; ++i) {
    delegate::call(static_cast<Core>(i % cores()), [q, i] { q->push(numbered(i)); });
  }
  std::vector<std::string> values(1500, "unchanged");
  EXPECT_EQ(0, queue->try_pop(values.data(), 0));
  EXPECT_EQ(1000, queue->try_pop(values.data(), 1000));
  EXPECT_EQ("unchanged", values[1000]);
  EXPECT_EQ(500, queue->try_pop(values.data() + 1000, 5000));
  for (int64_t i = 0; i < 1500; ++i) ASSERT_EQ(numbered(i), values[static_cast<size_t>(i)]);
}

// The texts of a core form one segment, which is sent in several messages.
TEST_P(TextQueueInEachMode, PopsMoreAtATimeThanFitsInAMessage) {
  const auto q = queue;
  constexpr int64_t kTexts = 100;
  const auto length = [](int64_t i) { return i == 50 ? kLongest : size_t(2000 + 10 * i); };
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [q, length] {
      for (int64_t i = 0; i < kTexts; ++i) q->push(text(length(i), mycore() * kTexts + i));
    });
  }
  std::vector<std::string> popped(static_cast<size_t>(kTexts * cores()));
  EXPECT_EQ(kTexts * cores(), queue->try_pop(popped.data(), kTexts * cores() + 1));
  for (int64_t k = 0; k < kTexts * cores(); ++k) {
    ASSERT_TRUE(popped[size_t(k)] == text(length(k % kTexts), k)) << "element " << k;
  }
}

TEST_P(TextQueueInEachMode, NeitherLosesNorDuplicatesElementsUnderMixedLoad) {
  const auto q = queue;
  const auto sums = symmetric<int64_t>(int64_t{0});
  forall(0, 8000, [q, sums](int64_t i) {
    std::string value;
    if ((i * 7919 >> 3) % 2 == 0) {
      const std::string pushed = numbered(i);
      q->push(pushed);
      *sums += i;
    } else if (q->try_pop(&value)) {
      EXPECT_EQ(numbered(number_in(value)), value);
      *sums -= number_in(value);
    }
  });
  int64_t left = reduce<int64_t, collective_add>(sums);
  std::vector<std::string> rest(8000);
  const int64_t size = queue->size();
  EXPECT_EQ(size, queue->try_pop(rest.data(), 8000));
  for (int64_t i = 0; i < size; ++i) left -= number_in(rest[static_cast<size_t>(i)]);
  EXPECT_EQ(0, left);
  global_free(sums);
}

TEST_P(TextQueueInEachMode, CopiesAPushedViewBeforeOtherTasksRun) {
  const auto q = queue;
  on_all_cores([q] {
    std::string shared = "first";
    bool pushing = false;
    finish([q, &shared, &pushing] {
      spawn([&shared, &pushing] {
        while (!pushing) yield();
        shared = "overwritten, and longer than before";
      });
      std::string other = "first";
      q->push<async>(other);
      other = "also overwritten";
      pushing = true;
      q->push(StringView(shared.data(), 3));
    });
  });
  std::vector<std::string> values(static_cast<size_t>(2 * cores()));
  EXPECT_EQ(2 * cores(), queue->try_pop(values.data(), 2 * cores()));
  std::sort(values.begin(), values.end());
  for (size_t i = 0; i < values.size() / 2; ++i) {
    EXPECT_EQ("fir", values[i]);
    EXPECT_EQ("first", values[values.size() / 2 + i]);
  }
}

TEST_P(TextQueueInEachMode, LoopsOverEachElementOnItsCore) {
  const auto q = queue;
  forall(0, 1000, [q](int64_t i) { q->push(numbered(i)); });
  for (int64_t i = 0; i < 100; ++i) EXPECT_NE("", queue->pop());
  const auto counts = symmetric<int64_t>(int64_t{0});
  forall(queue, [counts](std::string& value) {
    ++*counts;
    value = "a text that is longer than short strings: " + value;
  });
  EXPECT_EQ(900, (reduce<int64_t, collective_add>(counts)));
  for (int64_t i = 0; i < 900; ++i) ASSERT_EQ(0u, queue->pop().find("a text that is longer"));
  EXPECT_TRUE(queue->empty());
  global_free(counts);
}

TEST_P(TextQueueInEachMode, KeepsVectorsAndTypesWithSerialize) {
  const auto numbers = GlobalQueue<std::vector<int64_t>>::create(0, GetParam());
  const auto flags = GlobalQueue<std::vector<bool>>::create(0, GetParam());
  const auto pairs =
      GlobalQueue<std::pair<std::string, std::vector<std::string>>>::create(0, GetParam());
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [numbers, flags, pairs, core] {
      const int64_t some[] = {core, 7, -core};
      numbers->push(View<int64_t>(some, 3));
      numbers->push({0, 5});
      numbers->push({});
      flags->push(std::vector<bool>{core == 0, true});
      pairs->push({numbered(core), {"x", "", text(100)}});
    });
  }
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ((std::vector<int64_t>{core, 7, -core}), numbers->pop());
    EXPECT_EQ((std::vector<int64_t>{0, 5}), numbers->pop());
    EXPECT_TRUE(numbers->pop().empty());
    EXPECT_EQ((std::vector<bool>{core == 0, true}), flags->pop());
    const auto pair = pairs->pop();
    EXPECT_EQ(numbered(core), pair.first);
    EXPECT_EQ((std::vector<std::string>{"x", "", text(100)}), pair.second);
  }
  const auto ends = GlobalQueue<std::pair<int64_t, int64_t>>::create(0, GetParam());
  ends->push({3, 4});
  EXPECT_EQ((std::pair<int64_t, int64_t>(3, 4)), ends->pop());
  ends->destroy();
  numbers->destroy();
  flags->destroy();
  pairs->destroy();
}

TEST_P(TextQueueInEachMode, DestroysEachObjectOnce) {
  const auto roads = GlobalQueue<Road>::create(100, GetParam());
  const auto alive = [] { return sum_all_cores([] { return Road::alive; }); };
  const auto push_all = [roads] {
    forall(0, 600, [roads](int64_t i) { roads->push(Road(numbered(i), i)); });
  };
  push_all();
  EXPECT_EQ(600, alive());
  for (int64_t i = 0; i < 200; ++i) {
    const Road road = roads->pop();
    ASSERT_EQ(numbered(road.lanes), road.name);
  }
  {
    std::vector<Road> some(100);
    EXPECT_EQ(100, roads->try_pop(some.data(), 100));
  }
  EXPECT_EQ(300, alive());
  roads->clear();
  EXPECT_EQ(0, alive());
  EXPECT_TRUE(roads->empty());
  push_all();
  roads->destroy();
  EXPECT_EQ(0, alive());
}

GRAPPA_IN_EACH_MODE(TextQueueInEachMode);

TEST(TextQueueCombining, SendsOneMessageForABatch) {
  const auto q = Texts::create(0, Combining::Distributed);
  Metrics::reset_all_cores();
  forall(0, 4000 * cores(), [q](int64_t i) {
    std::string value;
    if (i % 2 == 0) {
      q->push(numbered(i));
    } else {
      q->try_pop(&value);
    }
  });
  const int64_t messages = sum_all_cores(
      [] { return static_cast<int64_t>(structure_counters::master_messages.value()); });
  EXPECT_LE(messages, 2000 * cores());
  q->destroy();
}

}  // namespace
