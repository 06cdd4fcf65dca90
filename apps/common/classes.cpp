#include "apps/common/classes.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

namespace apps {

using Grappa::GlobalAddress;
using Grappa::VertexID;

// On this core: the number of vertices with each label, and the number of classes of each size.
static std::unordered_map<VertexID, int64_t> members;
static std::map<int64_t, int64_t> sizes;

// The trees of serial_components() on one core. A parent is smaller than its children, so a root is
// the smallest vertex of its tree.
static std::vector<VertexID> parents;

static VertexID find(VertexID v) {
  VertexID* const parent = parents.data();
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

int64_t count_classes(GlobalAddress<VertexID> label, int64_t nv) {
  static Grappa::Reducer<int64_t, Grappa::ReducerType::Add> labels;
  labels.reset();
  Grappa::forall(label, nv, [](int64_t v, VertexID& its_label) { labels += its_label == v; });
  return labels;
}

std::map<int64_t, int64_t> class_sizes(GlobalAddress<VertexID> label, int64_t nv) {
  // size[l] is the number of members of the class with label l, or 0 if l is not a label.
  const auto size = Grappa::global_alloc<int64_t>(nv);
  Grappa::memset(size, 0, nv);
  Grappa::forall(label, nv, [](VertexID& l) { ++members[l]; });
  Grappa::on_all_cores([size] {
    for (const auto& each : members) {
      Grappa::delegate::increment<Grappa::async>(size + each.first, each.second);
    }
    members.clear();
  });
  Grappa::forall(size, nv, [](int64_t& its_size) {
    if (its_size > 0) ++sizes[its_size];
  });
  Grappa::global_free(size);
  std::map<int64_t, int64_t> all;
  const auto sum = Grappa::make_global(&all);
  Grappa::on_all_cores([sum] {
    for (const auto& each : sizes) {
      const int64_t its_size = each.first, count = each.second;
      Grappa::delegate::call<Grappa::async>(
          sum, [its_size, count](std::map<int64_t, int64_t>& total) { total[its_size] += count; });
    }
    sizes.clear();
  });
  return all;
}

void take_smallest_labels(GlobalAddress<VertexID> label, int64_t nv,
                          GlobalAddress<VertexID> original) {
  const auto smallest = Grappa::global_alloc<VertexID>(nv);
  Grappa::memset(smallest, std::numeric_limits<VertexID>::max(), nv);
  Grappa::forall(label, nv, [smallest, original](int64_t v, VertexID& its_label) {
    // Linear arrays of the same element size: both elements of a vertex are on the same core.
    const VertexID name = original ? *(original + v).pointer() : v;
    Grappa::delegate::call<Grappa::async>(smallest + its_label, [name](VertexID& least) {
      if (name < least) least = name;
    });
  });
  Grappa::forall(label, nv, [smallest](VertexID& its_label) {
    its_label = Grappa::delegate::read(smallest + its_label);
  });
  Grappa::global_free(smallest);
}

GlobalAddress<VertexID> serial_components(const InputEdges& edges) {
  const Grappa::Core here = Grappa::mycore();
  const int64_t nv = edges.nv();
  for (VertexID v = 0; v < nv; ++v) parents.push_back(v);
  edges.for_each([here](VertexID v0, VertexID v1) {
    Grappa::delegate::call<Grappa::async>(here, [v0, v1] {
      const VertexID a = find(v0), b = find(v1);
      parents[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    });
  });
  const auto smallest = Grappa::global_alloc<VertexID>(nv);
  Grappa::finish([smallest, nv] {
    for (VertexID v = 0; v < nv; ++v) {
      Grappa::delegate::write<Grappa::async>(smallest + v, find(v));
    }
  });
  std::vector<VertexID>().swap(parents);
  return smallest;
}

double serial_components_bytes(int64_t nv) { return 2.0 * sizeof(VertexID) * double(nv); }

}  // namespace apps
