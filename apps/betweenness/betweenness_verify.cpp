#include "apps/betweenness/betweenness_verify.hpp"

#include "apps/common/plain_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace betweenness {
namespace {

using Grappa::VertexID;

// A number of paths: mantissa * 2^exponent, with the mantissa from 0.5 to 1, or 0.
struct Paths {
  double mantissa;
  int64_t exponent;
};

Paths normal(double mantissa, int64_t exponent) {
  int shift = 0;
  const double normal_mantissa = std::frexp(mantissa, &shift);
  return Paths{normal_mantissa, exponent + shift};
}

double scaled(double value, int64_t exponent) {
  return std::ldexp(value, int(std::max<int64_t>(std::min<int64_t>(exponent, 5000), -5000)));
}

Paths sum(const Paths& a, const Paths& b) {
  if (a.mantissa == 0) return b;
  return normal(a.mantissa + scaled(b.mantissa, b.exponent - a.exponent), a.exponent);
}

double quotient(const Paths& a, const Paths& b) {
  return scaled(a.mantissa / b.mantissa, a.exponent - b.exponent);
}

void add_source(const apps::PlainGraph& g, VertexID source, std::vector<double>* scores) {
  const size_t nv = scores->size();
  std::vector<int32_t> distances(nv, -1);
  std::vector<Paths> paths(nv, Paths{0, 0});
  std::vector<double> dependencies(nv, 0);
  std::vector<VertexID> queue(1, source);
  queue.reserve(nv);
  distances[size_t(source)] = 0;
  paths[size_t(source)] = normal(1, 0);
  for (size_t head = 0; head < queue.size(); ++head) {
    const size_t v = size_t(queue[head]);
    for (const VertexID* w = g.begin(queue[head]); w != g.end(queue[head]); ++w) {
      if (distances[size_t(*w)] < 0) {
        distances[size_t(*w)] = distances[v] + 1;
        queue.push_back(*w);
      }
      if (distances[size_t(*w)] == distances[v] + 1) {
        paths[size_t(*w)] = sum(paths[size_t(*w)], paths[v]);
      }
    }
  }
  for (size_t k = queue.size(); k-- > 1;) {
    const size_t w = size_t(queue[k]);
    for (const VertexID* v = g.begin(queue[k]); v != g.end(queue[k]); ++v) {
      if (distances[size_t(*v)] + 1 != distances[w]) continue;
      dependencies[size_t(*v)] += quotient(paths[size_t(*v)], paths[w]) * (1 + dependencies[w]);
    }
    (*scores)[w] += dependencies[w];
  }
}

}  // namespace

std::vector<double> scores_serially(const Grappa::TupleGraph& tuples,
                                    const std::vector<VertexID>& sources) {
  const apps::PlainGraph g(tuples);
  std::vector<double> scores(size_t(tuples.nv), 0);
  for (const VertexID source : sources) add_source(g, source, &scores);
  return scores;
}

double error_of(Grappa::GlobalAddress<ScoreGraph> g, const Grappa::TupleGraph& tuples,
                const std::vector<VertexID>& sources) {
  std::vector<double> expected = scores_serially(tuples, sources);
  double error = 0;
  struct Check {
    const double* expected;
    double* error;
  } check = {expected.data(), &error};
  const Grappa::GlobalAddress<Check> here = Grappa::make_global(&check);
  Grappa::forall(g, [here](VertexID id, ScoreGraph::Vertex& v) {
    const double score = v->score;
    Grappa::delegate::call<Grappa::async>(here, [id, score](Check& its) {
      const double right = its.expected[id];
      const double difference = std::abs(score - right) / std::max(right, 1.0);
      // The error stays infinite if a score is not a number.
      *its.error = std::max(*its.error, std::isnan(difference) ? HUGE_VAL : difference);
    });
  });
  return error;
}

}  // namespace betweenness
