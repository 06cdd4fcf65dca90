#pragma once

/// The trees of the Unbalanced Tree Search benchmark (S. Olivier et al., LCPC 2006), and their
/// search. A tree is not stored. A node is the SHA-1 hash of its parent and of its index among the
/// children. The number of its children is a random function of this hash.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nettle/sha1.h>
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

/// Unused parameters are zero, and an unused shape is Linear, so equal trees have equal parameters.
/// Binomial trees do not use `shape` and `gen_mx`; geometric trees do not use `q` and `m`.
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
  uint8_t state[SHA1_DIGEST_SIZE];
  int32_t depth, children;
};

/// The programs of the paper have this limit, and the published counts depend on it.
constexpr int32_t kMostGeometricChildren = 100;

class Tree {
 public:
  explicit Tree(const Parameters& parameters) : p_(parameters) {
    for (int64_t depth = 0; depth < geometric_levels(); ++depth) {
      log_of_another_.push_back(std::log(1 - 1 / (1 + mean_children(depth))));
    }
  }

  Node root() const {
    const uint8_t zeros[16] = {};
    return derive(zeros, sizeof zeros, uint32_t(p_.seed), 0);
  }

  /// `index` is 0 to parent.children - 1.
  Node child(const Node& parent, int32_t index) const {
    return derive(parent.state, sizeof parent.state, uint32_t(index), parent.depth + 1);
  }

  /// Returns the mean number of nodes over all seeds, which may be infinite.
  double expected_nodes() const {
    double nodes = 1, width = 1;  // width: nodes of the next level
    for (int64_t depth = 0; depth < geometric_levels(); ++depth) {
      nodes += width *= mean_children(depth);
    }
    if (p_.type == Type::Binomial) nodes += width = std::floor(p_.b0);
    // Each binomial level has `ratio` times as many nodes as the level above; 0 if geometric.
    const double ratio = p_.q * double(p_.m);
    return ratio >= 1 ? INFINITY : nodes + width * ratio / (1 - ratio);
  }

 private:
  // Returns the node whose state is the hash of `n` bytes and a number.
  Node derive(const uint8_t* prefix, size_t n, uint32_t number, int32_t depth) const {
    uint8_t bytes[24];
    std::memcpy(bytes, prefix, n);
    for (size_t k = 0; k < 4; ++k) bytes[n + k] = uint8_t(number >> (24 - 8 * k));
    Node node;
    sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, n + 4, bytes);
    sha1_digest(&context, SHA1_DIGEST_SIZE, node.state);
    node.depth = depth;
    node.children = draw_children(node);
    return node;
  }

  int32_t draw_children(const Node& node) const {
    uint32_t bits = 0;
    for (size_t k = sizeof node.state - 4; k < sizeof node.state; ++k) {
      bits = bits << 8 | node.state[k];
    }
    const double random = double(bits & 0x7fffffff) / 2147483648.0;  // the range is [0, 1)
    if (size_t(node.depth) < log_of_another_.size()) {
      const double drawn = std::log(1 - random) / log_of_another_[size_t(node.depth)];
      return int32_t(std::min<double>(drawn, kMostGeometricChildren));
    }
    if (p_.type == Type::Geometric) return 0;
    if (node.depth == 0) return int32_t(p_.b0);
    return random < p_.q ? int32_t(p_.m) : 0;
  }

  // Returns the number of levels, from the root, in which nodes can have geometric children.
  int64_t geometric_levels() const {
    if (p_.type == Type::Binomial) return 0;
    if (p_.type == Type::Hybrid) return (p_.gen_mx + 1) / 2;
    return p_.shape == Shape::Cyclic ? 5 * p_.gen_mx + 1 : p_.gen_mx;
  }

  double mean_children(int64_t depth) const {
    if (depth == 0 || p_.shape == Shape::Fixed) return p_.b0;
    const double generation = double(depth) / double(p_.gen_mx);
    if (p_.shape == Shape::Linear) return p_.b0 * (1 - generation);
    return std::pow(p_.b0, std::sin(2 * 3.141592653589793 * generation));
  }

  const Parameters p_;
  std::vector<double> log_of_another_;  // log of P(one more child) of geometric nodes, by depth
};

/// Searches the whole tree. Returns the counts of each core. From: task, one at a time. Suspends.
/// Messages: about 6 for each other core, and those of work stealing.
std::vector<Counts> search(const Parameters& parameters);

/// Returns the counts of the whole tree.
Counts total(const std::vector<Counts>& counts);

struct PublishedTree {
  const char* name;
  Parameters parameters;
  Counts counts;
};

/// Returns null if no published tree has the name or the parameters.
const PublishedTree* find_published(const std::string& name);
const PublishedTree* find_published(const Parameters& parameters);

std::string published_names();  ///< "T1 T2 ..."

/// Returns an error message with both counts, or an empty string if they match or `tree` is null.
std::string wrong_counts(const PublishedTree* tree, const Counts& found);

}  // namespace uts
