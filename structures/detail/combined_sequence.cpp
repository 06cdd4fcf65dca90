#include "structures/detail/combined_sequence.hpp"

#include "system/base/units.hpp"
#include "system/message/aggregator.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace Grappa::detail {
namespace {

/// A message with popped objects has at most this many bytes and one more object. Most messages
/// thus fit into a buffer of the default size, and are not sent in parts. Not measured.
constexpr size_t kObjectMessageBytes = 32 * KiB;

/// A gatherer waits for expected batches at most this number of times as long as the last answer
/// took. On 64 locales of 16 cores, the rate of pushes with 1 was 0.96 of that with 2, and with 3
/// or 4, 0.97. An earlier rule gave the number of expected batches then.
constexpr uint64_t kAnswersAwaited = 2;

/// Runs `body` on core `dest`, without waiting for a message buffer.
template <class F>
void run_on(Core dest, F body) {
  if (dest == mycore()) return body();
  append<Acknowledged::Never, MayWait::Never>(dest, nullptr, body);
}

/// Returns the core that receives the batches of this core: the gatherer of the locale, or the
/// master. In locales of equal size, both have the same index in their locales, so two-hop routing
/// does not relay the messages between them. Three-hop routing relays most of them.
Core gatherer_of(Core master) {
  const Topology& all = topology();
  const bool beside_master = all.mylocale == locale_of(master);
  if (!combining_tree_option() || all.locale_cores == 1 || beside_master) return master;
  const auto above = all.locale_of.begin() + master;
  const auto index = std::count(all.locale_of.begin(), above, locale_of(master));
  return all.locale_members[static_cast<size_t>(index % all.locale_cores)];
}

}  // namespace

/// A batch in progress, on its own core. Elements may arrive before the master's answer.
struct Sequence::Commit {
  char* popped;
  int64_t bytes_popped = -1;  // -1 until the master has answered
  int64_t bytes_arrived = 0;
  CompletionEvent done{1};

  bool complete() const { return bytes_arrived == bytes_popped; }

  void answer(int64_t bytes) {
    bytes_popped = bytes;
    if (complete()) done.complete();
  }

  void take(int64_t offset, const void* elements, size_t bytes) {
    std::memcpy(popped + offset, elements, bytes);
    count_arrived(static_cast<int64_t>(bytes));
  }

  void count_arrived(int64_t bytes) {
    bytes_arrived += bytes;
    if (complete()) done.complete();
  }
};

void check_element_bytes(size_t bytes) {
  GRAPPA_CHECK(bytes <= kMaxElementBytes)
      << "an element of " << bytes << " bytes: elements of a global queue have at most "
      << kMaxElementBytes << " bytes: push it in parts, or its address in the global heap";
}

Sequence::Sequence(Core master, size_t element_bytes, TakeFrom end, int64_t hint,
                   const ObjectCode* objects)
    : master_(master),
      element_bytes_(static_cast<int64_t>(element_bytes)),
      end_(end),
      objects_(objects),
      gatherer_(gatherer_of(master)),
      elements_(element_bytes) {
  elements_.reserve(hint / cores() + (hint % cores() != 0 ? 1 : 0));
}

Segment Sequence::store_some(const void* elements, int64_t n) {
  int64_t stored = n;
  char* const place = elements_.append(&stored);
  if (objects_ != nullptr) {
    objects_->construct(elements, place, stored);
  } else {
    std::memcpy(place, elements, static_cast<size_t>(stored * element_bytes_));
  }
  return {make_global(place), stored};
}

void Sequence::add(const Segment* segments, size_t n) {
  for (const Segment* segment = segments; segment != segments + n; ++segment) {
    size_ += segment->n;
    if (!order_.empty() &&
        order_.back().first + order_.back().n * element_bytes_ == segment->first) {
      order_.back().n += segment->n;
    } else {
      order_.push_back(*segment);
    }
  }
}

// Removes up to `n` elements of the segment at the end. Requires an element.
Segment Sequence::take_some(int64_t n) {
  Segment& from = end_ == TakeFrom::Back ? order_.back() : order_.front();
  Segment taken = {from.first, std::min(n, from.n)};
  size_ -= taken.n;
  from.n -= taken.n;
  if (end_ == TakeFrom::Back) {
    taken.first += from.n * element_bytes_;
    if (from.n == 0) order_.pop_back();
  } else {
    from.first += taken.n * element_bytes_;
    if (from.n == 0) order_.pop_front();
  }
  return taken;
}

// Removes up to `n` elements. Returns their segments in the order of removal; each is ascending.
std::vector<Segment> Sequence::take(int64_t n) {
  std::vector<Segment> taken;
  for (n = std::min(n, size_); n != 0; n -= taken.back().n) taken.push_back(take_some(n));
  return taken;
}

// Sends the elements of the `n` segments to the core that has popped them.
void Sequence::deliver(const Pops& pops, const Segment* taken, size_t n) {
  int64_t bytes = 0;
  for (const Segment* segment = taken; segment != taken + n; ++segment) {
    char* const first = segment->first.pointer();
    run_on(segment->first.core(), [this, pops, offset = bytes, first, n_here = segment->n] {
      send_elements(pops.commit, pops.popper, offset, first, n_here);
    });
    bytes += segment->n * element_bytes_;
  }
  run_on(pops.popper, [commit = pops.commit, bytes] { commit->answer(bytes); });
}

// Executes a batch on the master, or on a gatherer merges it into the next message to the master.
void Sequence::accept(const Segment* pushed, size_t n, const Pops& pops) {
  if (mycore() == master_) {
    add(pushed, n);
    const std::vector<Segment> taken = take(pops.n);
    return deliver(pops, taken.data(), taken.size());
  }
  gathered_.pushed.insert(gathered_.pushed.end(), pushed, pushed + n);
  gathered_.pops.push_back(pops);
  if (!holds_back_) return send_when_gathered();
  if (expects_ != nullptr && gathered_.pops.size() >= expected_) send_gathered();
}

void Sequence::send_gathered() {
  std::swap(under_way_, gathered_);
  holds_back_ = true;
  expects_.reset();
  int64_t n_popped = 0;
  for (const Pops& pops : under_way_.pops) {
    n_popped += std::min(pops.n, std::numeric_limits<int64_t>::max() - n_popped);
  }
  ++structure_counters::master_messages;
  const auto request = [this, n_popped, gatherer = mycore()](const void* segments, size_t bytes) {
    add(static_cast<const Segment*>(segments), bytes / sizeof(Segment));
    const std::vector<Segment> taken = take(n_popped);
    const auto answer = [this](const void* its_segments, size_t its_bytes) {
      finish_gathered(static_cast<const Segment*>(its_segments), its_bytes / sizeof(Segment));
    };
    send_latency_critical(gatherer, answer, taken.data(), taken.size() * sizeof(Segment));
  };
  send_message(master_, unchecked(request), under_way_.pushed.data(),
               under_way_.pushed.size() * sizeof(Segment));
  flush_to(master_, FlushCause::Asked);
  sent_ns_ = steady_ns();
}

// Sends the gathered batches. If more batches are expected, they are sent when the last of these
// has come, or after a time, so that the master handles one message instead of two.
void Sequence::send_when_gathered() {
  if (gathered_.pops.size() >= expected_) return send_gathered();
  holds_back_ = true;
  expects_ = std::make_shared<char>();
  // The structure may be destroyed before the task wakes, but not while the task expects batches.
  const auto wait = [this, expects = std::weak_ptr<char>(expects_),
                     until_ns = steady_ns() + kAnswersAwaited * answer_ns_] {
    scheduler().sleep_until(until_ns);
    if (!expects.expired()) send_gathered();
  };
  scheduler().tasks().push_high_priority(Closure::make(wait), nullptr);
}

// Called when the master has answered with the segments of all popped elements. The batches get the
// elements in turn. If there are too few elements, the later batches get none.
void Sequence::finish_gathered(const Segment* taken, size_t n) {
  const Gathered done = std::exchange(under_way_, Gathered());
  // A pause of this core must not cause a long wait.
  constexpr uint64_t kLongestWaitNs = 200000;
  answer_ns_ = std::min(steady_ns() - sent_ns_, kLongestWaitNs);
  const size_t round = done.pops.size() + gathered_.pops.size();
  expected_ = std::min(std::max(round, last_round_), static_cast<size_t>(locale_cores()));
  last_round_ = round;
  holds_back_ = false;
  if (!gathered_.pops.empty()) send_when_gathered();
  const Segment* const end = taken + n;
  int64_t used = 0;  // elements of *taken that earlier batches have popped
  std::vector<Segment> own;
  for (const Pops& pops : done.pops) {
    own.clear();
    for (int64_t left = pops.n; left != 0 && taken != end; left -= own.back().n) {
      own.push_back({taken->first + used * element_bytes_, std::min(left, taken->n - used)});
      used += own.back().n;
      if (used == taken->n) {
        ++taken;
        used = 0;
      }
    }
    deliver(pops, own.data(), own.size());
  }
}

void Sequence::send_elements(Commit* commit, Core popper, int64_t offset, char* first, int64_t n) {
  const size_t bytes = static_cast<size_t>(n * element_bytes_);
  const auto arrive = [commit, offset](const void* elements, size_t its_bytes) {
    commit->take(offset, elements, its_bytes);
  };
  if (objects_ != nullptr) {
    send_objects(commit, popper, offset, first, n);
  } else if (popper == mycore()) {
    arrive(first, bytes);
  } else {
    send_latency_critical(popper, arrive, first, bytes);
  }
  elements_.release(first, n);
}

// Moves the objects to the popping task, and destroys them here.
void Sequence::send_objects(Commit* commit, Core popper, int64_t offset, char* first, int64_t n) {
  if (popper == mycore()) {
    objects_->assign(first, commit->popped + offset, n);
    return commit->count_arrived(n * element_bytes_);
  }
  for (std::string bytes; n != 0; bytes.clear()) {
    int64_t n_here = 0;  // objects in `bytes`
    while (n_here != n && bytes.size() < kObjectMessageBytes) {
      objects_->append(first + n_here++ * element_bytes_, &bytes);
    }
    const auto arrive = [this, commit, offset, n_here](const void* message, size_t its_bytes) {
      objects_->read(message, its_bytes, commit->popped + offset, n_here);
      commit->count_arrived(n_here * element_bytes_);
    };
    send_latency_critical(popper, arrive, bytes.data(), bytes.size());
    objects_->destroy(first, n_here);
    first += n_here * element_bytes_;
    offset += n_here * element_bytes_;
    n -= n_here;
  }
}

int64_t Sequence::commit(const void* pushed, int64_t n_pushed, void* popped, int64_t n_popped) {
  std::vector<Segment> stored;
  const char* from = static_cast<const char*>(pushed);
  for (int64_t left = n_pushed; left != 0; left -= stored.back().n) {
    stored.push_back(store_some(from, left));
    from += stored.back().n * element_bytes_;
  }
  Commit commit;
  commit.popped = static_cast<char*>(popped);
  const Pops pops = {&commit, mycore(), n_popped};
  if (gatherer_ == mycore()) {
    accept(stored.data(), stored.size(), pops);
    if (mycore() == master_ && !commit.complete()) aggregator().flush_all(FlushCause::Asked);
  } else {
    ++(gatherer_ == master_ ? structure_counters::master_messages
                            : structure_counters::gathered_batches);
    const auto request = [this, pops](const void* segments, size_t bytes) {
      accept(static_cast<const Segment*>(segments), bytes / sizeof(Segment), pops);
    };
    send_message(gatherer_, unchecked(request), stored.data(), stored.size() * sizeof(Segment));
    flush_to(gatherer_, FlushCause::Asked);
  }
  commit.done.wait(WaitReason(WaitReason::Kind::Transfer));
  return commit.bytes_popped / element_bytes_;
}

bool Sequence::push_alone(const void* element) {
  if (cores() != 1) return false;
  ++structure_counters::operations;
  const Segment one = store_some(element, 1);
  add(&one, 1);
  return true;
}

bool Sequence::pop_alone(void* element, bool* found) {
  if (cores() != 1) return false;
  ++structure_counters::operations;
  *found = size_ != 0;
  if (!*found) return true;
  char* const place = take_some(1).first.pointer();
  if (objects_ != nullptr) {
    objects_->assign(place, element, 1);
  } else {
    std::memcpy(element, place, static_cast<size_t>(element_bytes_));
  }
  elements_.release(place, 1);
  return true;
}

int64_t Sequence::size() const {
  return delegate::call(master_, [this] { return size_; });
}

// Each core gets a batch of consecutive elements, so the list of segments stays short.
Core Sequence::next_owner() {
  const int64_t turn = pushed_in_turn_++ / static_cast<int64_t>(kProxyRequests);
  return static_cast<Core>(turn % cores());
}

bool Sequence::pop_locked(void* element) {
  lock_.lock();
  const bool found = commit(nullptr, 0, element, 1) != 0;
  lock_.unlock();
  return found;
}

// The segments of all elements, sorted by core.
std::vector<Segment> Sequence::segments_by_core(bool remove) {
  std::vector<Segment> all(order_.begin(), order_.end());
  std::stable_sort(all.begin(), all.end(), [](const Segment& a, const Segment& b) {
    return a.first.core() < b.first.core();
  });
  if (remove) {
    order_.clear();
    size_ = 0;
  }
  return all;
}

void Sequence::flush_everything() { aggregator().flush_all(FlushCause::Asked); }

void Sequence::clear() {
  const auto release = [this](const Segment* segments, int64_t n) {
    for (const Segment* each = segments; each != segments + n; ++each) {
      char* const first = each->first.pointer();
      if (objects_ != nullptr) objects_->destroy(first, each->n);
      elements_.release(first, each->n);
    }
  };
  finish([this, release] { visit_segments(true, release); });
}

}  // namespace Grappa::detail
