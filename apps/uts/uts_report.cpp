#include "apps/uts/uts_report.hpp"

#include <cstddef>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

namespace uts {
namespace {

const char* name_of(Type type) {
  switch (type) {
    case Type::Binomial: return "binomial";
    case Type::Geometric: return "geometric";
    case Type::Hybrid: break;
  }
  return "hybrid";
}

const char* name_of(Shape shape) {
  switch (shape) {
    case Shape::Linear: return "linear";
    case Shape::Cyclic: return "cyclic";
    case Shape::Fixed: break;
  }
  return "fixed";
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string in_words(const Counts& counts) {
  std::ostringstream words;
  words << counts.nodes << " nodes, " << counts.leaves << " leaves and depth " << counts.depth;
  return words.str();
}

// A tree has at least one node.
double share_of(const Counts& core, const RunResult& run) {
  return double(core.nodes) / double(run.counts.nodes);
}

}  // namespace

std::string wrong_counts(const RunResult& run) {
  if (run.published == nullptr) return "";
  const Counts& right = run.published->counts;
  if (run.counts.nodes == right.nodes && run.counts.leaves == right.leaves &&
      run.counts.depth == right.depth) {
    return "";
  }
  return std::string("the tree ") + run.published->name + " has " + in_words(right) +
         "; the search found " + in_words(run.counts);
}

void print_tree(const RunResult& run, std::ostream& out) {
  const Parameters& p = run.parameters;
  out << "tree: ";
  if (run.published != nullptr) out << run.published->name << ", ";
  out << name_of(p.type);
  if (p.type != Type::Binomial) out << ", shape " << name_of(p.shape);
  out << ", b0 " << number("%.15g", p.b0);
  if (p.type != Type::Binomial) out << ", gen_mx " << p.gen_mx;
  if (p.type != Type::Geometric) out << ", q " << number("%.15g", p.q) << ", m " << p.m;
  out << ", seed " << p.seed << std::endl;
}

void print_counts(const RunResult& run, std::ostream& out) {
  const double speed = run.nodes_per_second();
  const size_t cores = run.by_core.size();
  out << "nodes: " << run.counts.nodes << "\nleaves: " << run.counts.leaves
      << "\ndepth: " << run.counts.depth << "\ncores: " << cores << "\n";
  for (size_t core = 0; core < cores; ++core) {
    const Counts& counts = run.by_core[core];
    out << "core " << core << ": " << counts.nodes << " nodes, "
        << number("%.2f", 100 * share_of(counts, run)) << " %\n";
  }
  out << "seconds: " << number("%.6f", run.seconds)
      << "\nnodes_per_second: " << number("%.6e", speed)
      << "\nnodes_per_second_per_core: " << number("%.6e", speed / double(cores)) << "\n"
      << (run.published != nullptr ? "the counts match the published counts"
                                   : "no counts are published for this tree")
      << std::endl;
}

std::string to_json(const RunResult& run) {
  const Parameters& p = run.parameters;
  const double speed = run.nodes_per_second();
  nlohmann::ordered_json json;
  if (run.published != nullptr) json["tree"] = run.published->name;
  json["type"] = name_of(p.type);
  if (p.type != Type::Binomial) json["shape"] = name_of(p.shape);
  json["b0"] = p.b0;
  if (p.type != Type::Binomial) json["gen_mx"] = p.gen_mx;
  if (p.type != Type::Geometric) {
    json["q"] = p.q;
    json["m"] = p.m;
  }
  json["seed"] = p.seed;
  json["nodes"] = run.counts.nodes;
  json["leaves"] = run.counts.leaves;
  json["depth"] = run.counts.depth;
  json["cores"] = run.by_core.size();
  json["seconds"] = run.seconds;
  json["nodes_per_second"] = speed;
  json["nodes_per_second_per_core"] = speed / double(run.by_core.size());
  json["validated"] = run.published != nullptr;
  json["by_core"] = nlohmann::ordered_json::array();
  for (const Counts& counts : run.by_core) {
    json["by_core"].push_back({{"nodes", counts.nodes}, {"share", share_of(counts, run)}});
  }
  return json.dump(2) + "\n";
}

}  // namespace uts
