#include "structures/detail/short_key.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace {

using Grappa::detail::ShortKey;

std::string text_of(size_t bytes) {
  std::string text;
  for (size_t k = 0; k < bytes; ++k) text += static_cast<char>('a' + k % 26);
  return text;
}

ShortKey key_of(const std::string& text) {
  ShortKey key;
  key.assign(text);
  return key;
}

TEST(ShortKey, KeepsItsBytesWhenItIsMoved) {
  for (size_t bytes = 0; bytes <= ShortKey::kMostBytes; ++bytes) {
    ShortKey key = key_of(text_of(bytes));
    EXPECT_EQ(text_of(bytes), key.bytes().copy());
    ShortKey other = key_of("other");
    std::swap(key, other);
    EXPECT_EQ(text_of(bytes), other.bytes().copy());
    EXPECT_EQ("other", key.bytes().copy());
    key = std::move(other);
    EXPECT_EQ(text_of(bytes), key.bytes().copy());
    EXPECT_FALSE(other.used());
  }
}

TEST(ShortKey, TakesKeysOfOtherLengths) {
  ShortKey key;
  for (const size_t bytes : {3, 200, 14, 15, 255, 0}) {
    key.assign(text_of(bytes));
    EXPECT_TRUE(key.used());
    EXPECT_EQ(text_of(bytes), key.bytes().copy());
  }
  key.clear();
  EXPECT_FALSE(key.used());
}

TEST(ShortKey, EqualsKeysOfTheSameBytes) {
  for (const size_t bytes : {1, 7, 8, 14, 15, 100}) {
    const std::string text = text_of(bytes);
    EXPECT_TRUE(key_of(text) == key_of(text));
    EXPECT_FALSE(key_of(text) == key_of(text + 'x'));
    std::string last_differs = text;
    last_differs.back() = '-';
    EXPECT_FALSE(key_of(text) == key_of(last_differs));
  }
}

TEST(ShortKey, DistinguishesAnEmptyKeyFromNone) {
  EXPECT_TRUE(key_of("").used());
  EXPECT_FALSE(key_of("") == ShortKey());
}

}  // namespace
