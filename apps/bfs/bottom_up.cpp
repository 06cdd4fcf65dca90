#include "apps/bfs/bottom_up.hpp"

#include <algorithm>
#include <utility>

namespace bfs {

using Grappa::Core;
using Grappa::GlobalAddress;
using Grappa::detail::Csr;

namespace {

constexpr int kBitmaps = 3;

}  // namespace

GlobalAddress<BottomUp> BottomUp::create(GlobalAddress<Csr> lists) {
  const auto bitmaps = Grappa::symmetric_global_alloc<uint64_t>(
      kBitmaps * int64_t(lists->layout().slots() / 64) + 1);
  return Grappa::symmetric<BottomUp>(lists, bitmaps);
}

void BottomUp::destroy(GlobalAddress<BottomUp> bottom_up) {
  Grappa::global_free(bottom_up->bitmaps_);
  Grappa::global_free(bottom_up);
}

BottomUp::BottomUp(GlobalAddress<Csr> lists, GlobalAddress<uint64_t> bitmaps)
    : lists_(lists.pointer()),
      bitmaps_(bitmaps),
      own_words_((int64_t{1} << lists_->layout().index_bits()) / 64),
      words_(own_words_ * Grappa::cores()),
      frontier_(bitmaps.pointer()),
      next_(frontier_ + words_),
      unvisited_(next_ + words_) {
  std::fill_n(frontier_, kBitmaps * words_ + 1, 0);
  with_neighbours_.assign(static_cast<size_t>(own_words_), 0);
  for (int64_t place = 0; place < lists_->vertices(); ++place) {
    const uint64_t has = lists_->size(place) != 0 ? 1 : 0;
    with_neighbours_[static_cast<size_t>(place / 64)] |= has << (place % 64);
  }
}

void BottomUp::reset() { std::copy(with_neighbours_.begin(), with_neighbours_.end(), unvisited_); }

void BottomUp::clear_own() { std::fill_n(own(next_), own_words_, 0); }

void BottomUp::share() {
  const uint64_t* const mine = own(next_);
  Grappa::finish([this, mine] {
    for (Core step = 1; step < Grappa::cores(); ++step) {
      const Core there = static_cast<Core>((Grappa::mycore() + step) % Grappa::cores());
      Grappa::memcpy_async(Grappa::make_global(own(next_), there), mine, own_words_);
    }
  });
  std::swap(frontier_, next_);
}

}  // namespace bfs
