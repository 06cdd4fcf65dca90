#include "structures/graph/graph_bytes.hpp"

#include "structures/graph/edge.hpp"

#include <cstdio>

namespace Grappa {

double tuple_bytes_needed(int64_t nedge) { return double(sizeof(TupleEdge)) * double(nedge); }

double graph_bytes_needed(int64_t nv, int64_t nedge, size_t vertex_bytes) {
  return double(vertex_bytes) * double(nv) + 2.0 * double(sizeof(VertexID)) * double(nedge);
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

}  // namespace Grappa
