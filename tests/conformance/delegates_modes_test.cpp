/// Reference section "Delegates": delegates with template arguments. Async delegates complete with
/// their scope or event.

#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <type_traits>
#include <vector>

using namespace conformance;

namespace {

GlobalCompletionEvent event;

// Each core has its own instances.
int64_t word;
double real;
Record record;
Mutex mutex;

template <class T>
void expect_nothing() {
  static_assert(std::is_void<T>::value, "async forms return nothing");
}

class DelegateModes : public testing::Test {
 protected:
  DelegateModes() {
    on_all_cores([] {
      word = 0;
      real = 0;
      record = Record();
    });
  }

  static int64_t words() {
    return sum_all_cores([] { return word; });
  }
};

TEST_F(DelegateModes, SyncModes) {
  EXPECT_TRUE(async == SyncMode::Async);
  EXPECT_TRUE(blocking == SyncMode::Blocking);
  const auto there = make_global(&word, last_core());
  finish([there] { delegate::increment<SyncMode::Async>(there, 2); });
  delegate::increment<SyncMode::Blocking>(there, 3);
  EXPECT_EQ(5, delegate::read(there));
}

TEST_F(DelegateModes, CallAsyncOnCore) {
  expect_nothing<decltype(delegate::call<async>(Core(), &mycore))>();
  on_all_cores([] {
    finish([] {
      for (const Core core : some_cores()) {
        for (int64_t k = 0; k < 10; ++k) {
          delegate::call<async>(core, [k] {
            if (k == 5) {  // the body suspends and starts another delegate
              yield();
              delegate::call<async>(next_core(), [] { word += 100; });
            }
            return word += k;
          });
        }
      }
    });
  });
  EXPECT_EQ(cores() * 3 * (45 + 100), words());
}

TEST_F(DelegateModes, CallAsyncByReferenceAndByPointer) {
  on_all_cores([] {
    finish([] {
      for (const Core core : some_cores()) {
        const auto there = make_global(&record, core);
        delegate::call<async>(there, [](Record& mine) { mine.weight += 1; });
        delegate::call<async>(there, [](Record* mine) { mine->weight += 10; });
      }
    });
  });
  EXPECT_EQ(33.0 * cores(), sum_all_cores([] { return record.weight; }));
}

TEST_F(DelegateModes, CallAsyncWithMutex) {
  on_all_cores([] {
    for (int k = 0; k < 5; ++k) {
      delegate::call<async>(
          last_core(), [] { return &mutex; },
          [](Mutex*) {
            EXPECT_FALSE(mutex.is_unlocked());
            const int64_t before = word;
            yield();
            word = before + 1;
          });
    }
  });
  EXPECT_EQ(5 * cores(), words());
}

TEST_F(DelegateModes, CallBlocking) {
  const Core last = last_core();
  const auto there = make_global(&record, last);
  EXPECT_EQ(last, delegate::call<blocking>(last, [] { return mycore(); }));
  delegate::call<blocking>(there, [](Record& mine) { mine.weight = 2; });
  EXPECT_EQ(2, delegate::call<blocking>(there, [](Record* mine) { return mine->weight; }));
  EXPECT_EQ(last, delegate::call<blocking>(
                      last, [] { return &mutex; }, [] { return mycore(); }));
}

TEST_F(DelegateModes, CallAsyncInEvent) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      const auto there = make_global(&record, core);
      delegate::call<async, &event>(core, [] {
        yield();
        ++word;
        spawn([] { word += 10; });  // also belongs to the event
      });
      delegate::call<async, &event>(there, [](Record& mine) { mine.weight += 1; });
      delegate::call<async, &event>(there, [](Record* mine) { mine->weight += 10; });
      delegate::call<async, &event>(
          core, [] { return &mutex; },
          [] {
            EXPECT_FALSE(mutex.is_unlocked());
            word += 100;
          });
    }
    event.wait();
  });
  EXPECT_EQ(333 * cores(), words());
  EXPECT_EQ(33.0 * cores(), sum_all_cores([] { return record.weight; }));
}

TEST_F(DelegateModes, CallBlockingInEvent) {
  const Core last = last_core();
  const auto there = make_global(&word, last);
  const Core answer = delegate::call<blocking, &event>(last, [] {
    spawn([] {
      yield();
      ++word;
    });
    return mycore();
  });
  EXPECT_EQ(last, answer);
  const int64_t other =
      delegate::call<blocking, &event>(there, [](int64_t&) { return int64_t{5}; });
  EXPECT_EQ(5, other);
  const int64_t locked = delegate::call<blocking, &event>(
      last, [] { return &mutex; }, [] { return int64_t{6}; });
  EXPECT_EQ(6, locked);
  event.wait();
  EXPECT_EQ(1, delegate::read(there));
}

TEST_F(DelegateModes, Read) {
  const auto there = make_global(&word, last_core());
  delegate::write(there, 8);
  EXPECT_EQ(8, delegate::read<blocking>(there));
  const int64_t value = delegate::read<blocking, &event>(there);
  EXPECT_EQ(8, value);
}

TEST_F(DelegateModes, Write) {
  expect_nothing<decltype(delegate::write<async>(GlobalAddress<double>(), 1))>();
  const int64_t n = 203;
  const auto array = global_alloc<double>(static_cast<size_t>(n));
  forall(0, n, [array](int64_t k) { delegate::write<async>(array + k, sample<double>(k)); });
  EXPECT_EQ(samples<double>(n), read_all(array, n));
  for (int64_t k = 0; k < n; ++k) delegate::write<async, &event>(array + k, k);
  event.wait();
  std::vector<double> numbers;
  for (int64_t k = 0; k < n; ++k) numbers.push_back(static_cast<double>(k));
  EXPECT_EQ(numbers, read_all(array, n));
  delegate::write<blocking>(array + 3, 9);
  EXPECT_EQ(9.0, delegate::read(array + 3));
  delegate::write<blocking, &event>(array + 3, 10);
  EXPECT_EQ(10.0, delegate::read(array + 3));
  global_free(array);
}

TEST_F(DelegateModes, Increment) {
  expect_nothing<decltype(delegate::increment<async>(GlobalAddress<int64_t>(), 1))>();
  const auto there = make_global(&word, last_core());
  const auto real_there = make_global(&real, last_core());
  on_all_cores([there, real_there] {
    for (int64_t k = 0; k < 10; ++k) {
      delegate::increment<async>(there, 1);
      delegate::increment<async>(there, k);
      delegate::increment<async>(real_there, 0.5);
    }
  });
  EXPECT_EQ(55 * cores(), delegate::read(there));
  EXPECT_EQ(5.0 * cores(), delegate::read(real_there));
  on_all_cores([there] {
    delegate::increment<async, &event>(there, -50);
    event.wait();
    delegate::increment<blocking>(there, -4);
    delegate::increment<blocking, &event>(there, -1);
  });
  EXPECT_EQ(0, delegate::read(there));
}

TEST_F(DelegateModes, FetchAndAdd) {
  expect_nothing<decltype(delegate::fetch_and_add<async>(GlobalAddress<int64_t>(), 1))>();
  const auto there = make_global(&word, last_core());
  finish([there] { delegate::fetch_and_add<async>(there, 5); });
  delegate::fetch_and_add<async, &event>(there, 10);
  event.wait();
  EXPECT_EQ(15, delegate::fetch_and_add<blocking>(there, 1));
  const int64_t before = delegate::fetch_and_add<blocking, &event>(there, 1);
  EXPECT_EQ(16, before);
}

TEST_F(DelegateModes, CompareAndSwap) {
  expect_nothing<decltype(delegate::compare_and_swap<async>(GlobalAddress<int64_t>(), 1, 2))>();
  const auto there = make_global(&word, last_core());
  finish([there] {
    delegate::compare_and_swap<async>(there, 0, 1);
    delegate::compare_and_swap<async>(there, 7, 9);
  });
  EXPECT_EQ(1, delegate::read(there));
  delegate::compare_and_swap<async, &event>(there, 1, 2);
  event.wait();
  EXPECT_EQ(2, delegate::read(there));
  EXPECT_TRUE(delegate::compare_and_swap<blocking>(there, 2, 3));
  EXPECT_FALSE(delegate::compare_and_swap<blocking>(there, 2, 3));
  const bool swapped = delegate::compare_and_swap<blocking, &event>(there, 3, 4);
  EXPECT_TRUE(swapped);
}

}  // namespace
