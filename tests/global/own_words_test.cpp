#include "system/global/own_words.hpp"

#include "system/message/own_messages.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr size_t kMany = 1 << 20;  // bytes of messages, more than the choice depends on

void make_fast(OwnWords* words) {
  for (int k = 0; k < 100; ++k) words->add_sample(20);
}

TEST(OwnWords, SendsUntilManyOperationsAreKnown) {
  OwnWords words;
  make_fast(&words);
  EXPECT_FALSE(words.choose());
  words.add_own(1000);
  EXPECT_FALSE(words.choose());
  words.add_own(kMany);
  EXPECT_TRUE(words.choose());
}

TEST(OwnWords, SendsIfAccessesAreSlow) {
  OwnWords words;
  for (int k = 0; k < 100; ++k) words.add_sample(150);
  words.add_own(kMany);
  EXPECT_FALSE(words.choose());
  make_fast(&words);
  words.add_own(kMany);
  EXPECT_TRUE(words.choose());
  for (int k = 0; k < 100; ++k) words.add_sample(150);
  words.add_own(kMany);
  EXPECT_FALSE(words.choose());
}

TEST(OwnWords, SendsIfOwnersAlternate) {
  OwnWords words;
  make_fast(&words);
  for (int k = 0; k < 20; ++k) {
    words.add_own(kMany);
    words.add_other(kMany);
    EXPECT_FALSE(words.choose());
  }
  for (int k = 0; k < 20; ++k) {
    words.add_own(kMany);
    words.add_other(kMany / 20);
    words.choose();
  }
  EXPECT_TRUE(words.choose());
}

TEST(OwnWords, SamplesOneOf2048WordsAtAnyDistance) {
  const OwnWords words;
  for (const uintptr_t bytes : {4, 8, 64, 4096, 100000}) {
    int sampled = 0;
    for (uintptr_t k = 1; k <= 1 << 16; ++k) {
      sampled += words.is_sampled(reinterpret_cast<const void*>(k * bytes)) ? 1 : 0;
    }
    EXPECT_NEAR(32, sampled, 16) << bytes;
  }
}

int64_t word = 0;

// Each test permits operations at once, as if the choice were in their favour.
class AtOnce : public testing::Test {
 protected:
  AtOnce() { word = 0; }
  ~AtOnce() override { the_own_messages.permit(false); }
  static void permit() { the_own_messages.permit(true); }
};

TEST_F(AtOnce, OperationsTakeEffectImmediatelyWithoutAMessage) {
  const auto address = make_global(&word);
  finish([] {});
  permit();
  const Gain messages("message.messages");
  const int64_t before = messages.value();
  delegate::increment<async>(address, 1);
  EXPECT_EQ(1, word);
  delegate::increment<async>(address, 4);
  EXPECT_EQ(5, word);
  delegate::write<async>(address, 9);
  EXPECT_EQ(9, word);
  delegate::compare_and_swap<async>(address, 9, 10);
  EXPECT_EQ(10, word);
  EXPECT_EQ(before, messages.value());
}

TEST_F(AtOnce, OperationsDoNotOvertakeMessages) {
  const auto address = make_global(&word);
  finish([address] {
    delegate::write<async>(address, 1);
    permit();
    delegate::write<async>(address, 2);
    EXPECT_EQ(0, word) << "the first operation waits in a buffer";
  });
  EXPECT_EQ(2, word);
}

TEST_F(AtOnce, OperationsOfAHandlerTakeEffectAfterTheHandler) {
  const auto address = make_global(&word);
  permit();
  finish([address] {
    delegate::call<async>(static_cast<Core>(cores() - 1), [address] {
      delegate::call<async>(address, [address](int64_t& its) {
        const int64_t before = its;
        delegate::increment<async>(address, 1);
        its = before + 10;
      });
    });
  });
  EXPECT_EQ(11, word);
}

TEST_F(AtOnce, OperationsOnOtherTypesThanScalarsAreSent) {
  static struct Pair { int64_t a, b; } pair;
  pair = {0, 0};
  finish([] { delegate::write<async>(make_global(&pair), Pair{0, 0}); });
  permit();
  finish([] {
    delegate::write<async>(make_global(&pair), Pair{1, 2});
    EXPECT_EQ(0, pair.a);
  });
  EXPECT_EQ(2, pair.b);
}

// The choice changes during the loop, between sequential and random words.
TEST_F(AtOnce, AllOperationsTakeEffectOnceWhileTheChoiceChanges) {
  constexpr int64_t kWords = 1 << 12, kRounds = 200;
  const auto words = global_alloc<int64_t>(kWords);
  Grappa::memset(words, int64_t{0}, kWords);
  on_all_cores([words] {
    for (int64_t k = 0; k < kRounds * kWords; ++k) {
      const bool random = k / (8 * kWords) % 2 == 0;
      delegate::increment<async>(words + (random ? k * 7919 % kWords : k % kWords), 1);
      if (k % 5000 == 0) the_own_messages.permit(k % 2 == 0);
    }
  });
  const int64_t expected = kRounds * cores();
  forall(words, kWords, [expected](int64_t& its) { EXPECT_EQ(expected, its); });
  global_free(words);
}

}  // namespace
