/// The Unbalanced Tree Search benchmark: counts the nodes of a tree that cannot be divided evenly
/// in advance, with tasks that idle cores steal. Prints the speed and the share of each core.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/uts/uts_tree.hpp"
#include "structures/graph/file/graph_format.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

DEFINE_string(tree, "", "name of a published tree, such as T1; excludes all other tree flags");
DEFINE_string(type, "geometric", "distribution of child numbers: binomial, geometric or hybrid");
DEFINE_string(shape, "fixed", "mean number of children by depth: fixed, linear or cyclic");
DEFINE_double(b0, 4, "children of the root; the mean number if the tree is not binomial");
DEFINE_int64(gen_mx, 10, "number of levels with geometric children; half of them in a hybrid tree");
DEFINE_double(q, 0.124875, "probability that a node below a binomial root has children");
DEFINE_int64(m, 8, "number of children of a node below a binomial root, if it has children");
DEFINE_int64(seed, 19, "random seed of the tree");
DEFINE_string(json, "", "output file for the results as JSON");

namespace {

using namespace uts;
using apps::Json;

// The names of the types, in the order of the enumerators.
const std::vector<std::string> kTypes = {"binomial", "geometric", "hybrid"};
const std::vector<std::string> kShapes = {"fixed", "linear", "cyclic"};

Parameters of_published_tree() {
  const PublishedTree* tree = find_published(FLAGS_tree);
  if (tree == nullptr) {
    Grappa::input_error("--tree=" + Grappa::detail::printable(FLAGS_tree) +
                        " is not a published tree; give one of " + published_names());
  }
  apps::reject({"type", "shape", "b0", "gen_mx", "q", "m", "seed"},
               " and --tree exclude each other: a published tree has all its parameters");
  return tree->parameters;
}

Parameters of_single_flags() {
  const Type type = Type(apps::check_choice("type", FLAGS_type, kTypes));
  Parameters p = {type, Shape::Linear, FLAGS_b0, 0, 0, 0, FLAGS_seed};
  if (p.type == Type::Binomial) {
    apps::reject({"shape", "gen_mx"}, " does not apply to binomial trees");
  } else {
    p.shape = Shape(apps::check_choice("shape", FLAGS_shape, kShapes));
    p.gen_mx = FLAGS_gen_mx;
    apps::check_range("gen_mx", p.gen_mx, 1, 10000);
  }
  apps::check_range("b0", p.b0, 1, p.type == Type::Binomial ? 1 << 20 : kMostGeometricChildren);
  if (p.type == Type::Geometric) {
    apps::reject({"q", "m"}, " does not apply to geometric trees");
  } else {
    p.q = FLAGS_q;
    p.m = FLAGS_m;
    apps::check_range("q", p.q, 0, 1);
    apps::check_range("m", p.m, 1, 100);
  }
  apps::check_range("seed", p.seed, 0, (int64_t(1) << 32) - 1);
  if (find_published(p) != nullptr) return p;  // T3L is finite, although its q times m is above 1
  if (p.q * double(p.m) >= 1) {
    Grappa::input_error("--q times --m is 1 or more: such a tree may be infinite");
  }
  const double nodes = Tree(p).expected_nodes();
  if (!(nodes <= 1e15)) {  // most of a day on a thousand cores; not a number if a level overflows
    Grappa::input_error("a tree of these parameters has " +
                        (nodes <= 1e308 ? apps::number("%g", nodes) : "more than 1e+308") +
                        " nodes on average; the limit is 1e+15 nodes");
  }
  return p;
}

// Describes a tree, without the parameters that its type does not use. Prints this as a line.
Json describe(const Parameters& p, const PublishedTree* published) {
  Json tree;
  if (published != nullptr) tree["tree"] = published->name;
  tree["type"] = kTypes[size_t(p.type)];
  if (p.type != Type::Binomial) tree["shape"] = kShapes[size_t(p.shape)];
  tree["b0"] = p.b0;
  if (p.type != Type::Binomial) tree["gen_mx"] = p.gen_mx;
  if (p.type != Type::Geometric) tree.update({{"q", p.q}, {"m", p.m}});
  tree["seed"] = p.seed;
  std::string line;
  for (const auto& each : tree.items()) {
    line += line.empty() ? "tree: " : ", ";
    if (each.key() != "tree" && each.key() != "type") line += each.key() + " ";
    line += each.value().is_string() ? each.value().get<std::string>()
                                     : apps::number("%.15g", each.value().get<double>());
  }
  std::cout << line << std::endl;
  return tree;
}

bool benchmark() {
  const Parameters parameters = apps::is_given("tree") ? of_published_tree() : of_single_flags();
  const PublishedTree* const published = find_published(parameters);
  apps::check_writable("json", FLAGS_json);
  Json run = describe(parameters, published);
  std::vector<Counts> by_core;
  const double seconds = apps::seconds_of([&] { by_core = search(parameters); });
  const Counts all = total(by_core);
  if (apps::report_wrong("uts", wrong_counts(published, all))) return false;
  apps::report_values({{"nodes", all.nodes},
                       {"leaves", all.leaves},
                       {"depth", all.depth},
                       {"cores", by_core.size()}},
                      &run);
  Json cores = Json::array();
  for (const Counts& counts : by_core) {
    const double share = double(counts.nodes) / double(all.nodes);  // not 0: a tree has a root
    std::cout << "core " << cores.size() << ": " << counts.nodes << " nodes, "
              << apps::number("%.2f", 100 * share) << " %\n";
    cores.push_back({{"nodes", counts.nodes}, {"share", share}});
  }
  apps::report_speed("nodes", double(all.nodes), seconds, &run);
  std::cout << (published ? "the counts match the published counts"
                          : "no counts are published for this tree")
            << std::endl;
  run["validated"] = published != nullptr;
  run["by_core"] = cores;
  apps::write_json(FLAGS_json, run);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
