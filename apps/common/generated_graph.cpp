#include "apps/common/generated_graph.hpp"

#include "apps/common/flags.hpp"
#include "system/base/input_error.hpp"

#include <sstream>

DEFINE_int64(scale, 16, "base-2 logarithm of the number of vertices of a generated graph");
DEFINE_int64(edgefactor, 16, "edges for each vertex of a generated graph");
DEFINE_int64(seed, 1, "random seed of the generated graph");
DEFINE_string(
    generator, "kronecker",
    "type of graph: kronecker (Graph500), uniform, grid, road (a grid without some of its "
    "edges) or web (pages that copy links)");
DEFINE_int64(rows, 0, "rows of a grid or road graph; default: derived from --scale");
DEFINE_int64(columns, 0, "columns of a grid or road graph; default: derived from --scale");
DEFINE_double(kept, 0.9, "probability that a road graph contains an edge of the grid");

namespace apps {

void check_generator_flags(int64_t largest_scale) {
  check_range("scale", FLAGS_scale, 1, largest_scale);
  check_range("edgefactor", FLAGS_edgefactor, 1, int64_t(1) << 20);
  check_choice("generator", FLAGS_generator, {"kronecker", "uniform", "grid", "road", "web"});
  const int64_t most = int64_t(1) << largest_scale;
  for (const char* flag : {"rows", "columns"}) {
    if (is_given(flag)) check_range(flag, flag[0] == 'r' ? FLAGS_rows : FLAGS_columns, 1, most);
    if (!is_generated_grid()) reject({flag}, " requires --generator=grid or --generator=road");
  }
  if (FLAGS_generator != "road") reject({"kept"}, " requires --generator=road");
  check_range("kept", FLAGS_kept, 0, 1);
  if (generated_rows() > most / generated_columns()) {
    Grappa::input_error("a grid of --rows=" + std::to_string(generated_rows()) +
                        " and --columns=" + std::to_string(generated_columns()) +
                        " has more than 2^" + std::to_string(largest_scale) + " vertices");
  }
}

bool is_generated_grid() { return FLAGS_generator == "grid" || FLAGS_generator == "road"; }

int64_t generated_rows() { return FLAGS_rows > 0 ? FLAGS_rows : int64_t(1) << (FLAGS_scale / 2); }

int64_t generated_columns() {
  return FLAGS_columns > 0 ? FLAGS_columns : int64_t(1) << (FLAGS_scale - FLAGS_scale / 2);
}

GeneratedSize generated_size(int64_t scale) {
  if (!is_generated_grid()) return {int64_t(1) << scale, FLAGS_edgefactor << scale};
  const int64_t rows = generated_rows(), columns = generated_columns();
  return {rows * columns, rows * (columns - 1) + columns * (rows - 1)};
}

std::string generated_description() {
  std::ostringstream text;
  if (is_generated_grid()) {
    text << FLAGS_generator << (FLAGS_generator == "road" ? " graph" : "") << " of "
         << generated_rows() << " rows and " << generated_columns() << " columns";
    if (FLAGS_generator == "road") text << ", edges kept " << FLAGS_kept << ", seed " << FLAGS_seed;
  } else {
    text << (FLAGS_generator == "kronecker" ? "Kronecker" : FLAGS_generator) << ", scale "
         << FLAGS_scale << ", edge factor " << FLAGS_edgefactor << ", seed " << FLAGS_seed;
  }
  return text.str();
}

}  // namespace apps
