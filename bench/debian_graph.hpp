#pragma once

/// The graph of the dependencies between the packages of Debian, for benchmarks. The vertices are
/// the names of packages, 63,681 in Debian 12, and other names on which packages depend. An edge
/// leads from a package to each name in its fields Depends and Pre-Depends, also to each
/// alternative. The vertices are numbered in the order in which their names first appear.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bench {

/// Collects the edges from descriptions of packages in the format of `apt-cache dumpavail`.
class DebianGraph {
 public:
  /// Adds a line, without its newline. Only the fields Package, Depends and Pre-Depends count.
  void add_line(const std::string& line);

  const std::vector<std::pair<int64_t, int64_t>>& edges() const { return edges_; }
  int64_t vertices() const { return static_cast<int64_t>(numbers_.size()); }

 private:
  int64_t number(const std::string& name);
  void add_names(const std::string& list);

  std::unordered_map<std::string, int64_t> numbers_;
  std::vector<std::pair<int64_t, int64_t>> edges_;
  int64_t package_ = -1;
};

/// Writes the graph of the packages that apt knows to a file, as a list of edges. Returns an empty
/// string, or an error message.
std::string write_debian_graph(const std::string& path);

}  // namespace bench
