#pragma once

/// A graph distributed over all cores: a linear array of vertices, and on each core the lists of
/// neighbours of its vertices (csr.hpp). So expanding a vertex reads local memory only.
///
///     GlobalAddress<Graph<Rank>> g = Graph<Rank>::create(tuples);
///     forall(g, [g](Graph<Rank>::Vertex& v) {
///       serial_for(adj(g, v), [&v](Graph<Rank>::Edge& e) {
///         const double share = v->rank / double(v.nadj);
///         delegate::call<async>(e.ga, [share](Graph<Rank>::Vertex& w) { w->next += share; });
///       });
///     });
///
/// Self-loops and repeated edges are dropped. By default the neighbours of a vertex are in the
/// order of their ids, so the graph is the same on any number of cores.

#include "structures/graph/loops/graph_loops.hpp"
#include "structures/graph/loops/graph_type.hpp"
