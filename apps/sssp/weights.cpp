#include "apps/sssp/sssp.hpp"

#include "system/base/input_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sssp {
namespace {

using Grappa::EdgeAttributes;
using Grappa::Reducer;
using Grappa::ReducerType;
using Grappa::TupleEdge;

Reducer<int64_t, ReducerType::Min> first_bad;
Reducer<double, ReducerType::Max> largest_weight;
Reducer<double, ReducerType::Add> sum_of_weights;
Reducer<int64_t, ReducerType::Add> weights;

// False for NaN, too.
bool is_weight(double weight) {
  return 1 <= weight && weight <= double(kMostWeight) && weight == std::floor(weight);
}

// Returns a short text that is read as the same number.
std::string text_of(double number) {
  const bool whole = std::abs(number) < double(int64_t{1} << 53) && number == std::trunc(number);
  if (whole) return std::to_string(static_cast<int64_t>(number));
  char text[32];
  int digits = 1;
  do {
    std::snprintf(text, sizeof text, "%.*g", digits++, number);
  } while (digits <= 17 && std::strtod(text, nullptr) != number);
  return text;
}

}  // namespace

Weights Weights::from(const Grappa::TupleGraph& list, const std::string& name) {
  const GlobalAddress<EdgeAttributes> attributes = list.attributes;
  first_bad.reset();
  largest_weight = 1;
  sum_of_weights.reset();
  weights.reset();
  Grappa::forall(list.edges, list.nedge, [attributes](int64_t i, TupleEdge& edge) {
    if (edge.v0 == edge.v1) return;
    const double weight = (attributes + i).pointer()->weight;
    if (is_weight(weight)) {
      largest_weight << weight;
      sum_of_weights += weight;
      ++weights;
    } else {
      first_bad << i;
    }
  });
  const int64_t bad = first_bad;
  if (bad < list.nedge) {
    const TupleEdge edge = Grappa::delegate::read(list.edges + bad);
    Grappa::input_error(name + ": the edge between the vertices " + std::to_string(edge.v0) +
                        " and " + std::to_string(edge.v1) + ", counted from 0, has the weight " +
                        text_of(Grappa::delegate::read(attributes + bad).weight) +
                        "; sssp needs whole numbers from 1 to " + std::to_string(kMostWeight) +
                        ": scale the weights, or give --random_weights");
  }
  const double mean = sum_of_weights / double(std::max<int64_t>(weights, 1));
  return {0, static_cast<int64_t>(largest_weight), mean, list};
}

}  // namespace sssp
