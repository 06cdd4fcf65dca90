#include "structures/graph/make/uniform.hpp"

#include "system/base/check.hpp"

namespace Grappa {
namespace detail {
namespace {

// The second word of the key: it makes uniform graphs independent of Kronecker graphs.
constexpr uint64_t kUniform = 0x756e69666f726d21;

// The sequence of random words for one edge.
class Words {
 public:
  Words(int64_t index, PhiloxKey key) : index_(uint64_t(index)), key_(key) {}

  uint64_t next() {
    if (taken_ % 4 == 0) four_ = philox4x64({{index_, taken_ / 4, 0, 0}}, key_);
    return four_.word[taken_++ % 4];
  }

 private:
  uint64_t index_;
  PhiloxKey key_;
  uint64_t taken_ = 0;
  PhiloxCounter four_ = {};
};

}  // namespace

UniformGenerator::UniformGenerator(int64_t nv, uint64_t seed)
    : nv_(uint64_t(nv)), refused_(0), key_{{seed, kUniform}} {
  GRAPPA_CHECK(nv >= 1) << "invalid uniform graph of " << nv << " vertices, expected 1 or more";
  refused_ = -nv_ % nv_;  // 2^64 modulo nv
}

TupleEdge UniformGenerator::edge(int64_t index) const {
  __extension__ typedef unsigned __int128 Product;
  Words words(index, key_);
  const auto vertex = [this, &words] {
    Product product;
    do {
      product = Product(words.next()) * nv_;
    } while (uint64_t(product) < refused_);
    return VertexID(product >> 64);
  };
  const VertexID v0 = vertex();
  return TupleEdge{v0, vertex()};
}

}  // namespace detail
}  // namespace Grappa
