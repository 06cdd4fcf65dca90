#include "apps/cc/ghost_labels.hpp"

namespace cc {

using Grappa::Core;

template <class Label>
GhostLabels<Label>::GhostLabels(const std::vector<uint64_t>& wanted) {
  uint64_t copies = 0;
  words_.reserve(wanted.size());
  for (const uint64_t word : wanted) {
    words_.push_back(Word{word, copies});
    copies += static_cast<uint64_t>(__builtin_popcountll(word));
  }
  labels_.resize(static_cast<size_t>(copies));
}

template <class Label>
void GhostLabels<Label>::fetch(GlobalAddress<LabelGraph> g) {
  const Grappa::detail::VertexLayout& layout = g->csr().layout();
  const uint64_t words_of_core = (uint64_t{1} << layout.index_bits()) / 64;
  Label* copy = labels_.data();
  for (uint64_t i = 0; i < words_.size(); ++i) {
    const Core owner = static_cast<Core>(i / words_of_core);
    Vertex* const first = g->vs.localize(owner) + (i % words_of_core) * 64;
    for (uint64_t each = words_[i].wanted; each != 0; each &= each - 1, ++copy) {
      Vertex* const vertex = first + __builtin_ctzll(each);
      if (owner == Grappa::mycore()) {
        *copy = static_cast<Label>((*vertex)->label);
        continue;
      }
      const GlobalAddress<Label> answer = Grappa::make_global(copy);
      Grappa::delegate::call<Grappa::async>(
          Grappa::make_global(vertex, owner),
          [answer](Vertex& v) { Grappa::delegate::write<Grappa::async>(answer, v->label); });
    }
  }
}

template class GhostLabels<uint32_t>;
template class GhostLabels<uint64_t>;

}  // namespace cc
