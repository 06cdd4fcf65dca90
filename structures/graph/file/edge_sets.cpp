#include "structures/graph/file/edge_sets.hpp"

#include "system/observe/clock.hpp"
#include "system/parallel/reduce.hpp"

#include <random>

namespace Grappa::detail {

EdgeKey draw_edge_key() {
  std::random_device device;
  std::mt19937_64 repeatable;
  std::uniform_int_distribution<uint64_t> number(0, EdgeSets::kPrime - 1);
  const auto draw = [&] { return virtual_time == nullptr ? number(device) : number(repeatable); };
  return {draw(), draw()};
}

bool all_sets_match(GlobalAddress<EdgeSets> sets) {
  return reduce<EdgeSets, EdgeSets::unite>(sets).match();
}

}  // namespace Grappa::detail
