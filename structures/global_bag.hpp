#pragma once

/// A bag of elements over all cores, without order. The core that adds an element stores it.
///
///     GlobalAddress<GlobalBag<Hit>> hits = GlobalBag<Hit>::create();
///     forall(vertices, n, [hits](Vertex& v) { if (matches(v)) hits->add(Hit{v}); });
///     forall(hits, [](Hit& hit) { ... });
///     hits->destroy();
///
/// Elements are never sent, so they may be of any movable type. The address of an element does not
/// change until the bag is cleared.

#include "structures/detail/element_store.hpp"
#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/base/units.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/local_loop.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace Grappa {
namespace detail {

/// The elements of one core. Elements are in chunks, so an added element does not move the others.
/// Each chunk is twice as large as the one before, so the highest bit of an index gives the chunk.
template <class T>
class StableStore {
 public:
  explicit StableStore(int64_t expected)
      : first_chunk_(next_power_of_two(static_cast<uint64_t>(
            expected > 0 ? expected : kFirstBytes / int64_t{sizeof(T)} + 1))) {
    if (expected > 0) allocate(0);
  }
  ~StableStore() {
    clear();
    for (T* chunk : chunks_) std::free(chunk);
  }
  StableStore(const StableStore&) = delete;
  StableStore& operator=(const StableStore&) = delete;

  template <class U>
  void push(U&& value) {
    const Place end = place(size_);
    if (chunks_[end.chunk] == nullptr) allocate(end.chunk);
    ::new (static_cast<void*>(chunks_[end.chunk] + end.offset)) T(std::forward<U>(value));
    ++size_;
  }

  int64_t size() const { return size_; }

  template <class Visit>
  void for_range(int64_t first, int64_t count, Visit&& visit) {
    while (count > 0) {
      const Place from = place(first);
      const int64_t here =
          std::min(count, static_cast<int64_t>((first_chunk_ << from.chunk) - from.offset));
      T* const element = chunks_[from.chunk] + from.offset;
      for (int64_t k = 0; k < here; ++k) visit(element[k]);
      first += here;
      count -= here;
    }
  }

  void clear() {
    for_range(0, size_, [](T& element) { element.~T(); });
    size_ = 0;
  }

 private:
  enum : int64_t { kFirstBytes = 4096 };

  struct Place {
    unsigned chunk;
    uint64_t offset;
  };
  /// Chunk k has first_chunk_ << k elements. The chunks before it have first_chunk_ fewer in total.
  Place place(int64_t i) const {
    const uint64_t shifted = static_cast<uint64_t>(i) + first_chunk_;
    const int top = floor_log2(shifted);
    return {static_cast<unsigned>(top - floor_log2(first_chunk_)), shifted - (uint64_t{1} << top)};
  }

  void allocate(unsigned chunk) {
    chunks_[chunk] =
        static_cast<T*>(allocate_local(first_chunk_ << chunk, sizeof(T), alignof(T), "GlobalBag"));
  }

  uint64_t first_chunk_;  // elements in chunk 0: a power of two
  int64_t size_ = 0;
  T* chunks_[64] = {};  // null if the chunk is not yet needed
};

}  // namespace detail

template <class T>
class GlobalBag {
 public:
  typedef GlobalBag Looped;

  /// Creates an empty bag with memory for `capacity_hint` elements over all cores. The memory grows
  /// as needed. From: task. Suspends and Messages: as symmetric().
  static GlobalAddress<GlobalBag> create(int64_t capacity_hint = 0) {
    GRAPPA_CHECK(capacity_hint >= 0) << "GlobalBag: invalid capacity hint of " << capacity_hint
                                     << " elements, expected 0 or more";
    return symmetric<GlobalBag>(capacity_hint / cores() + (capacity_hint % cores() != 0 ? 1 : 0));
  }

  /// Stores `value` on this core, without a message. Aborts the job if memory is exhausted.
  void add(const T& value) { mine_.push(value); }
  void add(T&& value) { mine_.push(std::move(value)); }

  /// Returns the number of elements on all cores. Elements that are added during the call may be
  /// missing. From: task. Suspends: until all cores answer. Messages: about 4 for each other core.
  int64_t size() const {
    return sum_all_cores([this] { return mine_.size(); });
  }
  bool empty() const { return size() == 0; }

  /// Destroys all elements, but keeps the memory. The bag must not be used during the call. From:
  /// task. Suspends: until all cores have answered. Messages: 2 for each other core.
  void clear() {
    on_all_cores([this] { mine_.clear(); });
  }

  /// Destroys all elements and the bag. From: task, once. Suspends: until done.
  void destroy() { global_free(make_global(this, 0)); }

  /// forall(bag, body) calls `body(T&)` for each element where it is stored, with the template
  /// arguments of all loops. Elements added after the loop has begun on their core are not visited.
  template <class Options, class F>
  void start_loop(const F& body) {
    static_assert(detail::is_callable<F, T&>::value, "the body of a loop over a bag takes (T&)");
    detail::check_closure(body);
    const auto part = [this, body] {
      const int64_t n = mine_.size();
      detail::LocalLoop<Range<F>>::run(n, detail::loop_chunk(n, Options::threshold()),
                                       {body, &mine_});
    };
    detail::LoopStart<Options>::blocking_or_async(
        [part] { detail::start_on_cores(mycore(), cores(), part); });
  }

  explicit GlobalBag(int64_t expected_here) : mine_(expected_here) {}  // for create()

 private:
  template <class F>
  struct Range {
    F body;
    detail::StableStore<T>* store;
    void operator()(int64_t first, int64_t count) { store->for_range(first, count, body); }
  };

  detail::StableStore<T> mine_;
};

}  // namespace Grappa
