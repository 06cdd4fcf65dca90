#pragma once

/// Checks scores by Brandes' algorithm on one core, serially.

#include "apps/betweenness/betweenness.hpp"

#include "structures/graph/tuple_graph.hpp"

#include <vector>

namespace betweenness {

constexpr double kVerifierBytes = 44;  // for each vertex, beside a PlainGraph

/// Returns the scores. Numbers of paths have an exponent of 64 bits. From: task. Suspends. Memory
/// on this core: that of PlainGraph, and kVerifierBytes for each vertex.
std::vector<double> scores_serially(const Grappa::TupleGraph& tuples,
                                    const std::vector<Grappa::VertexID>& sources);

/// Returns the largest relative error of the scores of `g`. From: task. Suspends. Messages: 1 for
/// each vertex. Memory: as scores_serially().
double error_of(Grappa::GlobalAddress<ScoreGraph> g, const Grappa::TupleGraph& tuples,
                const std::vector<Grappa::VertexID>& sources);

constexpr double kLargestError = 1e-9;  // of right scores, by rounding

}  // namespace betweenness
