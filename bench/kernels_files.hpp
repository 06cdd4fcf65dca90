#pragma once

/// The rows of bench/kernels that measure how a graph gets into memory, against OpenMP programs on
/// the same number of processors:
///   build   the edges are in memory; timed: until the lists of neighbours are complete
///   load    a whole program, from its start to its end: loads a saved graph and searches once. The
///           baseline reads a serialized graph of GAP. Only our program verifies the file.
///   whole   a whole program: reads an edge list of text, builds the graph and searches once
/// Both programs of a pair print the number of traversed edges, which must be equal; one more run
/// of ours, which is not timed, verifies its search.

#include "bench/graph_jobs.hpp"
#include "bench/harness/bench.hpp"

#include <string>

namespace bench {

class FileRows {
 public:
  /// `flags` select the generated graph in both programs.
  FileRows(Bench* bench, const std::string& id, const std::string& what, const std::string& flags,
           int cores, int pairs)
      : bench_(bench), id_(id), what_(what), flags_(flags), cores_(cores), pairs_(pairs) {}

  void build() const;
  void load() const;
  void whole() const;

 private:
  void compare(const std::string& row, const std::string& what, const std::string& against,
               const Side& subject, const Side& baseline) const;
  void compare_programs(const std::string& row, const std::string& what, const std::string& against,
                        const std::string& ours, const std::string& theirs) const;

  Bench* const bench_;
  const std::string id_, what_, flags_;
  const int cores_, pairs_;
};

}  // namespace bench
