#pragma once

/// What the tests of programs on graphs read off a graph.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

#include <vector>

namespace apps {

/// value(v) of each vertex, by id. The function travels. From: task. Suspends.
template <class T, class G, class F>
std::vector<T> vertex_values(Grappa::GlobalAddress<G> g, F value) {
  std::vector<T> values(static_cast<size_t>(g->nv));
  T* const here = values.data();
  const Grappa::Core home = Grappa::mycore();
  // `here` comes back to its core before it is used.
  const auto collect = [here, home, value](Grappa::VertexID id, typename G::Vertex& v) {
    const T its = value(v);
    const auto store = [here, id, its] { here[id] = its; };
    Grappa::delegate::call<Grappa::async>(home, Grappa::unchecked(store));
  };
  Grappa::forall(g, Grappa::unchecked(collect));
  return values;
}

}  // namespace apps
