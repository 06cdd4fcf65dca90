#pragma once

/// Reads graphs from files with OpenMP, for baselines of whole programs. The files are valid,
/// because the benchmark has written them, and are not checked.

#include "bench/raw_csr.hpp"
#include "bench/raw_job.hpp"

#include <memory>
#include <string>

namespace raw {

/// Reads a serialized graph of the GAP Benchmark Suite (`.sg`). Each thread reads an equal part of
/// the file into the arrays of the graph. Ends the process if the file cannot be read.
std::unique_ptr<Csr> read_serialized(const std::string& path, int threads);

/// Reads a text file with an edge in each line. Each thread parses an equal part of the file. Ends
/// the process if the file cannot be read.
Edges read_edge_list(const std::string& path, int threads);

}  // namespace raw
