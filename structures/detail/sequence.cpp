#include "structures/detail/sequence.hpp"

#include "structures/counters.hpp"
#include "structures/detail/latency_critical.hpp"
#include "structures/options.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/message/aggregator.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <algorithm>
#include <cstring>

namespace Grappa::detail {
namespace {

Core owner_of(const Segment& segment) {
  return GlobalAddress<char>::from_raw(segment.first).core();
}
char* place_of(const Segment& segment) {
  return GlobalAddress<char>::from_raw(segment.first).pointer();
}

/// Runs `body` on core `dest`, without waiting for a message buffer.
template <class F>
void run_on(Core dest, F body) {
  if (dest == mycore()) return body();
  append<Acknowledged::Never, MayWait::Never>(dest, nullptr, body);
}

}  // namespace

void SegmentList::push_back(const Segment* segments, size_t n) {
  for (const Segment* segment = segments; segment != segments + n; ++segment) {
    size_ += segment->n;
    if (!segments_.empty()) {
      Segment& last = segments_.back();
      if (last.first + static_cast<uint64_t>(last.n) * element_bytes_ == segment->first) {
        last.n += segment->n;
        continue;
      }
    }
    segments_.push_back(*segment);
  }
}

std::vector<Segment> SegmentList::take(TakeFrom end, int64_t n) {
  std::vector<Segment> taken;
  n = std::min(n, size_);
  size_ -= n;
  while (n != 0) {
    Segment& from = end == TakeFrom::Back ? segments_.back() : segments_.front();
    const int64_t here = std::min(n, from.n);
    from.n -= here;
    n -= here;
    if (end == TakeFrom::Back) {
      taken.push_back({from.first + static_cast<uint64_t>(from.n) * element_bytes_, here});
      if (from.n == 0) segments_.pop_back();
    } else {
      taken.push_back({from.first, here});
      from.first += static_cast<uint64_t>(here) * element_bytes_;
      if (from.n == 0) segments_.pop_front();
    }
  }
  return taken;
}

std::vector<std::vector<Segment>> SegmentList::by_core() const {
  std::vector<std::vector<Segment>> parts(static_cast<size_t>(cores()));
  for (const Segment& segment : segments_) {
    parts[static_cast<size_t>(owner_of(segment))].push_back(segment);
  }
  return parts;
}

void SegmentList::clear() {
  segments_.clear();
  size_ = 0;
}

/// A batch in progress, on the core that sent it. Elements may arrive before the master's answer.
struct Sequence::Commit {
  char* popped;
  int64_t n_popped = 0;
  int64_t to_come = 0;  // elements; negative if they arrive before the answer
  CompletionEvent answers{1};

  bool answered = false;

  /// The master has removed `n` elements.
  void answer(int64_t n) {
    n_popped = n;
    answered = true;
    expect(n);
  }

  /// A segment of removed elements has arrived.
  void take(int64_t offset, const void* elements, size_t bytes, size_t element_bytes) {
    std::memcpy(popped + offset, elements, bytes);
    expect(-static_cast<int64_t>(bytes / element_bytes));
  }

  void expect(int64_t more) {
    to_come += more;
    if (answered && to_come == 0) answers.complete();
  }
};

/// The segments of each core, on the master, until all cores have fetched their part.
struct Sequence::Dealt {
  std::vector<std::vector<Segment>> parts;  // by core
  int64_t to_be_taken;

  void taken() {
    if (--to_be_taken == 0) delete this;
  }
};

Sequence::Sequence(size_t element_bytes, TakeFrom end, int64_t hint)
    : element_bytes_(element_bytes), end_(end), elements_(element_bytes), order_(element_bytes) {
  elements_.reserve(hint / cores() + (hint % cores() != 0 ? 1 : 0));
}

Segment Sequence::store_some(const void* elements, int64_t n) {
  int64_t stored = n;
  char* const place = elements_.append(&stored);
  std::memcpy(place, elements, static_cast<size_t>(stored) * element_bytes_);
  return {make_global(place).raw_bits(), stored};
}

std::vector<Segment> Sequence::store(const void* elements, int64_t n) {
  std::vector<Segment> segments;
  const char* from = static_cast<const char*>(elements);
  while (n != 0) {
    segments.push_back(store_some(from, n));
    from += static_cast<size_t>(segments.back().n) * element_bytes_;
    n -= segments.back().n;
  }
  return segments;
}

// On the master: removes up to `n` elements, requests their transfer, and sends the answer.
void Sequence::take_for(Commit* commit, Core popper, int64_t n) {
  int64_t taken = 0;
  for (const Segment& segment : order_.take(end_, n)) {
    char* const first = place_of(segment);
    const int64_t offset = taken * static_cast<int64_t>(element_bytes_);
    run_on(owner_of(segment), [this, commit, popper, offset, first, n_here = segment.n] {
      send_elements(commit, popper, offset, first, n_here);
    });
    taken += segment.n;
  }
  run_on(popper, [commit, taken] { commit->answer(taken); });
}

// On the core that stores the elements.
void Sequence::send_elements(Commit* commit, Core popper, int64_t offset, char* first, int64_t n) {
  const size_t bytes = static_cast<size_t>(n) * element_bytes_;
  if (popper == mycore()) {
    commit->take(offset, first, bytes, element_bytes_);
  } else {
    send_latency_critical(
        popper,
        [this, commit, offset](const void* elements, size_t its_bytes) {
          commit->take(offset, elements, its_bytes, element_bytes_);
        },
        first, bytes);
  }
  elements_.release(first, n);
}

int64_t Sequence::commit(const void* pushed, int64_t n_pushed, void* popped, int64_t n_popped) {
  const std::vector<Segment> stored = store(pushed, n_pushed);
  Commit commit;
  commit.popped = static_cast<char*>(popped);
  if (mycore() == kMaster) {
    order_.push_back(stored.data(), stored.size());
    take_for(&commit, kMaster, n_popped);
    if (commit.to_come != 0) aggregator().flush_all(FlushCause::Asked);
  } else {
    ++structure_counters::master_messages;
    const auto request = [this, n_popped, from = mycore(), in_progress = &commit](
                             const void* segments, size_t bytes) {
      order_.push_back(static_cast<const Segment*>(segments), bytes / sizeof(Segment));
      take_for(in_progress, from, n_popped);
    };
    send_message(kMaster, unchecked(request), stored.data(), stored.size() * sizeof(Segment));
    flush_to(kMaster, FlushCause::Asked);
  }
  wait_for_others(&commit.answers);
  return commit.n_popped;
}

int64_t Sequence::size() const {
  return delegate::call(kMaster, [this] { return order_.size(); });
}

// Each core gets a batch of consecutive elements, which keeps the segment list short.
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

uint64_t Sequence::deal() {
  return delegate::call(kMaster, [this] {
    return reinterpret_cast<uint64_t>(new Dealt{order_.by_core(), cores()});
  });
}

std::vector<Segment> Sequence::take_dealt(uint64_t dealt) {
  struct Part {
    const Segment* first;
    int64_t n;
  };
  const Core me = mycore();
  const auto find_part = [dealt, me] {
    const std::vector<Segment>& mine =
        reinterpret_cast<const Dealt*>(dealt)->parts[static_cast<size_t>(me)];
    return Part{mine.data(), static_cast<int64_t>(mine.size())};
  };
  const Part part = delegate::call(kMaster, unchecked(find_part));
  std::vector<Segment> own(static_cast<size_t>(part.n));
  Grappa::memcpy(own.data(), make_global(part.first, kMaster), part.n);
  const auto take = [dealt] { reinterpret_cast<Dealt*>(dealt)->taken(); };
  delegate::call<async>(kMaster, unchecked(take));
  return own;
}

void Sequence::clear() {
  const uint64_t dealt = delegate::call(kMaster, [this] {
    Dealt* const all = new Dealt{order_.by_core(), cores()};
    order_.clear();
    return reinterpret_cast<uint64_t>(all);
  });
  on_all_cores(unchecked([this, dealt] {
    for (const Segment& segment : take_dealt(dealt)) {
      elements_.release(place_of(segment), segment.n);
    }
  }));
}

}  // namespace Grappa::detail
