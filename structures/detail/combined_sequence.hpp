#pragma once

/// The common base of GlobalStack, GlobalQueue and GlobalVector, and the proxy of stacks and
/// vectors.

#include "structures/combining.hpp"
#include "structures/counters.hpp"
#include "structures/detail/element.hpp"
#include "structures/detail/sequence.hpp"
#include "structures/flat_combiner.hpp"
#include "structures/options.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/global/delegate.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/local_loop.hpp"
#include "system/parallel/spawn.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {

/// Structure is derived from this class. Store is Sequence or Window, and holds the elements.
/// Combiners holds the combiners of one core. Its constructor takes a Store*, and its functions
/// pushes() and pops() return FlatCombiners. The proxies of pushes() have push(value) and
/// push_async(value), and the proxies of pops() have try_pop(place).
///
/// For all functions: From: task or handler. Messages: one request to the master, core 0, and one
/// answer for each batch. In a Sequence, a batch of pops also takes one message from the master to
/// each core that stores some of the elements, and one message from each of these cores. For a
/// Window, see Window::commit.
template <class Structure, class T, class Store, class Combiners>
class CombinedSequence {
  static_assert(IsElement<T>::value, "");

 public:
  typedef T value_type;

  /// Creates an empty structure with space for `capacity_hint` elements; the structure grows beyond
  /// that as needed. From: task. Suspends: until all cores have created it.
  static GlobalAddress<Structure> create(int64_t capacity_hint = 0,
                                         Combining mode = default_combining()) {
    GRAPPA_CHECK(capacity_hint >= 0)
        << "invalid capacity hint of " << capacity_hint << " elements, expected 0 or more";
    return symmetric<Structure>(capacity_hint, mode);
  }

  /// Destroys the structure on all cores. From: task, once, when all operations on it have
  /// returned. Suspends: until it is destroyed.
  void destroy() { global_free(self()); }

  /// Suspends: until the value is in the structure, or a pop has taken the value. push<async>
  /// is asynchronous: the caller's scope waits, and the call suspends only in a task, while no
  /// message buffer is free, or if the proxy is full during several commits.
  template <SyncMode S = SyncMode::Blocking>
  void push(const T& value) {
    if (mode_ == Combining::Distributed) return combine_push<S>(value);
    CombinedSequence* const self = this;
    const T copy = value;
    structure_counters::count_master_message();
    delegate::call<S>(Store::kMaster, unchecked([self, copy] { self->push_at_master<S>(copy); }));
  }

  /// Removes an element. If there is none, returns false and leaves `value`. Suspends: until done.
  bool try_pop(T* value) {
    if (mode_ == Combining::Distributed) return combiners_.pops()->try_pop(value);
    Structure* const self = static_cast<Structure*>(this);
    return at_master(value, [self](T* place) {
      return self->mode_ == Combining::None ? self->store_.pop_locked(place)
                                            : self->combiners_.pops()->try_pop(place);
    });
  }

  /// As try_pop(), but if there is no element, the job aborts. Suspends: until done.
  T pop() {
    RawElements<T, 1> value;
    const bool found = try_pop(value.data());
    GRAPPA_CHECK(found) << "pop from an empty " << Structure::name()
                        << ": use try_pop if it may be empty";
    return value[0];
  }

  /// The number of elements. Suspends: until the master answers. Messages: 2.
  int64_t size() const { return store_.size(); }
  bool empty() const { return size() == 0; }

  /// Removes all elements atomically. From: task. Suspends: until they are removed.
  void clear() { store_.clear(); }

  Combining combining() const { return mode_; }

 protected:
  /// The store is constructed from the size of an element and `args`.
  template <class... Args>
  explicit CombinedSequence(Combining mode, Args... args)
      : store_(sizeof(T), args...), mode_(mode), combiners_(&store_) {}

  /// Runs `take(place)` on the master. If the result is true, copies the element at `place` to
  /// `value`. Not inlined: compilers would warn that values of callers may be uninitialized.
  template <class Take>
  GRAPPA_NOINLINE static bool at_master(T* value, const Take& take) {
    structure_counters::count_master_message();
    Popped<T> popped = delegate::call(Store::kMaster, [take] {
      Popped<T> there;
      there.found = take(there.value.data());
      return there;
    });
    if (popped.found) *value = popped.value[0];
    return popped.found;
  }

  Store store_;  // must precede the combiners, whose proxies use it
  const Combining mode_;
  Combiners combiners_;

 private:
  GlobalAddress<Structure> self() {
    return make_global(static_cast<Structure*>(this), Store::kMaster);
  }

  template <SyncMode S>
  void combine_push(const T& value) {
    if (S == SyncMode::Blocking) return combiners_.pushes()->push(value);
    combiners_.pushes()->push_async(value);
  }

  template <SyncMode S>
  void push_at_master(const T& value) {
    if (mode_ == Combining::Centralized) return combine_push<S>(value);
    if (S == SyncMode::Blocking) return store_.push_locked(value);
    // The push runs in a task, since the number of concurrent tasks is bounded.
    CombinedSequence* const self = this;
    const T copy = value;
    spawn([self, copy] { self->store_.push_locked(copy); });
  }
};

/// A proxy for pushes and pops at the same end, which match each other on their core.
///
/// A pop takes the value of the latest push that waits in its proxy, and a push passes its value to
/// the latest waiting pop. The push and the pop are adjacent in the order of all operations, and
/// neither of them is committed. A request of another kind disables matching (do_not_match): it may
/// be the latest request in the proxy, and only the latest request can be removed. Invariant: while
/// matching is enabled, either only pushes wait or only pops.
template <class T>
class MatchingProxy : public FCProxy {
 public:
  void push(const T& value) {
    check_open();
    if (!gave_to_pop(value)) wait();
  }
  void push_async(const T& value) {
    check_open();
    if (!gave_to_pop(value)) complete_in_scope();
  }

  bool try_pop(T* value) {
    check_open();
    if (n_pushed_ != 0 && match_) {
      *value = values_[--n_pushed_];
      wake_last();
      return true;
    }
    bool found = false;
    pops_[n_popped_++] = {value, &found};
    wait();
    return found;
  }

 protected:
  /// A request that waits for an element.
  struct Taker {
    T* value;
    bool* found;

    void answer(const T& taken) const {
      *value = taken;
      *found = true;
    }
  };

  void do_not_match() { match_ = false; }

  int64_t n_pushed_ = 0;
  int64_t n_popped_ = 0;
  RawElements<T, kProxyRequests> values_;  // pushed values, then space for popped values
  Taker pops_[kProxyRequests];

 private:
  // Returns false if the push waits.
  bool gave_to_pop(const T& value) {
    if (n_popped_ == 0 || !match_) {
      values_.set(n_pushed_++, value);
      return false;
    }
    pops_[--n_popped_].answer(value);
    wake_last();
    return true;
  }

  bool match_ = true;
};

/// One combiner for pushes and pops, so that they match.
template <class Proxy, class Store>
class MatchingCombiner {
 public:
  explicit MatchingCombiner(Store* store) : both_(store) {}
  FlatCombiner<Proxy>& pushes() { return both_; }
  FlatCombiner<Proxy>& pops() { return both_; }

 private:
  FlatCombiner<Proxy> both_;
};

/// The body of a LocalLoop: elements are numbered consecutively through all segments.
template <class T, class F>
class SegmentLoop {
 public:
  /// Starts `body(T&)` for each element of the segments, which must be on this core, in the
  /// caller's scope, `threshold` elements at a time. From: task. Suspends: if the body does.
  static void run(std::vector<Segment> segments, int64_t threshold, const F& body) {
    SegmentLoop loop(std::move(segments), body);
    const int64_t n = loop.ends_.empty() ? 0 : loop.ends_.back();
    LocalLoop<SegmentLoop>::run(n, loop_chunk(n, threshold), loop);
  }

  void operator()(int64_t first, int64_t count) {
    size_t i =
        static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), first) - ends_.begin());
    for (; count != 0; ++i) {
      const int64_t behind = ends_[i] - first;
      const int64_t here = std::min(count, behind);
      T* const end = GlobalAddress<T>::from_raw(segments_[i].first).pointer() + segments_[i].n;
      for (T* element = end - behind; element != end - behind + here; ++element) body_(*element);
      first += here;
      count -= here;
    }
  }

 private:
  SegmentLoop(std::vector<Segment> segments, const F& body)
      : segments_(std::move(segments)), body_(body) {
    int64_t end = 0;
    for (const Segment& segment : segments_) ends_.push_back(end += segment.n);
  }

  std::vector<Segment> segments_;
  std::vector<int64_t> ends_;  // for each segment, the number of its last element plus 1
  F body_;
};

/// forall(structure, body): `body(T&)` for each element, on the core that stores the element, in
/// any order, with the template arguments of all loops. The structure must not be modified during
/// the loop. Messages: those of all loops, and 3 from each core to the master.
template <class Structure, class T>
struct LoopOverSequence {
  template <class Options, class F>
  static void start(GlobalAddress<Structure> structure, const F& body) {
    static_assert(is_callable<F, T&>::value,
                  "the body of a loop over a stack or a queue takes (T&)");
    check_closure(body);
    Sequence* const sequence = &structure->store_;
    const Part<Options::threshold(), F> part = {body, sequence, sequence->deal()};
    LoopStart<Options>::blocking_or_async([part] { start_on_cores(mycore(), cores(), part); });
  }

 private:
  template <int64_t threshold, class F>
  struct Part {
    F body;
    Sequence* sequence;
    uint64_t dealt;
    void operator()() { SegmentLoop<T, F>::run(sequence->take_dealt(dealt), threshold, body); }
  };
};

}  // namespace detail
}  // namespace Grappa
