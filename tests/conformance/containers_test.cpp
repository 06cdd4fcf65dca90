/// Reference section "Containers": containers without combining.

#include "structures/global_array.hpp"
#include "structures/global_bag.hpp"
#include "structures/global_counter.hpp"
#include "structures/push_buffer.hpp"
#include "tests/conformance/samples.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace conformance;

namespace {

GlobalCompletionEvent event;

template <class T>
std::vector<T> contents(GlobalAddress<GlobalArray<T>> array) {
  return read_all(array->begin(), array->size());
}

template <class T>
void array_of() {
  const auto array = GlobalArray<T>::create(100, sample<T>(5));
  EXPECT_TRUE(std::vector<T>(100, sample<T>(5)) == contents(array));
  on_all_cores([array] {
    for (int64_t i = mycore(); i < 100; i += cores()) {
      delegate::write((*array)[i], sample<T>(i));
    }
  });
  EXPECT_TRUE(samples<T>(100) == contents(array));
  array->destroy();
}

TEST(GlobalArray, Create) {
  array_of<int64_t>();
  array_of<double>();
  array_of<bool>();
  array_of<Record>();
  const auto zeros = GlobalArray<int64_t>::create(10);
  EXPECT_EQ(std::vector<int64_t>(10, 0), contents(zeros));
  zeros->destroy();
}

TEST(GlobalArray, Elements) {
  const auto array = GlobalArray<int64_t>::create(50);
  forall(array, [](int64_t i, int64_t& element) { element = i; });
  on_all_cores([array] {
    EXPECT_EQ(50, array->size());
    EXPECT_FALSE(array->empty());
    EXPECT_EQ(50, array->end() - array->begin());
    EXPECT_EQ(array->begin() + 17, (*array)[17]);
    EXPECT_EQ(17, delegate::read((*array)[17]));
  });
  const GlobalArray<int64_t> copy = *array;
  forall(0, 50, [copy](int64_t i) { delegate::increment(copy[i], 1); });
  EXPECT_EQ(50, delegate::read((*array)[49]));
  array->destroy();
}

TEST(GlobalArray, Forall) {
  const auto array = GlobalArray<int64_t>::create(100);
  forall(array, [](int64_t& element) { element += 1; });
  finish(
      [array] { forall<async, 8>(array, [](int64_t i, int64_t& element) { element += 10 * i; }); });
  forall<async, &event>(array, [](int64_t first, int64_t count, int64_t* few) {
    for (int64_t k = 0; k < count; ++k) few[k] += 10000 * (first + k);
  });
  event.wait();
  const std::vector<int64_t> all = contents(array);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(10010 * i + 1, all[static_cast<size_t>(i)]);
  array->destroy();
}

TEST(GlobalArray, Destroy) {
  const size_t before = heap_bytes_free();
  const auto array = GlobalArray<int64_t>::create(100000);
  array->destroy();
  EXPECT_EQ(before, heap_bytes_free());
}

TEST(GlobalCounter, Incr) {
  const auto counter = GlobalCounter::create();
  const auto other = GlobalCounter::create(100);
  forall(0, 1000, [counter, other](int64_t i) {
    counter->incr();
    other->incr(-i);
  });
  for (const Core core : some_cores()) {
    EXPECT_EQ(1000, delegate::call(core, [counter] { return counter->count(); }));
    EXPECT_EQ(100 - 499500, delegate::call(core, [other] { return other->count(); }));
  }
  counter->reset();
  other->reset(7);
  EXPECT_EQ(0, counter->count());
  EXPECT_EQ(7, other->count());
  counter->destroy();
  other->destroy();
}

TEST(GlobalBag, Add) {
  const auto bag = GlobalBag<Triple>::create(1000);
  EXPECT_TRUE(bag->empty());
  forall(0, 1000, [bag](int64_t i) { bag->add(sample<Triple>(i)); });
  EXPECT_EQ(1000, bag->size());
  static std::vector<int64_t> seen;
  seen.clear();
  forall(bag, [](Triple& t) {
    EXPECT_TRUE(t == sample<Triple>(t.a));
    const int64_t a = t.a;
    delegate::call<async>(0, [a] { seen.push_back(a); });
  });
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(1000u, seen.size());
  for (int64_t k = 0; k < 1000; ++k) EXPECT_EQ(k, seen[static_cast<size_t>(k)]);
  bag->clear();
  EXPECT_EQ(0, bag->size());
  bag->destroy();
}

TEST(GlobalBag, Forall) {
  const auto bag = GlobalBag<std::string>::create();  // elements need not be trivially copyable
  on_all_cores([bag] { bag->add("core " + std::to_string(mycore())); });
  finish([bag] { forall<async, 1>(bag, [](std::string& text) { text += '!'; }); });
  forall<&event>(
      bag, [](std::string& text) { EXPECT_EQ("core " + std::to_string(mycore()) + "!", text); });
  bag->destroy();
}

PushBuffer<Triple> triples;
PushBuffer<int64_t, 100> numbers;

TEST(PushBuffer, SetupPushFlush) {
  const auto array = GlobalArray<int64_t>::create(1000);
  const GlobalAddress<int64_t> first = array->begin(), index = global_alloc<int64_t>(1);
  delegate::write(index, 0);
  on_all_cores([first, index] { numbers.setup(first, index); });
  forall(0, 1000, [](int64_t i) { numbers.push(i); });
  on_all_cores([] { numbers.flush(); });
  EXPECT_EQ(1000, delegate::read(index));
  std::vector<int64_t> all = contents(array);
  std::sort(all.begin(), all.end());
  for (int64_t k = 0; k < 1000; ++k) EXPECT_EQ(k, all[static_cast<size_t>(k)]);
  array->destroy();

  static Triple received[10];
  delegate::write(index, 0);
  const auto here = make_global(received);
  on_all_cores([here, index] { triples.setup(here, index); });
  delegate::call(last_core(), [] {
    for (int64_t k = 0; k < 10; ++k) triples.push(sample<Triple>(k));
    triples.flush();
  });
  for (int64_t k = 0; k < 10; ++k) EXPECT_TRUE(sample<Triple>(k) == received[k]);
  global_free(index);
}

}  // namespace
