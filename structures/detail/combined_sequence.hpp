#pragma once

/// What GlobalStack and GlobalQueue have in common: who combines, and where.

#include "structures/combining.hpp"
#include "structures/counters.hpp"
#include "structures/detail/element.hpp"
#include "structures/detail/segment_loop.hpp"
#include "structures/detail/sequence.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/check.hpp"
#include "system/global/delegate_async.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/spawn.hpp"
#include "system/parallel/symmetric.hpp"

#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

/// Structure is derived from this. Combiners, one on each core, is made from a Sequence*: pushes()
/// and pops() are its FlatCombiners, of proxies with push(value) and push_async(value), and with
/// try_pop(place).
///
/// All: From: task or handler. Messages: to the master, core 0, one for a batch, with an answer;
/// for pops also one from each core that has some of the elements, which the master has sent one.
template <class Structure, class T, class Combiners>
class CombinedSequence {
  static_assert(IsElement<T>::value, "");

 public:
  typedef T value_type;

  /// An empty one. `capacity_hint`: elements that it will hold, so that it need not grow until
  /// then. From: task. Suspends: until all cores have it.
  static GlobalAddress<Structure> create(int64_t capacity_hint = 0,
                                         Combining mode = default_combining()) {
    GRAPPA_CHECK(capacity_hint >= 0) << "a capacity hint of " << capacity_hint << " elements";
    return symmetric<Structure>(capacity_hint, mode);
  }

  /// Ends it on all cores. From: task, once, when all operations on it have returned. Suspends:
  /// until it has.
  void destroy() { global_free(self()); }

  /// Suspends: until the value is in, or a pop has taken it.
  void push(const T& value) {
    if (mode_ == Combining::Distributed) return combiners_.pushes()->push(value);
    Structure* const self = static_cast<Structure*>(this);
    const T copy = value;
    count_message();
    delegate::call(Sequence::kMaster, unchecked([self, copy] { self->push_at_master(copy); }));
  }

  /// The same, async: returns at once, and the caller's scope waits. Suspends: in a task, while no
  /// message buffer is free, or if it gives more than proxies can carry.
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Async>::type push(const T& value) {
    if (mode_ == Combining::Distributed) return combiners_.pushes()->push_async(value);
    Structure* const self = static_cast<Structure*>(this);
    const T copy = value;
    count_message();
    delegate::call<async>(Sequence::kMaster,
                          unchecked([self, copy] { self->push_at_master_async(copy); }));
  }
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Blocking>::type push(const T& value) {
    push(value);
  }

  /// Takes an element. False, and leaves `value`, if there is none. Suspends: until that is known.
  bool try_pop(T* value) {
    if (mode_ == Combining::Distributed) return combiners_.pops()->try_pop(value);
    Structure* const self = static_cast<Structure*>(this);
    count_message();
    Popped<T> popped =
        delegate::call(Sequence::kMaster, [self] { return self->try_pop_at_master(); });
    if (popped.found) *value = popped.value[0];
    return popped.found;
  }

  /// Takes an element. If there is none the job ends: use try_pop() where there may be none.
  /// Suspends: until it is here.
  T pop() {
    RawElements<T, 1> value;
    const bool found = try_pop(value.data());
    GRAPPA_CHECK(found) << "pop from an empty " << Structure::name()
                        << ": use try_pop where it may be empty";
    return value[0];
  }

  /// Elements in it. Suspends: for the master. Messages: 2.
  int64_t size() { return sequence_.size(); }
  bool empty() { return size() == 0; }

  /// Removes all elements at one moment. From: task. Suspends: until they are gone.
  void clear() { sequence_.clear(); }

  Combining combining() const { return mode_; }

 protected:
  CombinedSequence(TakeFrom end, int64_t capacity_hint, Combining mode)
      : sequence_(sizeof(T), end, capacity_hint), mode_(mode), combiners_(&sequence_) {}

  Sequence sequence_;  // before the combiners, whose proxies use it

 private:
  GlobalAddress<Structure> self() {
    return make_global(static_cast<Structure*>(this), Sequence::kMaster);
  }

  static void count_message() {
    if (mycore() != Sequence::kMaster) ++structure_counters::master_messages;
  }

  void push_at_master(const T& value) {
    if (mode_ == Combining::None) return sequence_.push_locked(value);
    combiners_.pushes()->push(value);
  }

  void push_at_master_async(const T& value) {
    if (mode_ == Combining::Centralized) return combiners_.pushes()->push_async(value);
    // In a task, of which there are only so many at a time.
    Structure* const self = static_cast<Structure*>(this);
    const T copy = value;
    spawn([self, copy] { self->sequence_.push_locked(copy); });
  }

  Popped<T> try_pop_at_master() {
    Popped<T> popped;
    T* const place = popped.value.data();
    popped.found =
        mode_ == Combining::None ? sequence_.pop_locked(place) : combiners_.pops()->try_pop(place);
    return popped;
  }

  const Combining mode_;
  Combiners combiners_;
};

/// forall(structure, body): `body(T&)` for each element, on the core that it lies on, in no
/// particular order, with the template arguments of all loops. Nobody pushes or pops until the loop
/// has ended. Messages: 3 to the master from each core, one of which
/// brings where its elements lie, and those of all loops.
template <class Structure, class T>
struct LoopOverSequence {
  template <class Options, class F>
  static void start(GlobalAddress<Structure> structure, const F& body) {
    static_assert(is_callable<F, T&>::value,
                  "the body of a loop over a stack or a queue takes (T&)");
    check_closure(body);
    Sequence* const sequence = &structure->sequence_;
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
