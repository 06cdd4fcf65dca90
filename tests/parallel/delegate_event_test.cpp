#include "system/parallel/spawn.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

GlobalCompletionEvent event;

int64_t ended = 0;  // each core has its own instance

void reset() {
  on_all_cores([] { ended = 0; });
}
int64_t ended_everywhere() {
  return sum_all_cores([] { return ended; });
}

class DelegateEvent : public testing::Test {
 protected:
  void SetUp() override {
    reset();
    words = global_alloc<int64_t>(kWords);
    Grappa::memset(words, 0, kWords);
  }
  void TearDown() override { global_free(words); }

  static constexpr int64_t kWords = 500;
  GlobalAddress<int64_t> words;
};

TEST_F(DelegateEvent, WaitsForAsyncCallsAndWhatTheyStart) {
  on_all_cores([] {
    for (Core core = 0; core < cores(); ++core) {
      delegate::call<async, &event>(core, [] {
        yield();
        ++ended;
        spawn([] {
          yield();
          ++ended;
        });
      });
    }
    event.wait();
  });
  EXPECT_EQ(2 * cores() * cores(), ended_everywhere());
}

TEST_F(DelegateEvent, WaitsForAsyncOperationsOnWords) {
  const auto base = words;
  forall<async, &event>(0, int64_t{kWords},
                        [base](int64_t i) { delegate::write<async, &event>(base + i, 1000); });
  event.wait();
  on_all_cores([base] {
    for (int64_t i = 0; i < kWords; ++i) {
      const auto word = base + i;
      delegate::increment<async, &event>(word, 1);
      delegate::increment<async, &event>(word, i);
      delegate::fetch_and_add<async, &event>(word, 2);
      delegate::call<async, &event>(word, [](int64_t& value) { value += 3; });
      delegate::call<async, &event>(word, [](int64_t* value) { *value += 4; });
    }
    event.wait();
  });
  const int64_t p = cores();
  forall(words, kWords, [p](int64_t i, int64_t& word) { EXPECT_EQ(1000 + p * (i + 10), word); });
}

TEST_F(DelegateEvent, SwapsAsyncIfTheValueIsAsExpected) {
  const auto base = words;
  forall<&event>(0, int64_t{kWords}, [base](int64_t i) {
    delegate::compare_and_swap<async, &event>(base + i, i % 2, 7);  // changes words with even i
  });
  forall(words, kWords, [](int64_t i, int64_t& word) { EXPECT_EQ(i % 2 == 0 ? 7 : 0, word); });
}

TEST_F(DelegateEvent, ReturnsWhatBlockingCallsReturn) {
  const auto base = words;
  on_all_cores([] { barrier(); });
  EXPECT_EQ(5, (delegate::call<blocking, &event>(static_cast<Core>(cores() - 1), [] {
              spawn([] {
                yield();
                ++ended;
              });
              return 5;
            })));
  event.wait();
  EXPECT_EQ(1, ended_everywhere());
  for (int64_t i = 0; i < 50; ++i) {
    delegate::write<blocking, &event>(base + i, i);
    EXPECT_EQ(i, (delegate::fetch_and_add<blocking, &event>(base + i, 3)));
    delegate::increment<blocking, &event>(base + i, 1);
    EXPECT_TRUE((delegate::compare_and_swap<blocking, &event>(base + i, i + 4, -1)));
    EXPECT_FALSE((delegate::compare_and_swap<blocking, &event>(base + i, i + 4, -2)));
    EXPECT_EQ(-1, (delegate::call<blocking, &event>(base + i, [](int64_t& word) { return word; })));
  }
}

TEST_F(DelegateEvent, OmittedOrNullMeansTheCallersScope) {
  const auto base = words;
  finish([base] {
    for (int64_t i = 0; i < kWords; ++i) {
      delegate::increment<async, nullptr>(base + i, 1);
      delegate::fetch_and_add<async>(base + i, 2);
      delegate::compare_and_swap<async>(base + i, -1, 5);
    }
  });
  forall(words, kWords, [](int64_t& word) { EXPECT_EQ(3, word); });
  finish([base] {
    for (int64_t i = 0; i < kWords; ++i) delegate::compare_and_swap<async>(base + i, 3, 5);
  });
  forall(words, kWords, [](int64_t& word) { EXPECT_EQ(5, word); });
}

TEST_F(DelegateEvent, MayBeOmittedInBlockingForms) {
  const auto word = words + 17;
  delegate::write<blocking>(word, 1);
  delegate::increment<blocking>(word, 2);
  EXPECT_EQ(3, delegate::fetch_and_add<blocking>(word, 3));
  EXPECT_TRUE(delegate::compare_and_swap<blocking>(word, 6, 7));
  EXPECT_EQ(7, delegate::read<blocking>(word));
  EXPECT_EQ(7, delegate::call<blocking>(word, [](const int64_t& value) { return value; }));
}

Mutex mutex;  // each core has its own instance

TEST_F(DelegateEvent, MayHoldAMutexInEachMode) {
  const auto lock = [] { return &mutex; };
  const auto count = [](Mutex* held) {
    EXPECT_FALSE(held->is_unlocked());
    const int64_t before = ended;
    yield();
    ended = before + 1;
  };
  on_all_cores([lock, count] {
    const Core last = static_cast<Core>(cores() - 1);
    finish([=] {
      for (int k = 0; k < 5; ++k) delegate::call<async>(last, lock, count);
    });
    for (int k = 0; k < 5; ++k) delegate::call<async, &event>(last, lock, count);
    event.wait();
    delegate::call<blocking>(last, lock, count);
    EXPECT_EQ(last, (delegate::call<blocking, &event>(last, lock, [] { return mycore(); })));
  });
  EXPECT_EQ(11 * cores(), ended_everywhere());
}

TEST_F(DelegateEvent, MayBeNamedByABlockingRead) {
  delegate::write(words + 3, 8);
  EXPECT_EQ(8, (delegate::read<blocking, &event>(words + 3)));
}

}  // namespace
