#pragma once

/// The trees of the Unbalanced Tree Search benchmark (S. Olivier et al., LCPC 2006), and their
/// search. A tree is not stored. A node is the SHA-1 hash of its parent and of its index among the
/// children. The number of its children is a random function of this hash.

#include <algorithm>
#include <arpa/inet.h>
#include <cmath>
#include <initializer_list>
#include <nettle/sha1.h>
#include <numeric>
#include <string>
#include <vector>

namespace uts {

/// Binomial: the root has b0 children; any other node has m children with probability q, otherwise
/// no child. Geometric: the number of children is geometrically distributed, with a mean that
/// depends only on the depth. Hybrid: geometric down to half of gen_mx, binomial below.
enum class Type { Binomial, Geometric, Hybrid };

/// The mean number of children of a geometric node; b0 at the root. Fixed: b0 down to depth gen_mx.
/// Linear: decreases from b0 to 0 at depth gen_mx. Cyclic: b0 to the power of a sine with period
/// gen_mx, down to depth 5 * gen_mx.
enum class Shape { Fixed, Linear, Cyclic };

/// Binomial trees do not use `shape` and `gen_mx`; geometric trees do not use `q` and `m`. Unused
/// parameters are zero, and an unused shape is Linear.
struct Parameters {
  Type type;
  Shape shape;
  double b0;
  int64_t gen_mx;
  double q;
  int64_t m, seed;
};

/// The result of a search. `depth` is the depth of the deepest node; the root has depth 0.
struct Counts {
  int64_t nodes, leaves, depth;
};

struct Node {
  uint32_t state[5];  // the hash, in the byte order of SHA-1
  int32_t depth, children;
};

/// The programs of the paper have this limit, and the published counts depend on it.
constexpr int32_t kMostGeometricChildren = 100;

class Tree {
 public:
  explicit Tree(const Parameters& parameters) : p_(parameters) {
    // Levels of nodes with geometric children: none in a binomial tree, whose gen_mx is 0.
    const int64_t levels = p_.type == Type::Hybrid     ? (p_.gen_mx + 1) / 2
                           : p_.shape == Shape::Cyclic ? 5 * p_.gen_mx + 1
                                                       : p_.gen_mx;
    for (int64_t depth = 0; depth < levels; ++depth) {
      log_of_another_.push_back(std::log(1 - 1 / (1 + mean_children(depth))));
    }
  }

  Node root() const { return derive({0, 0, 0, 0, htonl(uint32_t(p_.seed))}, 0); }

  /// `index` is 0 to parent.children - 1.
  Node child(const Node& parent, int32_t index) const {
    const uint32_t* const s = parent.state;
    return derive({s[0], s[1], s[2], s[3], s[4], htonl(uint32_t(index))}, parent.depth + 1);
  }

 private:
  // Returns the node whose state is the hash of the input.
  Node derive(std::initializer_list<uint32_t> input, int32_t depth) const {
    Node node;
    sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, 4 * input.size(), reinterpret_cast<const uint8_t*>(input.begin()));
    sha1_digest(&context, sizeof node.state, reinterpret_cast<uint8_t*>(node.state));
    node.depth = depth;
    node.children = draw_children(node);
    return node;
  }

  int32_t draw_children(const Node& node) const {
    // In [0, 1). A leaf of a geometric tree does not wait for its hash.
    const auto random = [&node] { return (ntohl(node.state[4]) & 0x7fffffff) / 2147483648.0; };
    if (size_t(node.depth) < log_of_another_.size()) {
      const double drawn = std::log(1 - random()) / log_of_another_[size_t(node.depth)];
      return int32_t(std::min<double>(drawn, kMostGeometricChildren));
    }
    if (node.depth == 0) return int32_t(p_.b0);
    return p_.q != 0 && random() < p_.q ? int32_t(p_.m) : 0;
  }

  double mean_children(int64_t depth) const {
    if (depth == 0 || p_.shape == Shape::Fixed) return p_.b0;
    const double generation = double(depth) / double(p_.gen_mx);
    if (p_.shape == Shape::Linear) return p_.b0 * (1 - generation);
    return std::pow(p_.b0, std::sin(2 * 3.141592653589793 * generation));
  }

  Parameters p_;
  std::vector<double> log_of_another_;  // log of P(one more child) of geometric nodes, by depth
};

/// Searches the whole tree. Returns the counts of each core. From: task, one at a time. Suspends.
/// Messages: about 6 for each other core, and those of work stealing.
std::vector<Counts> search(const Parameters& parameters);

/// Returns the counts of the whole tree.
inline Counts total(const std::vector<Counts>& counts) {
  return std::accumulate(counts.begin(), counts.end(), Counts{}, [](Counts sum, const Counts& c) {
    return Counts{sum.nodes + c.nodes, sum.leaves + c.leaves, std::max(sum.depth, c.depth)};
  });
}

struct PublishedTree {
  const char* name;
  Parameters parameters;
  Counts counts;
};

/// The trees that the authors of UTS publish with their programs.
constexpr PublishedTree kPublishedTrees[] = {
    {"T1", {Type::Geometric, Shape::Fixed, 4, 10, 0, 0, 19}, {4130071, 3305118, 10}},
    {"T2", {Type::Geometric, Shape::Cyclic, 6, 16, 0, 0, 502}, {4117769, 2342762, 81}},
    {"T3", {Type::Binomial, Shape::Linear, 2000, 0, 0.124875, 8, 42}, {4112897, 3599034, 1572}},
    {"T4", {Type::Hybrid, Shape::Linear, 6, 16, 0.234375, 4, 1}, {4132453, 3108986, 134}},
    {"T5", {Type::Geometric, Shape::Linear, 4, 20, 0, 0, 34}, {4147582, 2181318, 20}},
    {"T1L", {Type::Geometric, Shape::Fixed, 4, 13, 0, 0, 29}, {102181082, 81746377, 13}},
    {"T2L", {Type::Geometric, Shape::Cyclic, 7, 23, 0, 0, 220}, {96793510, 53791152, 67}},
    {"T3L", {Type::Binomial, Shape::Linear, 2000, 0, 0.200014, 5, 7}, {111345631, 89076904, 17844}},
};

inline std::string in_words(const Counts& counts) {
  return std::to_string(counts.nodes) + " nodes, " + std::to_string(counts.leaves) +
         " leaves and depth " + std::to_string(counts.depth);
}

/// Returns an error message with both counts, or an empty string if they match or `tree` is null.
inline std::string wrong_counts(const PublishedTree* tree, const Counts& found) {
  if (tree == nullptr || in_words(found) == in_words(tree->counts)) return "";
  return std::string("the tree ") + tree->name + " has " + in_words(tree->counts) +
         "; the search found " + in_words(found);
}

}  // namespace uts
