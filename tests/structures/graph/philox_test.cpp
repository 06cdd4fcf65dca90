#include "structures/graph/make/generators.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

void expect_words(const PhiloxCounter& random, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3) {
  EXPECT_EQ(random.word[0], w0);
  EXPECT_EQ(random.word[1], w1);
  EXPECT_EQ(random.word[2], w2);
  EXPECT_EQ(random.word[3], w3);
}

// The known answers published with the paper (Random123, kat_vectors).
TEST(Philox, GivesTheKnownAnswerForZeros) {
  expect_words(philox4x64({{0, 0, 0, 0}}, {{0, 0}}), 0x16554d9eca36314cu, 0xdb20fe9d672d0fdcu,
               0xd7e772cee186176bu, 0x7e68b68aec7ba23bu);
}

TEST(Philox, GivesTheKnownAnswerForOnes) {
  const uint64_t ones = ~uint64_t(0);
  expect_words(philox4x64({{ones, ones, ones, ones}}, {{ones, ones}}), 0x87b092c3013fe90bu,
               0x438c3c67be8d0224u, 0x9cc7d7c69cd777b6u, 0xa09caebf594f0ba0u);
}

TEST(Philox, GivesTheKnownAnswerForDigitsOfPi) {
  expect_words(philox4x64({{0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u,
                            0x082efa98ec4e6c89u}},
                          {{0x452821e638d01377u, 0xbe5466cf34e90c6cu}}),
               0xa528f45403e61d95u, 0x38c72dbd566e9788u, 0xa5a1610e72fd18b5u, 0x57bd43b5e52b7fe6u);
}

}  // namespace
}  // namespace Grappa
