#include "structures/global_bag.hpp"

#include "system/message/aggregator.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/repetitions.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef GlobalBag<int64_t> Numbers;

GlobalCompletionEvent event;

/// Returns all elements in ascending order.
std::vector<int64_t> contents(GlobalAddress<Numbers> bag) {
  static std::vector<int64_t> all;
  all.clear();
  forall(bag, [](int64_t& x) {
    const int64_t value = x;
    delegate::call<async>(0, [value] { all.push_back(value); });
  });
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<int64_t> first_numbers(int64_t n) {
  std::vector<int64_t> all;
  for (int64_t k = 0; k < n; ++k) all.push_back(k);
  return all;
}

TEST(GlobalBag, IsEmptyAtFirst) {
  const auto bag = Numbers::create();
  EXPECT_EQ(0, bag->size());
  EXPECT_TRUE(bag->empty());
  EXPECT_TRUE(contents(bag).empty());
  bag->destroy();
}

TEST(GlobalBag, HoldsElementsOfAllCores) {
  for (const int64_t hint : {0, 1, 10, 1000}) {
    const auto bag = Numbers::create(hint);
    on_all_cores([bag] {
      for (int64_t k = mycore(); k < 100; k += cores()) bag->add(k);
    });
    EXPECT_EQ(100, bag->size());
    EXPECT_FALSE(bag->empty());
    EXPECT_EQ(first_numbers(100), contents(bag)) << "hint " << hint;
    bag->destroy();
  }
}

TEST(GlobalBag, KeepsEqualElements) {
  const auto bag = Numbers::create();
  for (int k = 0; k < 3; ++k) bag->add(5);
  EXPECT_EQ(std::vector<int64_t>(3, 5), contents(bag));
  bag->destroy();
}

TEST(GlobalBag, KeepsAllElementsOfTasksAndHandlers) {
  const int64_t many = repetitions(100000, 10000);
  const auto bag = Numbers::create();
  forall(0, many, [bag](int64_t k) {
    const Core other = static_cast<Core>(k % cores());
    if (k % 2 == 0) {
      bag->add(k);
    } else {
      delegate::call<async>(other, [bag, k] { bag->add(k); });
    }
  });
  EXPECT_EQ(many, bag->size());
  EXPECT_EQ(first_numbers(many), contents(bag));
  bag->destroy();
}

/// Adds elements in tasks and handlers, and checks that a loop finds each of them once.
template <class T>
void expect_all_kept(T (*make)(int64_t), int64_t (*number_of)(const T&)) {
  constexpr int64_t kMany = 2000;
  const auto bag = GlobalBag<T>::create();
  forall(0, kMany, [bag, make](int64_t k) {
    if (k % 2 == 0) return bag->add(make(k));
    const Core other = static_cast<Core>(k % cores());
    delegate::call<async>(other, [bag, make, k] { bag->add(make(k)); });
  });
  const auto found = Numbers::create();
  forall(bag, [found, make, number_of](T& element) {
    const int64_t k = number_of(element);
    if (element == make(k)) found->add(k);
  });
  EXPECT_EQ(kMany, bag->size());
  EXPECT_EQ(first_numbers(kMany), contents(found));
  found->destroy();
  bag->destroy();
}

/// A number and up to 1 MiB more.
std::string text_of(int64_t k) {
  return std::to_string(k) + std::string(k % 500 == 0 ? size_t{1} << 20 : size_t(k % 60), 't');
}

TEST(GlobalBag, KeepsAllStrings) {
  expect_all_kept<std::string>(&text_of,
                               [](const std::string& text) -> int64_t { return std::stoll(text); });
}

TEST(GlobalBag, KeepsAllVectors) {
  typedef std::vector<int64_t> List;
  expect_all_kept<List>([](int64_t k) { return List(1 + size_t(k % 60), k); },
                        [](const List& list) { return list.back(); });
}

TEST(GlobalBag, AddsWithoutAMessage) {
  const auto bag = Numbers::create();
  aggregator().flush_all(FlushCause::LatencyCritical);  // only sent messages are counted
  const Gain messages("message.messages");
  for (int k = 0; k < 10000; ++k) bag->add(k);
  aggregator().flush_all(FlushCause::LatencyCritical);
  EXPECT_EQ(0u, messages.value());
  bag->destroy();
}

TEST(GlobalBag, LoopsOnTheCoreOfEachElement) {
  const auto bag = Numbers::create();
  on_all_cores([bag] {
    for (int64_t k = 0; k < 50; ++k) bag->add(1000 * mycore() + k);
  });
  forall(bag, [](int64_t& x) {
    EXPECT_EQ(mycore(), x / 1000);
    x = -x;
  });
  const std::vector<int64_t> all = contents(bag);
  EXPECT_EQ(-(1000 * (cores() - 1) + 49), all.front());
  EXPECT_EQ(0, all.back());
  bag->destroy();
}

TEST(GlobalBag, LoopsWithAnyArguments) {
  const auto bag = Numbers::create();
  on_all_cores([bag] {
    for (int64_t k = 0; k < 30; ++k) bag->add(0);
  });
  on_all_cores([bag] { finish([bag] { forall<async, 4>(bag, [](int64_t& x) { ++x; }); }); });
  forall<&event>(bag, [](int64_t& x) { x += 1000; });
  EXPECT_EQ(std::vector<int64_t>(static_cast<size_t>(30 * cores()), 1000 + cores()), contents(bag));
  bag->destroy();
}

TEST(GlobalBag, LoopsWithoutElementsAddedByTheBodies) {
  const auto bag = Numbers::create();
  on_all_cores([bag] {
    for (int64_t k = 0; k < 200; ++k) bag->add(0);
  });
  for (int64_t round = 1; round <= 3; ++round) {
    static int64_t seen;
    on_all_cores([] { seen = 0; });
    forall(bag, [bag, round](int64_t& x) {
      ++seen;
      for (int k = 0; k < 2; ++k) bag->add(round);
      EXPECT_LT(x, round);
      yield();
    });
    int64_t there = 200 * cores();
    for (int64_t r = 1; r < round; ++r) there *= 3;
    EXPECT_EQ(there, sum_all_cores([] { return seen; }));
    EXPECT_EQ(3 * there, bag->size());
  }
  bag->destroy();
}

TEST(GlobalBag, KeepsTheAddressesOfElements) {
  const auto bag = Numbers::create();
  bag->add(1);
  static int64_t* place;
  forall(bag, [](int64_t& x) { place = &x; });
  for (int64_t k = 0; k < 100000; ++k) bag->add(2);
  *place = 7;
  const std::vector<int64_t> all = contents(bag);
  EXPECT_EQ(7, all.back());
  EXPECT_EQ(100001u, all.size());
  bag->destroy();
}

TEST(GlobalBag, IsClearedOnAllCores) {
  const auto bag = Numbers::create();
  on_all_cores([bag] {
    for (int64_t k = 0; k < 1000; ++k) bag->add(k);
  });
  const Core last = static_cast<Core>(cores() - 1);
  delegate::call(last, [bag] { bag->clear(); });
  EXPECT_TRUE(bag->empty());
  bag->add(4);
  EXPECT_EQ(std::vector<int64_t>{4}, contents(bag));
  bag->destroy();
}

/// A type that is not trivially copyable, because it has a destructor.
struct Name {
  static int64_t alive;  // number of objects on this core
  std::string text;
  explicit Name(std::string its_text) : text(std::move(its_text)) { ++alive; }
  Name(Name&& other) : text(std::move(other.text)) { ++alive; }
  ~Name() { --alive; }
};
int64_t Name::alive = 0;

TEST(GlobalBag, HoldsElementsOfAnyTypeAndDestroysThem) {
  const auto bag = GlobalBag<Name>::create();
  on_all_cores([bag] {
    for (int k = 0; k < 500; ++k) {
      bag->add(Name("a text that is longer than short strings, number " + std::to_string(k)));
    }
    EXPECT_EQ(500, Name::alive);
  });
  static int64_t length;
  on_all_cores([] { length = 0; });
  forall(bag, [](Name& name) { length += static_cast<int64_t>(name.text.size()); });
  EXPECT_EQ(cores() * (500 * 49 + 10 + 2 * 90 + 3 * 400), sum_all_cores([] { return length; }));
  bag->clear();
  on_all_cores([bag] {
    EXPECT_EQ(0, Name::alive);
    bag->add(Name("left"));
  });
  bag->destroy();
  on_all_cores([] { EXPECT_EQ(0, Name::alive); });
}

TEST(GlobalBag, FreesAllMemory) {
  const size_t before = heap_bytes_free();
  const auto bag = Numbers::create(1000);
  bag->add(3);
  bag->destroy();
  EXPECT_EQ(before, heap_bytes_free());
}

}  // namespace
