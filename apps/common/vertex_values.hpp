#pragma once

/// The values of all vertices in a vector of one core, for verifiers and tests.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

#include <cstddef>
#include <vector>

namespace apps {

/// Returns value(v) for each vertex v, in the order of the ids. T and F are trivially copyable.
/// From: task. Suspends: until all values have arrived. Messages: 1 for each vertex.
template <class T, class G, class F>
std::vector<T> vertex_values(Grappa::GlobalAddress<G> g, F value) {
  std::vector<T> values(static_cast<size_t>(g->nv));
  T* const here = values.data();
  const Grappa::Core home = Grappa::mycore();
  // `here` is dereferenced only on its own core.
  const auto collect = [here, home, value](Grappa::VertexID id, typename G::Vertex& v) {
    const T its = value(v);
    const auto store = [here, id, its] { here[id] = its; };
    Grappa::delegate::call<Grappa::async>(home, Grappa::unchecked(store));
  };
  Grappa::forall(g, Grappa::unchecked(collect));
  return values;
}

}  // namespace apps
