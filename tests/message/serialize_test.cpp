#include "system/message/serialize.hpp"

#include "tests/message/serialized_types.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Point {
  double x, y;
};

struct Nothing {};

/// Reads or writes a number of bytes that is wrong by `error`.
template <int kReadError, int kWriteError>
struct Wrong {
  std::string text;  // so that the type is not copied as bytes
};

}  // namespace

template <int kReadError, int kWriteError>
struct Grappa::Serialize<Wrong<kReadError, kWriteError>> {
  typedef Wrong<kReadError, kWriteError> Type;
  static size_t size(const Type&) { return 8; }
  static void write(Writer* to, const Type&) { to->bytes("0123456789", 8 + kWriteError); }
  static Type read(Reader* from) {
    from->bytes(8 + kReadError);
    return Type();
  }
};

namespace {

using namespace Grappa;

/// Writes the value at an odd address, and reads it again.
template <class T>
T through_bytes(const T& value) {
  const size_t bytes = Serialize<T>::size(value);
  std::vector<char> memory(bytes + 1);
  detail::write_checked(memory.data() + 1, bytes, value);
  return detail::read_checked<T>(memory.data() + 1, bytes);
}

TEST(Serialize, KeepsPlainValues) {
  EXPECT_EQ(-7, through_bytes<int64_t>(-7));
  EXPECT_EQ(1.5, through_bytes(Point{1.5, 2}).x);
  EXPECT_EQ(size_t{0}, Serialize<Nothing>::size(Nothing()));
  through_bytes(Nothing());
}

TEST(Serialize, KeepsStringsOfAnyBytes) {
  const std::string text(
      "a\0\xff"
      "b",
      4);
  EXPECT_EQ(text, through_bytes(text));
  EXPECT_EQ("", through_bytes(std::string()));
  const std::string longest(size_t{1} << 20, 'x');
  EXPECT_EQ(longest, through_bytes(longest));
}

TEST(Serialize, KeepsVectorsAndTheirElements) {
  const std::vector<int32_t> numbers = {1, -2, 3};
  EXPECT_EQ(numbers, through_bytes(numbers));
  const std::vector<std::string> texts = {"", "one", std::string(100, 'x')};
  EXPECT_EQ(texts, through_bytes(texts));
  EXPECT_TRUE(through_bytes(std::vector<double>()).empty());
  const std::vector<bool> bits = {true, false, true};
  EXPECT_EQ(bits, through_bytes(bits));
  EXPECT_EQ(size_t{3}, through_bytes(std::vector<Unit>(3)).size());
}

TEST(Serialize, ReadsAnyByteOfAVectorOfBools) {
  const unsigned char bytes[] = {3, 0, 0, 0, 0, 1, 115};
  EXPECT_EQ((std::vector<bool>{false, true, true}),
            detail::read_checked<std::vector<bool>>(bytes, sizeof bytes));
}

TEST(Serialize, KeepsPairsAndTuplesInTheirOrder) {
  const std::pair<int32_t, std::string> both(4, "four");
  EXPECT_EQ(both, through_bytes(both));
  const std::pair<int32_t, int64_t> numbers(4, 5);
  EXPECT_EQ(numbers, through_bytes(numbers));
  const std::tuple<std::string, int32_t, std::string, std::vector<char>> all("a", 1, "b", {'c'});
  EXPECT_TRUE(all == through_bytes(all));
}

TEST(Serialize, OfAUserTypeMayUseThatOfItsMembers) {
  const std::vector<Road> roads = through_bytes(std::vector<Road>{{"A1", {3, 2}}, {"", {}}});
  ASSERT_EQ(size_t{2}, roads.size());
  EXPECT_EQ("A1", roads[0].name);
  EXPECT_EQ((std::vector<int32_t>{3, 2}), roads[0].lanes);
  EXPECT_EQ("", roads[1].name);
}

TEST(Serialize, IsWrittenAndReadValueByValue) {
  const std::vector<int16_t> numbers = {7, 8};
  char bytes[64];
  Writer writer(bytes, 4 + 4 + 1, "T = test");
  writer.count(numbers.size());
  for (const int16_t number : numbers) writer.value(number);
  EXPECT_EQ(size_t{1}, writer.left());
  writer.bytes("x", 1);
  EXPECT_EQ(size_t{0}, writer.left());
  Reader reader(bytes, 9, "T = test");
  EXPECT_EQ(size_t{2}, reader.count(sizeof(int16_t)));
  EXPECT_EQ(7, reader.value<int16_t>());
  EXPECT_EQ(8, reader.value<int16_t>());
  EXPECT_EQ(size_t{1}, reader.left());
  EXPECT_EQ('x', *reader.bytes(1));
}

TEST(SerializeDeathTest, AWrongNumberOfBytesAborts) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(through_bytes(Wrong<1, 0>()), "::read reads 9 bytes, but only 8 are left");
  EXPECT_DEATH(through_bytes(Wrong<-1, 0>()), "::read has left 1 bytes of the value");
  EXPECT_DEATH(through_bytes(Wrong<0, 1>()), "::write writes 9 bytes, but only 8 are left");
  EXPECT_DEATH(through_bytes(Wrong<0, -1>()), "::write has written 1 bytes fewer than size");
}

TEST(SerializeDeathTest, AWrongCountAbortsAndAllocatesNothing) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const std::vector<unsigned char> bytes(8, 0xff);
  EXPECT_DEATH(detail::read_checked<std::vector<double>>(bytes.data(), bytes.size()),
               "reads 4294967295 elements, but only 4 bytes are left");
  EXPECT_DEATH(detail::read_checked<std::vector<Unit>>(bytes.data(), bytes.size()),
               "reads 4294967295 elements, but only 4 bytes are left");
  EXPECT_DEATH(detail::read_checked<std::string>(bytes.data(), 3),
               "::read reads 4 bytes, but only 3 are left");
}

TEST(View, ComparesBytesAsUnsignedNumbers) {
  EXPECT_EQ(StringView("one"), StringView(std::string("one")));
  EXPECT_TRUE(StringView("one") != StringView("on"));
  EXPECT_TRUE(StringView("on") < StringView("one"));
  EXPECT_TRUE(StringView("a") < StringView("\xff"));
  EXPECT_TRUE(StringView() == StringView(""));
  EXPECT_FALSE(StringView() < StringView());
}

TEST(View, RefersToTheElementsOfAVector) {
  const std::vector<int32_t> numbers = {5, 6};
  const View<int32_t> view = numbers;
  EXPECT_EQ(numbers.data(), view.data());
  EXPECT_EQ(6, view[1]);
  EXPECT_EQ(numbers, view.copy());
  EXPECT_EQ(11, view[0] + *(view.end() - 1));
  EXPECT_EQ(6, View<int32_t>(numbers.data() + 1, 1)[0]);
}

}  // namespace
