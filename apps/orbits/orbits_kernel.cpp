#include "apps/orbits/orbits.hpp"

#include "structures/global_queue.hpp"
#include "structures/global_set.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstring>
#include <utility>

namespace orbits {
namespace {

using namespace Grappa;

// The bytes of an element are its points; the other bytes are kNoPoint, which no generator moves.
typedef uint64_t Element;
constexpr uint8_t kNoPoint = 255;
static_assert(sizeof(Element) == kMostElementPoints && kMostPoints <= kNoPoint, "");

constexpr int64_t kPopped = 256;  // elements popped at a time; not measured
constexpr int64_t kPoppers = 16;  // tasks that pop, on each core; not measured

// The generators, on every core.
struct Group {
  int32_t generators;
  bool sets;
  uint8_t images[kMostGenerators][256];
};
Group group;

Element element_of(const uint8_t (&points)[sizeof(Element)]) {
  Element element;
  std::memcpy(&element, points, sizeof element);
  return element;
}

Element image(Element element, int generator) {
  uint8_t points[sizeof(Element)];
  std::memcpy(points, &element, sizeof element);
  for (uint8_t& point : points) point = group.images[generator][point];
  if (group.sets) std::sort(points, points + sizeof points);
  return element_of(points);
}

uint64_t square(Element element) {
  uint8_t points[sizeof(Element)];
  std::memcpy(points, &element, sizeof element);
  uint64_t number = 0;
  for (const uint8_t point : points) {
    if (point != kNoPoint) number = number * 256 + point;
  }
  return number * number;
}

Element set_up(const Problem& problem) {
  Group made = {int32_t(problem.generators.size()), problem.sets, {}};
  for (size_t g = 0; g < problem.generators.size(); ++g) {
    std::fill(std::begin(made.images[g]), std::end(made.images[g]), kNoPoint);
    std::copy(problem.generators[g].begin(), problem.generators[g].end(), made.images[g]);
  }
  const GlobalAddress<Group> here = make_global(&made);
  on_all_cores([here] { memcpy(&group, here, 1); });
  uint8_t start[sizeof(Element)];
  std::fill(std::begin(start), std::end(start), kNoPoint);
  std::copy(problem.start.begin(), problem.start.end(), start);
  if (problem.sets) std::sort(std::begin(start), std::end(start));
  return element_of(start);
}

Reducer<uint64_t, ReducerType::Add> checksum;

}  // namespace

Orbit find(const Problem& problem) {
  const Element start = set_up(problem);
  const auto seen = GlobalSet<Element>::create();
  auto level = GlobalQueue<Element>::create(), next = GlobalQueue<Element>::create();
  seen->insert(start);
  level->push(start);
  int64_t levels = 0;
  for (; !level->empty(); ++levels) {
    on_all_cores([seen, level, next] {
      forall_here<1>(0, kPoppers, [seen, level, next](int64_t) {
        Element popped[kPopped];
        while (const int64_t n = level->try_pop(popped, kPopped)) {
          for (int64_t k = 0; k < n; ++k) {
            for (int g = 0; g < group.generators; ++g) {
              seen->insert<async>(image(popped[k], g),
                                  [next](const Element& reached) { next->push<async>(reached); });
            }
          }
        }
      });
    });
    std::swap(level, next);
  }
  checksum = 0;
  seen->forall_keys([](const Element& element) { checksum += square(element); });
  const Orbit orbit = {seen->size(), levels, checksum};
  next->destroy();
  level->destroy();
  seen->destroy();
  return orbit;
}

}  // namespace orbits
