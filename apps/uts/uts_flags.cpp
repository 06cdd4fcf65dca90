#include "apps/uts/uts_flags.hpp"

#include "apps/common/flags.hpp"
#include "apps/uts/uts_published.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "system/base/input_error.hpp"

#include <cmath>
#include <gflags/gflags.h>
#include <sstream>
#include <string>

DEFINE_string(tree, "", "name of a published tree, such as T1; excludes all other tree flags");
DEFINE_string(type, "geometric", "distribution of child numbers: binomial, geometric or hybrid");
DEFINE_string(shape, "fixed", "mean number of children by depth: fixed, linear or cyclic");
DEFINE_double(b0, 4, "children of the root; the mean number if the tree is not binomial");
DEFINE_int64(gen_mx, 10, "number of levels with geometric children; half of them in a hybrid tree");
DEFINE_double(q, 0.124875, "probability that a node below a binomial root has children");
DEFINE_int64(m, 8, "number of children of such a node");
DEFINE_int64(seed, 19, "random seed of the tree");

namespace uts {
namespace {

// A thousand cores need most of a day for this many nodes.
constexpr double kMostNodes = 1e15;

// The programs of the paper have the same limit. A geometric node never has more children.
constexpr int kMostChildren = 100;

const char* const kParameterFlags[] = {"type", "shape", "b0", "gen_mx", "q", "m", "seed"};

void refuse(const char* flag, const std::string& why) {
  if (apps::is_given(flag)) Grappa::input_error("--" + std::string(flag) + why);
}

Parameters of_published_tree() {
  const PublishedTree* tree = find_published(FLAGS_tree);
  if (tree == nullptr) {
    Grappa::input_error("--tree=" + Grappa::detail::printable(FLAGS_tree) +
                        " is not a published tree; give one of " + published_names());
  }
  for (const char* flag : kParameterFlags) {
    refuse(flag, " and --tree exclude each other: a published tree has all its parameters");
  }
  return tree->parameters;
}

Type type_from_flag() {
  if (FLAGS_type == "binomial") return Type::Binomial;
  if (FLAGS_type == "geometric") return Type::Geometric;
  if (FLAGS_type == "hybrid") return Type::Hybrid;
  Grappa::input_error("--type=" + Grappa::detail::printable(FLAGS_type) +
                      " is unknown; give binomial, geometric or hybrid");
}

Shape shape_from_flag() {
  if (FLAGS_shape == "fixed") return Shape::Fixed;
  if (FLAGS_shape == "linear") return Shape::Linear;
  if (FLAGS_shape == "cyclic") return Shape::Cyclic;
  Grappa::input_error("--shape=" + Grappa::detail::printable(FLAGS_shape) +
                      " is unknown; give fixed, linear or cyclic");
}

// Not called for published trees: T3L is finite although q times m is above 1.
void check_size(const Parameters& p) {
  if (p.q * double(p.m) >= 1) {
    Grappa::input_error("--q times --m is 1 or more: such a tree may be infinite");
  }
  const double nodes = Tree(p).expected_nodes();
  if (nodes <= kMostNodes) return;
  std::ostringstream sentence;
  sentence << "a tree of these parameters has ";
  if (std::isfinite(nodes)) {
    sentence << nodes;
  } else {
    sentence << "more than 1e+308";
  }
  sentence << " nodes on average; the limit is " << kMostNodes << " nodes";
  Grappa::input_error(sentence.str());
}

Parameters of_single_flags() {
  Parameters p = {type_from_flag(), Shape::Linear, FLAGS_b0, 0, 0, 0, FLAGS_seed};
  if (p.type == Type::Binomial) {
    refuse("shape", " does not apply to binomial trees");
    refuse("gen_mx", " does not apply to binomial trees");
    apps::check_range("b0", p.b0, 1, 1 << 20);
  } else {
    p.shape = shape_from_flag();
    p.gen_mx = FLAGS_gen_mx;
    apps::check_range("b0", p.b0, 1, kMostChildren);
    apps::check_range("gen_mx", p.gen_mx, 1, 10000);
  }
  if (p.type == Type::Geometric) {
    refuse("q", " does not apply to geometric trees");
    refuse("m", " does not apply to geometric trees");
  } else {
    p.q = FLAGS_q;
    p.m = FLAGS_m;
    apps::check_range("q", p.q, 0, 1);
    apps::check_range("m", p.m, 1, kMostChildren);
  }
  apps::check_range("seed", p.seed, 0, (int64_t(1) << 32) - 1);
  if (find_published(p) == nullptr) check_size(p);
  return p;
}

}  // namespace

Parameters parameters_from_flags() {
  return apps::is_given("tree") ? of_published_tree() : of_single_flags();
}

}  // namespace uts
