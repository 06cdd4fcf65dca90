#pragma once

/// The base of GlobalStack, GlobalQueue and GlobalVector, and the elements of the first two.

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "structures/detail/sequence_form.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/message/append.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/local_loop.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/spawn.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/mutex.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

/// The end from which elements are removed. Elements are pushed at the back.
enum class TakeFrom : uint8_t { Back, Front };

/// Consecutive elements on one core.
struct Segment {
  GlobalAddress<char> first;
  int64_t n;
};

/// The message that visits segments of one core.
template <class Visit>
struct SegmentVisit {
  static constexpr int64_t kMost = 15;  // not measured; a message has 256 bytes with a short body

  Visit visit;
  int64_t n;
  Segment segments[kMost];

  void operator()() { visit(segments, n); }
};

/// The base of global stacks and queues. A core stores the elements that its tasks push, and the
/// master stores the order of all elements. A batch is one message to the master, with the
/// addresses of pushed elements or the number of pops. The batch takes effect at the master. Then
/// the cores that store popped elements are requested to send them to the popping core.
///
/// In each locale of several cores, except that of the master, the cores send their batches to one
/// of them, the *gatherer*. While a message of the gatherer to the master is not answered, the
/// gatherer merges the batches that arrive into the next message. So the master handles at most one
/// message of such a locale at a time. The batches in a message, and those that arrive before its
/// answer, are a round. After the answer, the gatherer expects as many batches as the last two
/// rounds had at most. When it has the first of them, it waits for the others, at most
/// kAnswersAwaited times as long as the answer took. So if only one core sends batches, all but a
/// few are sent at once.
///
/// A Sequence is symmetric: `this` is the same on every core. Invariant: an element in the master's
/// list has been written, and its address does not change until the element is removed.
class Sequence {
 public:
  /// `hint` is the expected number of elements on all cores together. `objects` is null if elements
  /// are copied as bytes.
  Sequence(Core master, size_t element_bytes, TakeFrom end, int64_t hint,
           const ObjectCode* objects = nullptr);

  Core master() const { return master_; }

  /// Pushes `n_pushed` elements, then pops up to `n_popped` elements and returns their number.
  /// `pushed` and `popped` may be the same address. Objects are moved from `pushed`, and assigned
  /// to the objects at `popped`. From: task or handler. Suspends: until done.
  /// Messages: 2, and 2 that a gatherer sends for all its batches, and 2 for each segment of popped
  /// elements on another core; for a segment of objects, 1 and 1 for each 32 KiB.
  int64_t commit(const void* pushed, int64_t n_pushed, void* popped, int64_t n_popped);

  /// In a job of one core, push or pop one element at once, because a batch would save no message.
  /// Return false in other jobs. `*found` is false if the structure is empty.
  bool push_alone(const void* element);
  bool pop_alone(void* element, bool* found);

  int64_t size() const;  // size() and clear() of CombinedSequence
  void clear();

  /// Push and pop one element without combining, as in the paper's Figure 5. An operation holds the
  /// lock of the master until the element is written or read. The cores store elements in turn.
  /// From: task or handler on the master. Suspends: until done. Messages: 2, or 0 if the master
  /// owns the element.
  template <class T>
  void push_locked(const T* element) {
    lock_.lock();
    const auto store = [this](const T& value) { return store_some(&value, 1); };
    const Segment one =
        SequenceForm<T>::template call<SyncMode::Blocking>(next_owner(), *element, store);
    add(&one, 1);
    lock_.unlock();
  }
  bool pop_locked(void* element);

  /// Runs `visit(segments, n)` in handlers on the cores that store elements, in the current scope.
  /// Each call gets segments of the executing core. If `remove` is true, all elements are removed
  /// from the order, but not released. From: task. Messages: 1 to the master, and 1 from the master
  /// for up to SegmentVisit::kMost segments of a core.
  template <class Visit>
  void visit_segments(bool remove, const Visit& visit) {
    typedef SegmentVisit<Visit> Part;
    const auto send_all = [this, remove, visit] {
      const std::vector<Segment> all = segments_by_core(remove);
      for (size_t first = 0, end = 0; first != all.size(); first = end) {
        const Core core = all[first].first.core();
        Part part = {visit, 0, {}};
        while (end != all.size() && part.n != Part::kMost && all[end].first.core() == core) {
          part.segments[part.n++] = all[end++];
        }
        send_counted(core, part);
      }
      flush_everything();
    };
    visit_core(master_, [send_all] { spawn(send_all); });
  }

 private:
  struct Commit;
  struct Pops {  // of one batch
    Commit* commit;
    Core popper;
    int64_t n;
  };
  struct Gathered {  // batches of a locale
    std::vector<Segment> pushed;
    std::vector<Pops> pops;  // one entry for each batch; its n may be 0
  };

  /// Stores as many of the `n` elements on this core as fit in one segment.
  Segment store_some(const void* elements, int64_t n);
  void send_elements(Commit* commit, Core popper, int64_t offset, char* first, int64_t n);
  void send_objects(Commit* commit, Core popper, int64_t offset, char* first, int64_t n);

  std::vector<Segment> segments_by_core(bool remove);
  static void flush_everything();
  void add(const Segment* segments, size_t n);
  Segment take_some(int64_t n);
  std::vector<Segment> take(int64_t n);
  void deliver(const Pops& pops, const Segment* taken, size_t n);
  Core next_owner();

  void accept(const Segment* pushed, size_t n, const Pops& pops);
  void send_gathered();
  void finish_gathered(const Segment* taken, size_t n);
  void send_when_gathered();

  const Core master_;
  const int64_t element_bytes_;
  const TakeFrom end_;
  const ObjectCode* const objects_;  // null if elements are copied as bytes
  const Core gatherer_;              // of this core's batches; the master if it gets them directly
  ElementStore elements_;

  std::deque<Segment> order_;  // on the master; adjacent segments are joined
  int64_t size_ = 0;
  Mutex lock_;
  int64_t pushed_in_turn_ = 0;

  // On the gatherer:
  Gathered gathered_;              // batches for the next message
  Gathered under_way_;             // the batches in the message that the master has not answered
  bool holds_back_ = false;        // a message is not answered, or more batches are expected
  uint64_t sent_ns_ = 0;           // when the last message was sent
  uint64_t answer_ns_ = 0;         // time from the last message to its answer
  size_t last_round_ = 0;          // number of batches
  size_t expected_ = 0;            // number of batches to wait for
  std::shared_ptr<char> expects_;  // exists during this wait; a task that ends the wait observes it
};

/// The body of a LocalLoop. Its iterations are the elements of all segments, numbered in sequence.
template <class T, class F>
struct SegmentLoop {
  struct Range {
    T* behind;    // the address behind the last element
    int64_t end;  // the number of the last element plus 1
  };

  F body;
  std::vector<Range> ranges;

  void operator()(int64_t first, int64_t count) {
    const int64_t end = first + count;
    auto range = std::upper_bound(ranges.begin(), ranges.end(), first,
                                  [](int64_t i, const Range& each) { return i < each.end; });
    for (; first != end; ++range) {
      const int64_t stop = std::min(end, range->end);
      for (; first != stop; ++first) body(range->behind[first - range->end]);
    }
  }
};

/// The operations of all sequences. Structure is derived from this class. Store is Sequence or
/// Window, and holds the elements. Proxy is constructed from a Store*, and has push(value),
/// push_async(value) and try_pop(place). Structure may hide pops(), to combine pops separately, and
/// prepare(), which create() calls once.
///
/// For all functions: From: task or handler. Messages: those of Store::commit() for each batch.
template <class Structure, class T, class Store, class Proxy>
class CombinedSequence {
  typedef SequenceForm<T> Form;

 public:
  typedef T value_type;
  typedef Structure Looped;
  typedef typename Form::Argument Argument;  // const T&; for a string or vector, a view

  /// Creates an empty structure with space for `capacity_hint` elements, which grows as needed.
  /// From: task. Suspends: until all cores have created it.
  static GlobalAddress<Structure> create(int64_t capacity_hint = 0,
                                         Combining mode = default_combining()) {
    GRAPPA_CHECK(capacity_hint >= 0)
        << "invalid capacity hint of " << capacity_hint << " elements, expected 0 or more";
    return symmetric<Structure>(Structure::prepare(capacity_hint), mode, next_master());
  }

  /// Destroys the structure. From: task, once, after all operations. Suspends: until done.
  void destroy() {
    if (Form::code() != nullptr) clear();  // destroys the objects, which only the master can list
    global_free(make_global(static_cast<Structure*>(this), 0));
  }

  /// Adds an element at the back. Suspends: until the value is in the structure, or until a pop has
  /// taken the value. For push<async>, the caller's scope waits instead. push<async> suspends only
  /// in a task: while no message buffer is free, or if the proxy is full during several commits.
  template <SyncMode S = SyncMode::Blocking>
  void push(Argument value) {
    Form::check(value);
    if (mode_ == Combining::Distributed) {
      if (!Form::push_alone(&store_, value)) combine_push<S>(value);
      return;
    }
    structure_counters::count_message_to(store_.master());
    Form::template call<S>(store_.master(), value,
                           [this](const T& copy) { push_at_master<S>(copy); });
  }

  /// Pops an element. If the structure is empty, returns false and does not change `value`.
  /// Suspends: until done.
  bool try_pop(T* value) {
    Structure* const self = static_cast<Structure*>(this);
    if (mode_ == Combining::Distributed) {
      bool found;
      return store_.pop_alone(value, &found) ? found : self->pops()->try_pop(value);
    }
    return at_master(value, [self](T* place) {
      return self->mode_ == Combining::None ? self->store_.pop_locked(place)
                                            : self->pops()->try_pop(place);
    });
  }

  /// Like try_pop(), but if there is no element, aborts the job. Suspends: until done.
  T pop() {
    typename Form::template Array<1> value;
    value.expect(1);
    const bool found = try_pop(value.data());
    GRAPPA_CHECK(found) << "pop from an empty " << Structure::name()
                        << ": use try_pop if it may be empty";
    return std::move(value[0]);
  }

  /// Returns the number of elements. Suspends: until the master answers. Messages: 2.
  int64_t size() const { return store_.size(); }
  bool empty() const { return size() == 0; }

  /// Removes all elements atomically. From: task. Suspends: until they are removed.
  void clear() { store_.clear(); }
  Combining combining() const { return mode_; }

  /// Returns the core that orders the operations. The structures that a core creates have masters
  /// on different locales in turn.
  Core master() const { return store_.master(); }

  /// For a Sequence, forall(structure, body) calls `body(T&)` for each element where it is stored,
  /// in any order, with the template arguments of all loops. The structure must not be modified
  /// during the loop. Messages: those of Sequence::visit_segments().
  template <class Options, class F>
  void start_loop(const F& body) {
    static_assert(is_callable<F, T&>::value,
                  "the body of a loop over a stack or a queue takes (T&)");
    check_closure(body);
    const auto visit = [body](const Segment* segments, int64_t n_segments) {
      SegmentLoop<T, F> loop = {body, {}};
      int64_t n = 0;
      for (const Segment* each = segments; each != segments + n_segments; ++each) {
        n += each->n;
        loop.ranges.push_back({reinterpret_cast<T*>(each->first.pointer()) + each->n, n});
      }
      spawn([loop, n] {
        LocalLoop<SegmentLoop<T, F>>::run(n, loop_chunk(n, Options::threshold()), loop);
      });
    };
    LoopStart<Options>::blocking_or_async([this, visit] { store_.visit_segments(false, visit); });
  }

 protected:
  template <class... Args>
  explicit CombinedSequence(Combining mode, Core master, Args... args)
      : store_(master, sizeof(T), args...), mode_(mode), combiner_(&store_) {}

  static int64_t prepare(int64_t capacity_hint) { return capacity_hint; }
  FlatCombiner<Proxy>& pops() { return combiner_; }

  /// Runs `take(place)` on the master. If the result is true, sets `value` to the element at
  /// `place`.
  template <class Take>
  bool at_master(T* value, const Take& take) const {
    structure_counters::count_message_to(store_.master());
    return Form::fetch(store_.master(), value, take);
  }

  Store store_;  // must precede the combiner, whose proxies use it
  const Combining mode_;
  FlatCombiner<Proxy> combiner_;

 private:
  template <SyncMode S>
  void combine_push(Argument value) {
    if (S == SyncMode::Blocking) return combiner_->push(value);
    combiner_->push_async(value);
  }

  template <SyncMode S>
  void push_at_master(const T& value) {
    if (mode_ == Combining::Centralized) return combine_push<S>(value);
    if (S == SyncMode::Blocking) return store_.push_locked(&value);
    // The push runs in a task, since the number of concurrent tasks is bounded.
    const T copy = value;
    spawn([this, copy] { store_.push_locked(&copy); });
  }
};

}}  // namespace Grappa::detail
