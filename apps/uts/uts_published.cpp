/// The check of a search: the trees that the authors of UTS publish with their programs.

#include "apps/uts/uts_tree.hpp"

#include <tuple>

namespace uts {
namespace {

const PublishedTree kPublished[] = {
    {"T1", {Type::Geometric, Shape::Fixed, 4, 10, 0, 0, 19}, {4130071, 3305118, 10}},
    {"T2", {Type::Geometric, Shape::Cyclic, 6, 16, 0, 0, 502}, {4117769, 2342762, 81}},
    {"T3", {Type::Binomial, Shape::Linear, 2000, 0, 0.124875, 8, 42}, {4112897, 3599034, 1572}},
    {"T4", {Type::Hybrid, Shape::Linear, 6, 16, 0.234375, 4, 1}, {4132453, 3108986, 134}},
    {"T5", {Type::Geometric, Shape::Linear, 4, 20, 0, 0, 34}, {4147582, 2181318, 20}},
    {"T1L", {Type::Geometric, Shape::Fixed, 4, 13, 0, 0, 29}, {102181082, 81746377, 13}},
    {"T2L", {Type::Geometric, Shape::Cyclic, 7, 23, 0, 0, 220}, {96793510, 53791152, 67}},
    {"T3L", {Type::Binomial, Shape::Linear, 2000, 0, 0.200014, 5, 7}, {111345631, 89076904, 17844}},
};

std::string in_words(const Counts& counts) {
  return std::to_string(counts.nodes) + " nodes, " + std::to_string(counts.leaves) +
         " leaves and depth " + std::to_string(counts.depth);
}

template <class F>
const PublishedTree* find(F is_wanted) {
  const auto found = std::find_if(std::begin(kPublished), std::end(kPublished), is_wanted);
  return found == std::end(kPublished) ? nullptr : found;
}

}  // namespace

const PublishedTree* find_published(const std::string& name) {
  return find([&name](const PublishedTree& tree) { return name == tree.name; });
}

const PublishedTree* find_published(const Parameters& p) {
  return find([&p](const PublishedTree& tree) {
    const Parameters& its = tree.parameters;
    return std::tie(its.type, its.shape, its.b0, its.gen_mx, its.q, its.m, its.seed) ==
           std::tie(p.type, p.shape, p.b0, p.gen_mx, p.q, p.m, p.seed);
  });
}

std::string published_names() {
  std::string names;
  for (const PublishedTree& tree : kPublished) {
    names += (names.empty() ? "" : " ") + std::string(tree.name);
  }
  return names;
}

std::string wrong_counts(const PublishedTree* tree, const Counts& found) {
  if (tree == nullptr || in_words(found) == in_words(tree->counts)) return "";
  return std::string("the tree ") + tree->name + " has " + in_words(tree->counts) +
         "; the search found " + in_words(found);
}

}  // namespace uts
