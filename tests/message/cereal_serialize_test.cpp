#include "system/message/cereal_serialize.hpp"

#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Road {
  std::string name;
  std::map<int32_t, double> widths;
  std::shared_ptr<int64_t> toll;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, widths, toll);
  }
};

/// A value that reads more than it writes.
struct Greedy {
  template <class Archive>
  void save(Archive& archive) const {
    archive(int32_t{1});
  }
  template <class Archive>
  void load(Archive& archive) {
    int64_t word;
    archive(word);
  }
};

/// A value that reads less than it writes.
struct Modest {
  template <class Archive>
  void save(Archive& archive) const {
    archive(int64_t{1});
  }
  template <class Archive>
  void load(Archive& archive) {
    int32_t word;
    archive(word);
  }
};

}  // namespace

template <>
struct Grappa::Serialize<Road> : Grappa::CerealSerialize<Road> {};
template <>
struct Grappa::Serialize<Greedy> : Grappa::CerealSerialize<Greedy> {};
template <>
struct Grappa::Serialize<Modest> : Grappa::CerealSerialize<Modest> {};

namespace {

using namespace Grappa;

template <class T>
std::vector<char> bytes_of(const T& value) {
  std::vector<char> bytes(Serialize<T>::size(value));
  detail::write_checked(bytes.data(), bytes.size(), value);
  return bytes;
}

const Road main_street = {"main street", {{1, 2.5}, {7, 3}}, std::make_shared<int64_t>(12)};

TEST(CerealSerialize, ReadsWhatItHasWritten) {
  const std::vector<char> bytes = bytes_of(main_street);
  const Road read = detail::read_checked<Road>(bytes.data(), bytes.size());
  EXPECT_EQ(read.name, main_street.name);
  EXPECT_EQ(read.widths, main_street.widths);
  EXPECT_EQ(*read.toll, 12);
}

TEST(CerealSerialize, ServesForElementsOfOtherValues) {
  typedef std::vector<std::pair<std::string, Road>> Roads;
  const Roads roads = {{"first", main_street}, {"second", Road()}};
  const std::vector<char> bytes = bytes_of(roads);
  const Roads read = detail::read_checked<Roads>(bytes.data(), bytes.size());
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].second.widths, main_street.widths);
  EXPECT_EQ(read[1].first, "second");
  EXPECT_EQ(read[1].second.toll, nullptr);
}

TEST(CerealSerialize, CopiesAnObjectThatTwoValuesShare) {
  const std::vector<Road> roads = {main_street, main_street};
  const std::vector<char> bytes = bytes_of(roads);
  const auto read = detail::read_checked<std::vector<Road>>(bytes.data(), bytes.size());
  EXPECT_EQ(*read[1].toll, 12);
  EXPECT_NE(read[0].toll, read[1].toll);
}

TEST(CerealSerializeDeathTest, AbortsIfAValueReadsLessThanItHasWritten) {
  const std::vector<char> bytes = bytes_of(Modest());
  EXPECT_DEATH(detail::read_checked<Modest>(bytes.data(), bytes.size()),
               "Modest>::read has left 4 bytes of the value");
}

TEST(CerealSerializeDeathTest, AbortsIfAValueReadsMoreThanItHasWritten) {
  const std::vector<char> bytes = bytes_of(Greedy());
  EXPECT_DEATH(detail::read_checked<Greedy>(bytes.data(), bytes.size()),
               "Greedy>::read reads 8 bytes, but only 4 are left of the value");
}

}  // namespace
