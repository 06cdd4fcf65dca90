#include "apps/triangles/triangles.hpp"

#include "structures/graph/triangle_survey.hpp"

namespace triangles {
namespace {

Grappa::Reducer<int64_t, Grappa::ReducerType::Add> count;

}  // namespace

int64_t count_triangles(Grappa::GlobalAddress<PlainGraph> g) {
  count = 0;
  Grappa::triangle_survey(g,
                          [](const Grappa::Triangle<Grappa::NoData, Grappa::NoData>&) { ++count; });
  return count;
}

}  // namespace triangles
