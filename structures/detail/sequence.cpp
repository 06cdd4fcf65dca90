#include "structures/detail/sequence.hpp"

#include "structures/counters.hpp"
#include "structures/options.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/message/send.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/sync/completion_event.hpp"

#include <algorithm>
#include <cstring>

namespace Grappa {
namespace detail {
namespace {

/// Sends bytes for which somebody waits on core `dest`; never waits itself. From: handler.
template <class F>
void answer(Core dest, const F& body, const void* payload, size_t bytes) {
  typedef PayloadMessage<F, Acknowledged::Never, MayWait::Never> Whole;
  if (Whole::size(bytes) <= aggregator().largest_message()) {
    Whole::send(dest, body, payload, bytes);
  } else {
    send_message(dest, body, payload, bytes);
    aggregator().flush(dest, FlushCause::Asked);
  }
}

void wait_for_others(CompletionEvent* event) {
  const Scheduler::Waiting wait(scheduler(), Scheduler::WaitFor::Others);
  event->wait();
}

Core owner_of(const Segment& segment) {
  return GlobalAddress<char>::from_raw(segment.first).core();
}
char* place_of(const Segment& segment) {
  return GlobalAddress<char>::from_raw(segment.first).pointer();
}

}  // namespace

/// What waits for the master's answer.
struct Sequence::Commit {
  CompletionEvent answered{1};
  std::vector<Segment>* taken;
};

struct Sequence::Answer {
  Commit* commit;

  void operator()(void* payload, size_t bytes) const {
    const Segment* segments = static_cast<const Segment*>(payload);
    commit->taken->assign(segments, segments + bytes / sizeof(Segment));
    commit->answered.complete();
  }
};

struct Sequence::Request {
  Sequence* sequence;
  Commit* commit;
  int64_t n_popped;
  Core from;

  void operator()(void* payload, size_t bytes) const {
    sequence->order_.push_back(static_cast<const Segment*>(payload), bytes / sizeof(Segment));
    std::vector<Segment> taken;
    sequence->take(n_popped, &taken);
    answer(from, Answer{commit}, taken.data(), taken.size() * sizeof(Segment));
  }
};

/// Elements on their way to who takes them.
struct Sequence::Taken {
  char* to;
  CompletionEvent* arrived;

  void operator()(void* payload, size_t bytes) const {
    std::memcpy(to, payload, bytes);
    arrived->complete();
  }
};

struct Sequence::Take {
  Sequence* sequence;
  char* first;
  int64_t n;
  Taken taken;
  Core from;

  void operator()() const {
    answer(from, taken, first, static_cast<size_t>(n) * sequence->element_bytes_);
    sequence->elements_.release(first, n);
  }
};

/// On the master, while a loop runs over all elements.
struct Sequence::Dealt {
  std::vector<std::vector<Segment>> parts;  // by core
};

Sequence::Sequence(size_t element_bytes, TakeFrom end, int64_t hint)
    : element_bytes_(element_bytes), end_(end), elements_(element_bytes), order_(element_bytes) {
  elements_.reserve((hint + cores() - 1) / cores());
}

void Sequence::store(const void* elements, int64_t n, std::vector<Segment>* segments) {
  const char* from = static_cast<const char*>(elements);
  while (n != 0) {
    int64_t stored = n;
    char* place = elements_.append(&stored);
    const size_t bytes = static_cast<size_t>(stored) * element_bytes_;
    std::memcpy(place, from, bytes);
    segments->push_back({make_global(place).raw_bits(), stored});
    from += bytes;
    n -= stored;
  }
}

void Sequence::take(int64_t n, std::vector<Segment>* taken) {
  if (end_ == TakeFrom::Back) {
    order_.take_back(n, taken);
  } else {
    order_.take_front(n, taken);
  }
}

void Sequence::ask_master(const std::vector<Segment>& pushed, int64_t n_popped,
                          std::vector<Segment>* taken) {
  if (mycore() == kMaster) {
    order_.push_back(pushed.data(), pushed.size());
    take(n_popped, taken);
    return;
  }
  Commit commit;
  commit.taken = taken;
  ++structure_counters::master_messages;
  send_message(kMaster, Request{this, &commit, n_popped, mycore()}, pushed.data(),
               pushed.size() * sizeof(Segment));
  aggregator().flush(kMaster, FlushCause::Asked);
  wait_for_others(&commit.answered);
}

void Sequence::fetch(const std::vector<Segment>& taken, void* to) {
  CompletionEvent arrived;
  char* next = static_cast<char*>(to);
  std::vector<Core> asked;
  for (const Segment& segment : taken) {
    const Core owner = owner_of(segment);
    char* const first = place_of(segment);
    const size_t bytes = static_cast<size_t>(segment.n) * element_bytes_;
    if (owner == mycore()) {
      std::memcpy(next, first, bytes);
      elements_.release(first, segment.n);
    } else {
      arrived.enroll();
      send_message(owner, Take{this, first, segment.n, Taken{next, &arrived}, mycore()});
      if (asked.empty() || asked.back() != owner) asked.push_back(owner);
    }
    next += bytes;
  }
  for (Core owner : asked) aggregator().flush(owner, FlushCause::Asked);
  wait_for_others(&arrived);
}

int64_t Sequence::commit(const void* pushed, int64_t n_pushed, void* popped, int64_t n_popped) {
  std::vector<Segment> stored;
  std::vector<Segment> taken;
  store(pushed, n_pushed, &stored);
  ask_master(stored, n_popped, &taken);
  fetch(taken, popped);
  int64_t n = 0;
  for (const Segment& segment : taken) n += segment.n;
  return n;
}

int64_t Sequence::size() {
  Sequence* const self = this;
  return delegate::call(kMaster, [self] { return self->order_.size(); });
}

uint64_t Sequence::keep(const void* element) {
  int64_t one = 1;
  char* place = elements_.append(&one);
  std::memcpy(place, element, element_bytes_);
  return make_global(place).raw_bits();
}

// As many in a row as a batch has, so that the list stays short.
Core Sequence::next_owner() {
  const int64_t turn = pushed_in_turn_++ / static_cast<int64_t>(kProxyRequests);
  return static_cast<Core>(turn % cores());
}

bool Sequence::pop_locked(void* element) {
  lock_.lock();
  std::vector<Segment> taken;
  take(1, &taken);
  fetch(taken, element);
  lock_.unlock();
  return !taken.empty();
}

uint64_t Sequence::begin_loop(bool take_all) {
  Sequence* const self = this;
  return delegate::call(kMaster, [self, take_all] {
    Dealt* const dealt = new Dealt{self->order_.by_core()};
    if (take_all) self->order_.clear();
    return reinterpret_cast<uint64_t>(dealt);
  });
}

std::vector<Segment> Sequence::own_segments(uint64_t dealt) {
  struct Part {
    const Segment* first;
    int64_t n;
  };
  const Core me = mycore();
  const Part part = delegate::call(kMaster, [dealt, me] {
    const std::vector<Segment>& mine =
        reinterpret_cast<const Dealt*>(dealt)->parts[static_cast<size_t>(me)];
    return Part{mine.data(), static_cast<int64_t>(mine.size())};
  });
  std::vector<Segment> own(static_cast<size_t>(part.n));
  Grappa::memcpy(own.data(), make_global(part.first, kMaster), part.n);
  return own;
}

void Sequence::end_loop(uint64_t dealt) {
  delegate::call(kMaster, [dealt] { delete reinterpret_cast<Dealt*>(dealt); });
}

void Sequence::release(const std::vector<Segment>& own) {
  for (const Segment& segment : own) elements_.release(place_of(segment), segment.n);
}

void Sequence::clear() {
  Sequence* const self = this;
  const uint64_t dealt = begin_loop(true);
  on_all_cores([self, dealt] { self->release(self->own_segments(dealt)); });
  end_loop(dealt);
}

}  // namespace detail
}  // namespace Grappa
