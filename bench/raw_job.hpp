#pragma once

/// What the programs with OpenMP have in common that benchmarks of graph algorithms are compared
/// with: the flags, the generated graph, and its build, which they time. The same edges as those of
/// the programs under apps/ with the same flags.
///
/// They are no jobs of Grappa: start each by itself, free to use all processors. Its threads are
/// bound to one each, unless OMP_PROC_BIND says otherwise.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>
#include <functional>
#include <gflags/gflags.h>
#include <memory>
#include <string>

DECLARE_int64(scale);
DECLARE_int64(edgefactor);
DECLARE_int64(seed);
DECLARE_int64(threads);

namespace raw {

struct Edges {
  int64_t nv;
  Array<Grappa::TupleEdge> all;
};

/// Binds the threads and takes the flags; bad ones end the program with one line and status 2.
/// From: main, first of all.
void begin_job(int argc, char* argv[]);

/// By --scale, --edgefactor and --seed.
Edges generate_edges();

/// Builds the graph as often as --builds says, from the edges in memory, memory taken included, and
/// reports the median time. Then puts the lists in the order that --order names, untimed.
std::unique_ptr<Csr> build_graph(const Edges& edges);

double seconds_of(const std::function<void()>& body);

/// A line on stdout: `name: number`.
void report(const std::string& name, double number);

}  // namespace raw
