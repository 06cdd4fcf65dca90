#include "apps/common/vertex_file.hpp"

#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/input_error.hpp"

#include <algorithm>

namespace apps {
namespace {

using Grappa::GlobalAddress;
using Grappa::TupleEdge;
using Grappa::TupleGraph;
using Grappa::VertexID;

// places[v] = number of vertices from 0 to v, including v, that have a value.
GlobalAddress<int64_t> count_values(GlobalAddress<int64_t> value, int64_t nv) {
  const auto places = Grappa::global_alloc<int64_t>(nv);
  Grappa::forall(value, nv, [places](int64_t v, int64_t& its) {
    *(places + v).pointer() = its >= 0 ? 1 : 0;  // on this core, like `its`
  });
  Grappa::prefix_sum(places, nv);
  return places;
}

// The same values by original ids, which the user sees. If `rename_values`, values are ids too.
GlobalAddress<int64_t> by_original(GlobalAddress<int64_t> value, int64_t nv,
                                   GlobalAddress<VertexID> original, bool rename_values) {
  const auto named = Grappa::global_alloc<int64_t>(nv);
  Grappa::forall(value, nv, [named, original, rename_values](int64_t v, int64_t& its) {
    const bool rename = rename_values && its >= 0;
    const int64_t known = rename ? Grappa::delegate::read(original + its) : its;
    Grappa::delegate::write<Grappa::async>(named + *(original + v).pointer(), known);
  });
  return named;
}

}  // namespace

void write_pairs(const char* flag, const std::string& path, int64_t nv,
                 GlobalAddress<int64_t> value, GlobalAddress<VertexID> original,
                 bool value_is_vertex) {
  if (original) {
    const GlobalAddress<int64_t> named = by_original(value, nv, original, value_is_vertex);
    write_pairs(flag, path, nv, named, GlobalAddress<VertexID>(), value_is_vertex);
    Grappa::global_free(named);
    return;
  }
  const GlobalAddress<int64_t> places = count_values(value, nv);
  TupleGraph pairs;
  pairs.nedge = Grappa::delegate::read(places + (nv - 1));
  pairs.edges = Grappa::global_alloc<TupleEdge>(std::max<int64_t>(pairs.nedge, 1));
  const GlobalAddress<TupleEdge> edges = pairs.edges;
  Grappa::forall(value, nv, [places, edges](int64_t v, int64_t& its) {
    if (its < 0) return;
    const TupleEdge pair = {v, its};
    const int64_t place = *(places + v).pointer() - 1;
    Grappa::delegate::call<Grappa::async>(edges + place, [pair](TupleEdge& e) { e = pair; });
  });
  Grappa::global_free(places);
  pairs.nv = int64_t(1) << 62;  // accepts any value as an id
  const bool known =
      Grappa::detail::graph_format(path, "") != Grappa::detail::GraphFormat::kUnknown;
  std::string error;
  const bool written = pairs.try_save(path, known ? "" : "el", &error);
  pairs.destroy();
  if (!written) Grappa::input_error("--" + std::string(flag) + ": " + error);
}

}  // namespace apps
