#include "apps/uts/uts_tree.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <nettle/sha1.h>

namespace uts {
namespace {

static_assert(sizeof(Node::state) == SHA1_DIGEST_SIZE, "a node's state is one SHA-1 digest");

// The programs of the paper have this limit, and the published counts depend on it.
constexpr int32_t kMostGeometricChildren = 100;
constexpr int kCycles = 5;
constexpr double kPi = 3.141592653589793;

void store_big_endian(uint32_t value, uint8_t* bytes) {
  for (int k = 0; k < 4; ++k) bytes[k] = uint8_t(value >> (24 - 8 * k));
}

void hash(size_t size, const uint8_t* bytes, uint8_t* digest) {
  sha1_ctx context;
  sha1_init(&context);
  sha1_update(&context, size, bytes);
  sha1_digest(&context, SHA1_DIGEST_SIZE, digest);
}

// A random number in [0, 1), in steps of 2^-31.
double probability(const Node& node) {
  const uint8_t* low = node.state + sizeof node.state - 4;
  const uint32_t bits = uint32_t(low[0] & 0x7f) << 24 | uint32_t(low[1]) << 16 |
                        uint32_t(low[2]) << 8 | uint32_t(low[3]);
  return double(bits) / 2147483648.0;
}

}  // namespace

Tree::Tree(const Parameters& parameters) : parameters_(parameters) {
  for (int64_t depth = 0; depth < geometric_levels(); ++depth) {
    log_of_another_.push_back(std::log(1 - 1 / (1 + mean_children(depth))));
  }
}

// Number of levels, from the root, in which a node can have geometric children.
int64_t Tree::geometric_levels() const {
  if (parameters_.type == Type::Binomial) return 0;
  if (parameters_.type == Type::Hybrid) return (parameters_.gen_mx + 1) / 2;
  if (parameters_.shape == Shape::Cyclic) return kCycles * parameters_.gen_mx + 1;
  return parameters_.gen_mx;
}

double Tree::mean_children(int64_t depth) const {
  if (depth == 0) return parameters_.b0;
  const double generation = double(depth) / double(parameters_.gen_mx);
  switch (parameters_.shape) {
    case Shape::Linear: return parameters_.b0 * (1 - generation);
    case Shape::Cyclic: return std::pow(parameters_.b0, std::sin(2 * kPi * generation));
    case Shape::Fixed: break;
  }
  return parameters_.b0;
}

Node Tree::root() const {
  uint8_t bytes[20] = {};
  store_big_endian(uint32_t(parameters_.seed), bytes + 16);
  Node node;
  hash(sizeof bytes, bytes, node.state);
  node.depth = 0;
  node.children = draw_children(node);
  return node;
}

Node Tree::child(const Node& parent, int32_t index) const {
  uint8_t bytes[24];
  std::memcpy(bytes, parent.state, sizeof parent.state);
  store_big_endian(uint32_t(index), bytes + sizeof parent.state);
  Node node;
  hash(sizeof bytes, bytes, node.state);
  node.depth = parent.depth + 1;
  node.children = draw_children(node);
  return node;
}

int32_t Tree::draw_children(const Node& node) const {
  if (size_t(node.depth) < log_of_another_.size()) {
    const double drawn = std::log(1 - probability(node)) / log_of_another_[size_t(node.depth)];
    return drawn < kMostGeometricChildren ? int32_t(drawn) : kMostGeometricChildren;
  }
  if (parameters_.type == Type::Geometric) return 0;
  if (node.depth == 0) return int32_t(parameters_.b0);
  return probability(node) < parameters_.q ? int32_t(parameters_.m) : 0;
}

double Tree::expected_nodes() const {
  double nodes = 1;
  double width = 1;  // nodes of the next level
  for (int64_t depth = 0; depth < geometric_levels(); ++depth) {
    width *= mean_children(depth);
    nodes += width;
  }
  if (parameters_.type == Type::Binomial) nodes += width = std::floor(parameters_.b0);
  // Each node of the last level is the root of a binomial tree. Each level of that tree has `ratio`
  // times as many nodes as the level above; `ratio` is 0 in a geometric tree.
  const double ratio = parameters_.q * double(parameters_.m);
  if (ratio >= 1) return std::numeric_limits<double>::infinity();
  return nodes + width * ratio / (1 - ratio);
}

}  // namespace uts
