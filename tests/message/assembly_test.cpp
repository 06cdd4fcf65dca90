#include "system/message/aggregator.hpp"

#include "system/observe/counters.hpp"
#include "tests/harness/random_seed.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

std::vector<char> some_bytes(size_t bytes, unsigned seed) {
  std::vector<char> text(bytes);
  for (size_t k = 0; k < bytes; ++k) text[k] = static_cast<char>(seed * 101 + k * 7 + (k >> 8));
  return text;
}

/// Frees the payload. Returns true if the payload was equal to `wanted`.
bool is_and_frees(void* payload, const std::vector<char>& wanted) {
  const bool same = std::memcmp(payload, wanted.data(), wanted.size()) == 0;
  std::free(payload);
  return same;
}

TEST(Assembly, ReturnsThePayloadWithTheLastPart) {
  Assembly assembly;
  const std::vector<char> text = some_bytes(10, 1);
  EXPECT_EQ(nullptr, assembly.add(0, 0, 10, 0, text.data(), 4));
  EXPECT_EQ(nullptr, assembly.add(0, 0, 10, 4, text.data() + 4, 5));
  void* whole = assembly.add(0, 0, 10, 9, text.data() + 9, 1);
  ASSERT_NE(nullptr, whole);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(whole) % 16);
  EXPECT_TRUE(is_and_frees(whole, text));
}

TEST(Assembly, AcceptsPartsInAnyOrder) {
  const std::vector<char> text = some_bytes(4, 2);
  std::vector<size_t> order = {0, 1, 2, 3};
  do {
    Assembly assembly;
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(nullptr, assembly.add(5, 9, 4, order[k], &text[order[k]], 1));
    }
    EXPECT_TRUE(is_and_frees(assembly.add(5, 9, 4, order[3], &text[order[3]], 1), text));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Assembly, DistinguishesEqualNumbersOfTwoSenders) {
  Assembly assembly;
  const std::vector<char> first = some_bytes(8, 3), second = some_bytes(8, 4);
  EXPECT_EQ(nullptr, assembly.add(0, 7, 8, 0, first.data(), 4));
  EXPECT_EQ(nullptr, assembly.add(1, 7, 8, 4, second.data() + 4, 4));
  EXPECT_TRUE(is_and_frees(assembly.add(0, 7, 8, 4, first.data() + 4, 4), first));
  EXPECT_TRUE(is_and_frees(assembly.add(1, 7, 8, 0, second.data(), 4), second));
}

TEST(Assembly, DistinguishesSendersWithLargeNumbers) {
  Assembly assembly;
  const std::vector<char> text = some_bytes(2, 5);
  const std::pair<Core, uint32_t> names[] = {
      {0, 0xffffffff}, {1, 0xffffffff}, {1, 0x7fffffff}, {0, 0}, {32767, 0}};
  for (const auto& name : names) {
    EXPECT_EQ(nullptr, assembly.add(name.first, name.second, 2, 0, text.data(), 1));
  }
  for (const auto& name : names) {
    EXPECT_TRUE(is_and_frees(assembly.add(name.first, name.second, 2, 1, &text[1], 1), text));
  }
}

TEST(Assembly, AcceptsAReusedNumber) {
  Assembly assembly;
  for (unsigned turn = 0; turn < 3; ++turn) {
    const std::vector<char> text = some_bytes(6, turn);
    EXPECT_EQ(nullptr, assembly.add(3, 1, 6, 3, text.data() + 3, 3));
    EXPECT_TRUE(is_and_frees(assembly.add(3, 1, 6, 0, text.data(), 3), text));
  }
}

TEST(Assembly, NumbersThePayloadsOfACore) {
  Assembly assembly;
  std::set<uint32_t> numbers;
  for (int k = 0; k < 1000; ++k) numbers.insert(assembly.new_number());
  EXPECT_EQ(1000u, numbers.size());
}

TEST(Assembly, FreesIncompletePayloads) {  // AddressSanitizer detects a leak
  Assembly assembly;
  EXPECT_EQ(nullptr, assembly.add(0, 0, 1000, 0, "x", 1));
}

TEST(Assembly, CountsTheParts) {
  const Counter* parts = Counter::first();
  while (std::string(parts->name()) != "message.payload_parts") parts = parts->next();
  const uint64_t before = parts->value();
  Assembly assembly;
  EXPECT_EQ(nullptr, assembly.add(0, 0, 2, 0, "x", 1));
  std::free(assembly.add(0, 0, 2, 1, "y", 1));
  EXPECT_EQ(before + 2, parts->value());
}

TEST(Assembly, ReassemblesShuffledParts) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  struct Part {
    Core source;
    uint32_t number;
    size_t offset, bytes;
  };
  std::vector<Part> parts;
  const auto text_of = [](Core source, uint32_t number) {
    return some_bytes(1000 + 37 * number, static_cast<unsigned>(source) * 50 + number);
  };
  for (Core source = 0; source < 4; ++source) {
    for (uint32_t number = 0; number < 20; ++number) {
      const size_t total = text_of(source, number).size();
      for (size_t offset = 0; offset < total;) {
        const size_t bytes = std::min<size_t>(total - offset, 1 + random() % 300);
        parts.push_back(Part{source, number, offset, bytes});
        offset += bytes;
      }
    }
  }
  std::shuffle(parts.begin(), parts.end(), random);
  Assembly assembly;
  int wholes = 0;
  for (const Part& part : parts) {
    const std::vector<char> text = text_of(part.source, part.number);
    void* whole = assembly.add(part.source, part.number, text.size(), part.offset,
                               text.data() + part.offset, part.bytes);
    if (whole == nullptr) continue;
    ++wholes;
    EXPECT_TRUE(is_and_frees(whole, text));
  }
  EXPECT_EQ(80, wholes);
}

}  // namespace
