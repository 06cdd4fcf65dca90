#include "structures/graph/csr/csr.hpp"

#include "system/global/heap.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {
namespace {

typedef uint8_t DegreeClass;  // a lower class has more neighbours

constexpr int kClassesOfDoubling = 8;  // so 2^31 neighbours have class 255 - 248

DegreeClass class_of(int64_t degree) {
  const double octaves = std::log2(double(degree) + 1);
  return DegreeClass(255 - std::min(255, int(octaves * kClassesOfDoubling)));
}

// Lists no longer than this are sorted by insertion.
constexpr int64_t kShortList = 24;

template <class Slot>
class ListSorter {
 public:
  ListSorter(Slot* slots, const DegreeClass* classes) : slots_(slots), classes_(classes) {}

  void sort(int64_t first, int64_t count) {
    if (count <= kShortList) {
      sort_short(slots_ + first, count);
    } else {
      sort_long(slots_ + first, count);
    }
  }

 private:
  void sort_short(Slot* list, int64_t count) {
    for (int64_t i = 1; i < count; ++i) {
      const Slot slot = list[i];
      const DegreeClass its_class = classes_[slot];
      int64_t k = i;
      for (; k > 0 && classes_[list[k - 1]] > its_class; --k) list[k] = list[k - 1];
      list[k] = slot;
    }
  }

  void sort_long(Slot* list, int64_t count) {
    std::array<int64_t, 256> next = {};
    for (int64_t i = 0; i < count; ++i) ++next[classes_[list[i]]];
    int64_t before = 0;
    for (int64_t& place : next) before += std::exchange(place, before);
    scratch_.assign(list, list + count);
    for (const Slot slot : scratch_) list[next[classes_[slot]]++] = slot;
  }

  Slot* const slots_;
  const DegreeClass* const classes_;  // by slot
  std::vector<Slot> scratch_;
};

// Copies this core's classes to all other cores, at the same address.
void share_classes(const Csr& csr, DegreeClass* classes) {
  DegreeClass* const mine = classes + csr.layout().slot(mycore(), 0);
  const int64_t places = int64_t{1} << csr.layout().index_bits();
  for (int64_t place = 0; place < csr.vertices(); ++place) mine[place] = class_of(csr.size(place));
  finish([mine, places] {
    for (Core step = 1; step < cores(); ++step) {
      const Core there = static_cast<Core>((mycore() + step) % cores());
      memcpy_async(make_global(mine, there), mine, places);
    }
  });
}

template <class Slot>
void sort_lists(Csr* csr, const DegreeClass* classes) {
  ListSorter<Slot> sorter(csr->slots_for_ordering<Slot>(), classes);
  for (int64_t place = 0; place < csr->vertices(); ++place) {
    sorter.sort(csr->first(place), csr->size(place));
    if (place % 4096 == 0) scheduler().yield_if_due();
  }
}

}  // namespace

void Csr::order_by_degree(GlobalAddress<Csr> csr) {
  const auto memory = symmetric_global_alloc<DegreeClass>(int64_t(csr->layout().slots()));
  DegreeClass* const classes = memory.pointer();  // the same address on every core
  on_all_cores([csr, classes] { share_classes(*csr.pointer(), classes); });
  on_all_cores([csr, classes] {
    if (csr->slot_bytes() == sizeof(uint32_t)) {
      sort_lists<uint32_t>(csr.pointer(), classes);
    } else {
      sort_lists<uint64_t>(csr.pointer(), classes);
    }
  });
  global_free(memory);
}

}  // namespace detail
}  // namespace Grappa
