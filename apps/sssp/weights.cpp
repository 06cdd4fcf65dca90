#include "apps/sssp/sssp.hpp"

#include "system/base/input_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <sstream>

namespace sssp {
namespace {

using Grappa::EdgeAttributes;
using Grappa::Reducer;
using Grappa::ReducerType;
using Grappa::TupleEdge;

Reducer<int64_t, ReducerType::Min> first_bad;
Reducer<double, ReducerType::Max> largest_weight;
Reducer<double, ReducerType::Add> sum_of_weights;

// False for NaN, too.
bool is_weight(double weight) {
  return 1 <= weight && weight <= double(kMostWeight) && weight == std::floor(weight);
}

}  // namespace

Weights Weights::from(const Grappa::TupleGraph& list) {
  const GlobalAddress<EdgeAttributes> attributes = list.attributes;
  first_bad.reset();
  largest_weight = 1;
  sum_of_weights.reset();
  Grappa::forall(list.edges, list.nedge, [attributes](int64_t i, TupleEdge& edge) {
    if (edge.v0 == edge.v1) return;
    const double weight = (attributes + i).pointer()->weight;
    if (is_weight(weight)) {
      largest_weight << weight;
      sum_of_weights += weight;
    } else {
      first_bad << i;
    }
  });
  const int64_t bad = first_bad;
  if (bad < list.nedge) {
    const TupleEdge edge = Grappa::delegate::read(list.edges + bad);
    std::ostringstream error;
    error << "the edge " << edge.v0 << " " << edge.v1 << " has the weight " << std::setprecision(12)
          << Grappa::delegate::read(attributes + bad).weight
          << "; sssp needs whole numbers from 1 to " << kMostWeight;
    Grappa::input_error(error.str());
  }
  const double mean = sum_of_weights / double(std::max<int64_t>(list.nedge, 1));
  return {0, static_cast<int64_t>(largest_weight), mean, list};
}

}  // namespace sssp
