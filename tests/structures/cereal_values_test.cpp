/// Tests of values that cereal serializes: in delegates, as values of a GlobalMap, and as elements
/// of a GlobalQueue.

#include "system/message/cereal_serialize.hpp"

#include "structures/global_map.hpp"
#include "structures/global_queue.hpp"
#include "tests/structures/modes.hpp"

#include <Grappa.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>

namespace {

struct Road {
  std::string name;
  std::map<int64_t, double> widths;
  std::shared_ptr<int64_t> toll;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, widths, toll);
  }
};

bool operator==(const Road& a, const Road& b) {
  if ((a.toll == nullptr) != (b.toll == nullptr)) return false;
  return a.name == b.name && a.widths == b.widths && (!a.toll || *a.toll == *b.toll);
}

}  // namespace

template <>
struct Grappa::Serialize<Road> : Grappa::CerealSerialize<Road> {};

namespace {

using namespace Grappa;

/// Road k has k widths, and a name of up to 49,000 bytes. Every second road has no toll.
Road road(int64_t k) {
  Road made;
  made.name = std::string(static_cast<size_t>(k * k * 10), 'r') + std::to_string(k);
  for (int64_t at = 0; at < k; ++at) made.widths[at] = 0.5 * static_cast<double>(k + at);
  if (k % 2 == 0) made.toll = std::make_shared<int64_t>(k);
  return made;
}
constexpr int64_t kRoads = 70;

TEST(CerealValues, TravelToOtherCoresAndBack) {
  for (Core core = 0; core < cores(); ++core) {
    for (int64_t k = 0; k < kRoads; ++k) {
      const Road longer = delegate::call(core, payload(road(k), k), [](Road its, int64_t number) {
        EXPECT_TRUE(its == road(number)) << "road " << number;
        its.name += "!";
        return its;
      });
      EXPECT_EQ(road(k).name + "!", longer.name);
      EXPECT_EQ(road(k).widths, longer.widths);
    }
  }
}

class CerealValuesInEachMode : public EachMode {};

TEST_P(CerealValuesInEachMode, AreValuesOfAMap) {
  const auto map = GlobalMap<std::string, Road>::create(0, GetParam());
  finish([map] {
    for (int64_t k = 0; k < kRoads; ++k) map->insert<async>(std::to_string(k), road(k));
  });
  on_all_cores([map] {
    for (int64_t k = 0; k < kRoads; ++k) {
      map->update(std::to_string(k), [](Road& its) { its.widths[-1 - mycore()] = 1; });
    }
  });
  for (int64_t k = 0; k < kRoads; ++k) {
    Road found;
    EXPECT_TRUE(map->lookup(std::to_string(k), &found));
    EXPECT_EQ(static_cast<size_t>(k + 1), found.widths.size()) << "the owner has updated the road";
    found.widths.erase(found.widths.begin());
    EXPECT_TRUE(found == road(k)) << "road " << k;
  }
  map->destroy();
}

TEST_P(CerealValuesInEachMode, AreElementsOfAQueue) {
  const auto queue = GlobalQueue<Road>::create(0, GetParam());
  for (int64_t k = 0; k < kRoads; ++k) {
    delegate::call(static_cast<Core>(k % cores()), [queue, k] { queue->push(road(k)); });
  }
  for (int64_t k = 0; k < kRoads; ++k) EXPECT_TRUE(queue->pop() == road(k)) << "road " << k;
  EXPECT_TRUE(queue->empty());
  queue->destroy();
}

GRAPPA_IN_EACH_MODE(CerealValuesInEachMode);

}  // namespace
