#pragma once

/// The flags that describe a generated graph (apps/bfs/README.md): --generator, --scale,
/// --edgefactor, --rows, --columns, --kept and --seed. The programs of apps/ and the baselines of
/// bench/ share these functions, so equal flags give equal edges. From: any thread, after the flags
/// are parsed.

#include <cstdint>
#include <gflags/gflags.h>
#include <string>

DECLARE_int64(scale);
DECLARE_int64(edgefactor);
DECLARE_int64(seed);
DECLARE_string(generator);
DECLARE_double(kept);

namespace apps {

/// Checks the flags. The graph may have at most 2^largest_scale vertices.
void check_generator_flags(int64_t largest_scale);

/// Returns whether --rows and --columns determine the number of vertices, instead of --scale.
bool is_generated_grid();

struct GeneratedSize {
  int64_t nv, nedge;
};

/// Returns the size of the generated graph, with this scale instead of --scale. `nedge` includes
/// self-loops and repeated edges.
GeneratedSize generated_size(int64_t scale);

int64_t generated_rows();
int64_t generated_columns();

/// Returns a line such as "Kronecker, scale 16, edge factor 16, seed 1".
std::string generated_description();

/// Generates the graph. `Maker` is Grappa::TupleGraph, or another class with static functions that
/// have the names and parameters of its generators.
template <class Maker>
auto generate_graph() -> decltype(Maker::Grid(1, 1)) {
  constexpr uint64_t kSecondSeed = 0xdecafbad;  // Graph500's second seed, which has no flag
  const uint64_t seed = uint64_t(FLAGS_seed);
  const GeneratedSize size = generated_size(FLAGS_scale);
  if (FLAGS_generator == "kronecker") {
    return Maker::Kronecker(int(FLAGS_scale), size.nedge, seed, kSecondSeed);
  }
  if (FLAGS_generator == "uniform") return Maker::Uniform(size.nv, size.nedge, seed);
  if (FLAGS_generator == "web") return Maker::Web(size.nv, FLAGS_edgefactor, seed);
  const int64_t rows = generated_rows(), columns = generated_columns();
  if (FLAGS_generator == "road") return Maker::Road(rows, columns, FLAGS_kept, seed);
  return Maker::Grid(rows, columns);
}

}  // namespace apps
