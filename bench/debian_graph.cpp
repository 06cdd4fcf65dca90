#include "bench/debian_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <memory>

#include <stdio.h>

namespace bench {

int64_t DebianGraph::number(const std::string& name) {
  return numbers_.emplace(name, vertices()).first->second;
}

// A list is like "libc6 (>= 2.34), default-mta | mail-transport-agent, python3:any".
void DebianGraph::add_names(const std::string& list) {
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find_first_of(",|", at), list.size());
    const size_t first = list.find_first_not_of(' ', at);
    const size_t last = list.find_first_of(" (:[<,|", std::min(first, end));
    if (first < end) edges_.emplace_back(package_, number(list.substr(first, last - first)));
    at = end + 1;
  }
}

void DebianGraph::add_line(const std::string& line) {
  const size_t colon = line.find(": ");
  if (colon == std::string::npos) return;
  const std::string field = line.substr(0, colon), value = line.substr(colon + 2);
  if (field == "Package") {
    package_ = number(value);
  } else if (package_ >= 0 && (field == "Depends" || field == "Pre-Depends")) {
    add_names(value);
  }
}

std::string write_debian_graph(const std::string& path) {
  DebianGraph graph;
  {
    const std::unique_ptr<FILE, int (*)(FILE*)> apt(::popen("apt-cache dumpavail 2>/dev/null", "r"),
                                                    &::pclose);
    if (!apt) return "apt-cache cannot be started";
    std::string line;
    for (int c; (c = ::getc(apt.get())) != EOF;) {
      if (c != '\n') {
        line += char(c);
        continue;
      }
      graph.add_line(line);
      line.clear();
    }
  }
  if (graph.edges().empty()) return "apt-cache knows no packages: run apt-get update";
  std::ofstream out(path);
  for (const auto& edge : graph.edges()) out << edge.first << ' ' << edge.second << '\n';
  out.close();
  return out ? "" : "the edges cannot be written to " + path;
}

}  // namespace bench
