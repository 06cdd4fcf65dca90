#include "apps/cc/forest.hpp"

namespace cc {

using Grappa::GlobalAddress;
using Grappa::detail::Csr;

template <class Slot>
Forest<Slot>* Forest<Slot>::current_ = nullptr;

template <class Slot>
Forest<Slot>::Forest(GlobalAddress<Csr> lists, GlobalAddress<Giant> giant)
    : lists_(*lists.pointer()),
      giant_(*giant.pointer()),
      index_bits_(lists_.layout().index_bits()),
      index_mask_((uint64_t{1} << index_bits_) - 1),
      first_slot_(lists_.layout().slot(Grappa::mycore(), 0)),
      parent_(static_cast<size_t>(lists_.vertices())) {}

// Initially the parent of a giant component member is the seed, and every other vertex is a root.
template <class Slot>
void Forest<Slot>::reset() {
  current_ = this;
  seed_ = static_cast<Slot>(giant_.seed());
  for (int64_t place = 0; place < lists_.vertices(); ++place) {
    const Slot own = slot(place);
    parent(place) = giant_.has(own) ? seed_ : own;
  }
}

// Last vertex of this core on the path to the root: the root or a child of another core's vertex.
template <class Slot>
int64_t Forest<Slot>::top(int64_t place) {
  for (;;) {
    const Slot above = parent(place);
    if (!is_own(above) || above == slot(place)) return place;
    const Slot next = parent(this->place(above));
    if (!is_own(next) || next == above) return this->place(above);
    parent(place) = next;
    place = this->place(next);
  }
}

// Links the components of a vertex of this core and of a vertex of any core.
template <class Slot>
void Forest<Slot>::link(int64_t place, Slot other) {
  for (;;) {
    const int64_t highest = top(place);
    Slot& above = parent(highest);
    if (above == other) return;
    if (above == slot(highest) && before(other, above)) {
      above = other;
      return;
    }
    // The later vertex becomes a child of the earlier one. If it has a parent, link the parent.
    const bool other_is_later = before(above, other);
    const Slot later = other_is_later ? other : above;
    other = other_is_later ? above : other;
    if (!is_own(later)) {
      Grappa::delegate::call<Grappa::async>(core(later),
                                            Link{static_cast<Slot>(this->place(later)), other});
      return;
    }
    place = this->place(later);
  }
}

template <class Slot>
void Forest<Slot>::link_within(int64_t place) {
  const Slot own = slot(place);
  const Slot* const end = lists_.slots<Slot>() + lists_.first(place + 1);
  for (const Slot* each = lists_.slots<Slot>() + lists_.first(place); each != end; ++each) {
    if (giant_.has(*each)) {
      link(place, seed_);
    } else if (*each < own && is_own(*each)) {
      link(place, *each);
    }
  }
}

template <class Slot>
void Forest<Slot>::link_across(int64_t place) {
  const Slot* const end = lists_.slots<Slot>() + lists_.first(place + 1);
  for (const Slot* each = lists_.slots<Slot>() + lists_.first(place); each != end; ++each) {
    if (*each < first_slot_ && !giant_.has(*each)) link(place, *each);
  }
}

// Requests the root of a tree whose root is on another core.
template <class Slot>
void Forest<Slot>::ask(int64_t place) {
  const Slot above = parent(place);
  if (is_own(above) || above == seed_) return;
  Grappa::delegate::call<Grappa::async>(core(above),
                                        Ask{static_cast<Slot>(this->place(above)), slot(place)});
}

template <class Slot>
void Forest<Slot>::answer(int64_t place, Slot asker) {
  const Slot above = parent(top(place));
  if (is_own(above) || above == seed_) {
    Grappa::delegate::call<Grappa::async>(core(asker),
                                          Answer{static_cast<Slot>(this->place(asker)), above});
  } else {
    Grappa::delegate::call<Grappa::async>(core(above),
                                          Ask{static_cast<Slot>(this->place(above)), asker});
  }
}

template <class Slot>
void Forest<Slot>::flatten() {
  giant_.for_each_open([this](int64_t place) { parent(place) = parent(top(place)); });
}

template <class Slot>
void Forest<Slot>::build(int64_t open) {
  reset();
  if (open == 0) return;
  giant_.for_each_open([this](int64_t place) { link_within(place); });
  Grappa::barrier();  // no core sends a message before all forests are initialized
  Grappa::finish([this] { giant_.for_each_open([this](int64_t place) { link_across(place); }); });
  Grappa::barrier();
  Grappa::finish([this] { giant_.for_each_open([this](int64_t place) { ask(place); }); });
  flatten();
}

template class Forest<uint32_t>;
template class Forest<uint64_t>;

}  // namespace cc
