#include "structures/graph/graph_bytes.hpp"

#include "structures/graph/edge.hpp"

#include <cstdio>

namespace Grappa::detail {
namespace {

double slot_bytes(int64_t nv) { return nv <= INT64_C(1) << 31 ? 4 : 8; }

}  // namespace

double tuple_bytes_needed(int64_t nedge) { return double(sizeof(TupleEdge)) * double(nedge); }

double graph_bytes_at_rest(int64_t nv, int64_t nedge, size_t vertex_bytes) {
  const double for_vertices = double(vertex_bytes + sizeof(uint64_t)) * double(nv);
  return for_vertices + 2.0 * slot_bytes(nv) * double(nedge);
}

// A received entry also contains the vertex of its list.
double graph_bytes_to_build(int64_t nv, int64_t nedge, size_t vertex_bytes) {
  return graph_bytes_at_rest(nv, nedge, vertex_bytes) + 2.0 * slot_bytes(nv) * double(nedge);
}

std::string human_bytes(double bytes) {
  static const char* const kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < sizeof kUnits / sizeof kUnits[0]) {
    bytes /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, kUnits[unit]);
  return text;
}

}  // namespace Grappa::detail
