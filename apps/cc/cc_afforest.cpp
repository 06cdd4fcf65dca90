#include "apps/cc/cc_afforest.hpp"

#include "apps/cc/forest.hpp"
#include "apps/cc/giant.hpp"

namespace cc {
namespace {

template <class Slot>
class AfforestComponents : public Components {
 public:
  explicit AfforestComponents(GlobalAddress<LabelGraph> g)
      : lists_(g->lists()),
        giant_(Giant::create(lists_)),
        forest_(Grappa::symmetric<Forest<Slot>>(lists_, giant_)) {}
  ~AfforestComponents() {
    Grappa::global_free(forest_);
    Giant::destroy(giant_);
  }

  void run() override {
    const GlobalAddress<Giant> giant = giant_;
    const GlobalAddress<Forest<Slot>> forest = forest_;
    Grappa::on_all_cores([giant, forest] {
      const int64_t open = giant->find<Slot>();
      forest->build(open);
    });
  }

  void copy_labels(GlobalAddress<VertexID> label) override {
    const GlobalAddress<Grappa::detail::Csr> lists = lists_;
    const GlobalAddress<Forest<Slot>> forest = forest_;
    Grappa::on_all_cores([lists, forest, label] {
      const Grappa::detail::VertexLayout& layout = lists->layout();
      Grappa::forall_here(0, lists->vertices(), [&layout, forest, label](int64_t place) {
        const VertexID v = layout.id(Grappa::mycore(), place);
        const VertexID root = layout.id_of_slot(forest->root(place));
        Grappa::delegate::write<Grappa::async>(label + v, root);
      });
    });
  }

 private:
  const GlobalAddress<Grappa::detail::Csr> lists_;
  const GlobalAddress<Giant> giant_;
  const GlobalAddress<Forest<Slot>> forest_;
};

}  // namespace

std::unique_ptr<Components> afforest_components(GlobalAddress<LabelGraph> g) {
  if (g->csr().slot_bytes() == sizeof(uint32_t)) {
    return std::unique_ptr<Components>(new AfforestComponents<uint32_t>(g));
  }
  return std::unique_ptr<Components>(new AfforestComponents<uint64_t>(g));
}

}  // namespace cc
