#include "system/runtime/trace_file.hpp"

#include "system/net/topology.hpp"
#include "system/runtime/fetch.hpp"

#include <algorithm>
#include <cstring>

namespace Grappa {
namespace detail {
namespace {

/// Points in a piece. Nobody waits for a trace; pieces only keep it from being all in memory twice.
constexpr size_t kPiece = 10000;

std::string piece_of_this_core(size_t first) {
  const std::vector<Trace::Point>& points = the_trace->points();
  const size_t n = std::min(kPiece, points.size() - first);
  return std::string(reinterpret_cast<const char*>(points.data() + first),
                     n * sizeof(Trace::Point));
}

}  // namespace

Trace* the_trace = nullptr;

bool write_trace(std::ostream& out) {
  TraceWriter writer(out);
  bool any = false;
  for (int core = 0; core < cores(); ++core) {
    writer.name_core(core);
    std::vector<Trace::Point> piece(kPiece);
    for (size_t first = 0; piece.size() == kPiece; first += kPiece) {
      const std::string bytes =
          fetch(static_cast<Core>(core), [first] { return piece_of_this_core(first); });
      piece.resize(bytes.size() / sizeof(Trace::Point));
      std::memcpy(piece.data(), bytes.data(), bytes.size());
      writer.write(core, piece.data(), piece.size());
      any = any || !piece.empty();
    }
  }
  return any;
}

}  // namespace detail
}  // namespace Grappa
