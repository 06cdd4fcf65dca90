/// The Unbalanced Tree Search benchmark: counts the nodes of a tree that cannot be divided evenly
/// in advance, with tasks that idle cores steal. Prints the speed and the balance of work.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/uts/uts_tree.hpp"

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

// In the order of the enumerators.
const std::vector<std::string> kTypes = {"binomial", "geometric", "hybrid"};
const std::vector<std::string> kShapes = {"fixed", "linear", "cyclic"};

Parameters of_published_tree() {
  apps::reject({"type", "shape", "b0", "gen_mx", "q", "m", "seed"},
               " and --tree exclude each other: a published tree has all its parameters");
  std::vector<std::string> names;
  for (const PublishedTree& tree : kPublishedTrees) names.push_back(tree.name);
  return kPublishedTrees[apps::check_choice("tree", FLAGS_tree, names)].parameters;
}

Parameters of_single_flags() {
  const Type type = Type(apps::check_choice("type", FLAGS_type, kTypes));
  const Shape shape = Shape(apps::check_choice("shape", FLAGS_shape, kShapes));
  const bool binomial = type == Type::Binomial, geometric = type == Type::Geometric;
  if (binomial) apps::reject({"shape", "gen_mx"}, " does not apply to binomial trees");
  if (geometric) apps::reject({"q", "m"}, " does not apply to geometric trees");
  if (!geometric && FLAGS_q * double(FLAGS_m) >= 1) {
    Grappa::input_error("--q times --m is 1 or more: such a tree may be infinite");
  }
  return {type,
          binomial ? Shape::Linear : shape,
          apps::check_range("b0", FLAGS_b0, 1, binomial ? 1 << 20 : kMostGeometricChildren),
          binomial ? 0 : apps::check_range("gen_mx", FLAGS_gen_mx, 1, 10000),
          geometric ? 0 : apps::check_range("q", FLAGS_q, 0, 1),
          geometric ? 0 : apps::check_range("m", FLAGS_m, 1, 100),
          apps::check_range("seed", FLAGS_seed, 0, (int64_t(1) << 32) - 1)};
}

// Describes a tree by the parameters that its type uses.
apps::Json describe(const Parameters& p) {
  apps::Json tree = {{"type", kTypes[size_t(p.type)]}, {"b0", p.b0}, {"seed", p.seed}};
  const std::string& shape = kShapes[size_t(p.shape)];
  if (p.type != Type::Binomial) tree.update({{"shape", shape}, {"gen_mx", p.gen_mx}});
  if (p.type != Type::Geometric) tree.update({{"q", p.q}, {"m", p.m}});
  return tree;
}

bool benchmark() {
  const Parameters parameters = apps::is_given("tree") ? of_published_tree() : of_single_flags();
  const apps::Json tree = describe(parameters);
  const PublishedTree* published = nullptr;
  for (const PublishedTree& each : kPublishedTrees) {
    if (describe(each.parameters) == tree) published = &each;
  }
  apps::check_writable("json", FLAGS_json);
  apps::Json run, cores;
  if (published != nullptr) apps::report_values({{"tree", published->name}}, &run);
  apps::report_values(tree, &run);
  std::vector<Counts> by_core;
  const double seconds = apps::seconds_of([&] { by_core = search(parameters); });
  const Counts all = total(by_core);
  if (apps::report_wrong("uts", wrong_counts(published, all))) return false;
  apps::report_values({{"nodes", all.nodes}, {"leaves", all.leaves}}, &run);
  apps::report_values({{"depth", all.depth}, {"cores", by_core.size()}}, &run);
  for (const Counts& counts : by_core) cores.push_back({{"nodes", counts.nodes}});
  apps::report_statistics(cores, {{"nodes_of_core", "nodes", false}}, &run);
  run["by_core"] = cores;
  apps::report_speed("nodes", double(all.nodes), seconds, &run);
  apps::report_values({{"validated", published != nullptr}}, &run);
  apps::write_json(FLAGS_json, run);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
