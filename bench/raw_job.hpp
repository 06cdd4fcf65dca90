#pragma once

/// Common code of the OpenMP programs that are the baselines of graph algorithms: the flags, the
/// edges, and the timed construction of the graph. The edges are the same as those of the programs
/// in apps/ with the same flags.
///
/// The programs are not Grappa jobs. They must be started as single processes that may use all
/// processors. Each thread is bound to one processor, if OMP_PROC_BIND is not set.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>
#include <functional>
#include <gflags/gflags.h>
#include <memory>
#include <string>
#include <vector>

DECLARE_int64(scale);
DECLARE_int64(edgefactor);
DECLARE_int64(seed);
DECLARE_int64(threads);

namespace raw {

struct Edges {
  int64_t nv;
  Array<Grappa::TupleEdge> all;
};

/// Binds the threads and parses the flags. Invalid flags end the program with one line and status
/// 2. From: main, before anything else.
void begin_job(int argc, char* argv[]);

/// Reads the edges of the file --graph, or generates those that the flags of
/// apps/common/generated_graph.hpp describe.
Edges input_edges();

/// Builds the graph --builds times from the edges in memory, and reports the median time, which
/// includes memory allocation. Then sorts the lists in the order of --order, which is not timed.
std::unique_ptr<Csr> build_graph(const Edges& edges);

/// Returns the roots that the programs in apps/ choose with the same --seed: at most `count`.
std::vector<Grappa::VertexID> choose_roots(const Csr& graph, int64_t count);

double seconds_of(const std::function<void()>& body);

/// Prints `name: number` as a line on stdout.
void report(const std::string& name, double number);

}  // namespace raw
