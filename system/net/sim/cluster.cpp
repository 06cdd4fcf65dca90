#include "system/net/sim/cluster.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

#include <linux/futex.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

// Address space for messages in transit: of all arenas, or if there are many cores, for each core.
constexpr size_t kArenasBytes = 128 * GiB;
constexpr size_t kArenaBytesOfCore = 64 * MiB;

template <class T>
T* map_array(size_t count) {
  return static_cast<T*>(map_for_children(align_up(count * sizeof(T[1]), page_bytes())));
}

void futex_wake(std::atomic<uint32_t>* word) {
  ::syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

void SimArena::open(char* begin, size_t bytes) {
  begin_ = next_[0] = begin;
  end_[0] = next_[1] = begin + bytes / 4;
  end_[1] = begin + bytes;
}

char* SimArena::carve(int region, size_t bytes) {
  char* const memory = next_[region];
  next_[region] += align_up(bytes, kCacheLineBytes);
  GRAPPA_CHECK(next_[region] <= end_[region])
      << "the messages in transit from one locale of a simulation need more than "
      << static_cast<size_t>(end_[1] - begin_) << " bytes of address space";
  return memory;
}

SimEvent* SimArena::allocate_event(uint32_t bytes) {
  const int size_class = class_of(bytes);
  SimEvent* event = pop(&events_[size_class]);
  if (event == nullptr) {
    event = new (carve(0, sizeof(SimEvent))) SimEvent();
    if (bytes != 0) event->buffer = reinterpret_cast<Buffer*>(carve(1, size_t{1} << size_class));
  }
  event->bytes = bytes;
  return event;
}

SimReturn* SimArena::allocate_return() {
  SimReturn* const returned = pop(&returns_);
  return returned != nullptr ? returned : new (carve(0, sizeof(SimReturn))) SimReturn();
}

Cluster* Cluster::create(const SimOptions& options, int lanes) {
  const size_t cores = static_cast<size_t>(options.cores());
  const size_t locales = static_cast<size_t>(options.locales);
  JobMemory* const job = static_cast<JobMemory*>(map_for_children(job_memory_bytes(cores)));
  job->version = kJobMemoryVersion;
  job->cores = static_cast<uint32_t>(cores);
  Cluster* const made = new (map_array<Cluster>(1)) Cluster(options, lanes, job);
  made->next_ns_ = map_array<uint64_t>(cores);
  made->cores_ = map_array<SimCore>(cores);
  made->lanes_ = map_array<SimLane>(static_cast<size_t>(lanes));
  made->pending_ = map_array<SimEvent*>(kMostPending);
  made->coming_ = map_array<SimEvent*>(kMostPending);
  for (uint64_t** numbers : {&made->sent_, &made->received_, &made->last_ns_}) {
    *numbers = map_array<uint64_t>(cores * cores);
  }
  made->port_out_ps_ = map_array<uint64_t>(locales);
  made->port_in_ps_ = map_array<uint64_t>(locales);
  made->prints_ = map_array<SimPrint>(kMostPrints);
  for (int k = 0; k < lanes; ++k) {
    SimLane& lane = made->lane(k);
    lane.prints = map_array<SimPrint>(kMostPrintsOfLane);
  }
  made->arenas_ = map_array<SimArena>(locales);
  const size_t bytes = std::max(kArenasBytes / locales / page_bytes() * page_bytes(),
                                kArenaBytesOfCore * static_cast<size_t>(options.cores_per_locale));
  char* const arenas = map_array<char>(locales * bytes);
  for (size_t k = 0; k < locales; ++k) made->arenas_[k].open(arenas + k * bytes, bytes);
  return made;
}

void Cluster::wait_for_turn(int core) {
  std::atomic<uint32_t>& turn = cores_[core].turn;
  // acquire: pairs with the release in wake().
  while (turn.exchange(0, std::memory_order_acquire) == 0) {
    ::syscall(SYS_futex, &turn, FUTEX_WAIT, 0, nullptr, nullptr, 0);
  }
}

void Cluster::wake(int core) {
  // release: the core sees all that happened before its turn.
  cores_[core].turn.store(1, std::memory_order_release);
  futex_wake(&cores_[core].turn);
}

void Cluster::begin() {
  GRAPPA_CHECK(end_window()) << "a simulation has no core";
  const int first = begin_window(0);
  if (first >= 0) wake(first);
}

void Cluster::hand_over(int core, SimState state, uint64_t clock_ns, uint64_t next_ns) {
  SimCore& mine = cores_[core];
  mine.state = state;
  mine.clock_ns = clock_ns;
  next_ns_[core] = next_ns;
  if (state == SimState::Barrier) at_barrier_.fetch_add(1);
  if (state == SimState::Failing) failing_.fetch_add(1);
  note_prints(core);
  const int next = pick(lane_of(core));
  if (next == core) return;
  if (next >= 0) wake(next);
  wait_for_turn(core);
}

void Cluster::bury(int core) {
  note_prints(core);
  next_ns_[core] = kNever;
  ++ended_;
  const int next = pick(lane_of(core));
  if (next >= 0) wake(next);
}

/// Returns the core of the lane that continues next in this window, or -1.
int Cluster::find(int lane) {
  SimLane& mine = lanes_[lane];
  const int size = options.cores_per_locale;
  for (; mine.next_locale < options.locales; mine.next_locale += lanes) {
    const int first = mine.next_locale * size;
    int least = first;
    uint64_t second_ns = kNever;
    for (int core = first + 1; core < first + size; ++core) {
      const bool less = next_ns_[core] < next_ns_[least];
      second_ns = std::min(second_ns, next_ns_[less ? least : core]);
      if (less) least = core;
    }
    if (next_ns_[least] >= window_end_ns_) continue;
    SimCore& next = cores_[least];
    next.state = SimState::Running;
    next.resumed_ns = next_ns_[least];
    next.horizon_ns = window_end_ns_;
    if (second_ns < window_end_ns_) {
      next.horizon_ns = std::min(window_end_ns_, second_ns + near_latency_ns());
    }
    return least;
  }
  return -1;
}

/// Like find(). The process that ends the last lane of a window begins the next window.
int Cluster::pick(int lane) {
  const int next = find(lane);
  if (next >= 0) return next;
  // acq_rel: the last process sees what all lanes did in the window.
  if (lanes_left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return -1;
  return end_window() ? begin_window(lane) : -1;
}

/// Wakes the first core of every other lane that has a core to run, and returns that of `lane`.
int Cluster::begin_window(int lane) {
  int others[kMostLanes];
  int n = 0, mine = -1;
  for (int k = 0; k < lanes; ++k) {
    const int first = find(k);
    if (first >= 0) (k == lane ? mine : others[n++]) = first;
  }
  lanes_left_.store(n + (mine >= 0 ? 1 : 0));
  for (int k = 0; k < n; ++k) wake(others[k]);
  return mine;
}

/// Passes everything on that happened between locales. Returns false if no window follows.
bool Cluster::end_window() {
  publish_prints();
  end_collectives();
  pass_on_events();
  if (failing_.load() != 0) {  // that core does not return
    wake(failing_core());
    return false;
  }
  if (false_reports_.load() != 0) return end_with(SimEnd::FalseDeadlock);
  const uint64_t least_ns = *std::min_element(next_ns_, next_ns_ + cores);
  if (least_ns == kNever) return end_with(ended_ == cores ? SimEnd::None : SimEnd::Stuck);
  if (!makes_progress(least_ns)) return end_with(SimEnd::NoProgress);
  window_end_ns_ = least_ns + window_ns();
  if (table_asked.exchange(false)) ask_for_table();
  for (int k = 0; k < lanes; ++k) lanes_[k].next_locale = k;
  return true;
}

bool Cluster::end_with(SimEnd how) {
  end.store(how);
  tell_conductor();
  return false;
}

void Cluster::tell_conductor() {
  ++news;
  futex_wake(&news);
}

uint64_t Cluster::collective_ns() const {
  const auto steps = [](int n) {
    return n == 1 ? uint64_t{0} : static_cast<uint64_t>(floor_log2(uint64_t(n) - 1) + 1);
  };
  const auto step_ps = [](const SimNetwork& way) {
    return way.latency_ps + way.send_ps + way.receive_ps;
  };
  return 2 *
         (steps(options.locales) * step_ps(options.far) +
          steps(options.cores_per_locale) * step_ps(options.near)) /
         1000;
}

void Cluster::end_collectives() {
  if (at_barrier_.load() == cores) {
    if (reports_.load() != 0 && messages_left() != 0) ++false_reports_;
    uint64_t last_ns = 0;
    for (int k = 0; k < cores; ++k) last_ns = std::max(last_ns, cores_[k].clock_ns);
    std::fill(next_ns_, next_ns_ + cores, last_ns + collective_ns());
    at_barrier_.store(0);
  }
  for (SimSum& sum : sums) {
    if (sum.begun.load() != static_cast<uint32_t>(cores)) continue;
    const uint64_t done_ns = sum.begin_ns.exchange(0) + collective_ns();
    sum.begun.store(0);
    sum.done_ns[++sum.complete % 2] = done_ns;
    // Every core has read the sum before this one.
    for (auto& total : sum.totals[(sum.complete + 1) % 2]) total.store(0);
    for (int k = 0; k < cores; ++k) wake_at(k, done_ns);
  }
}

void Cluster::begin_sum(int sequence, uint64_t number, const uint64_t* values, size_t n,
                        uint64_t now_ns) {
  SimSum& sum = sums[sequence];
  for (size_t k = 0; k < n; ++k) sum.totals[number % 2][k].fetch_add(values[k]);
  uint64_t latest = sum.begin_ns.load();
  while (latest < now_ns && !sum.begin_ns.compare_exchange_weak(latest, now_ns)) {}
  sum.begun.fetch_add(1);
}

/// Every core notices the request when it has its turn again. Idle cores get a turn for it.
void Cluster::ask_for_table() {
  ++tables;
  for (int k = 0; k < cores; ++k) wake_at(k, std::max(cores_[k].clock_ns, window_end_ns_));
}

void Cluster::wake_at(int core, uint64_t ns) {
  if (cores_[core].state == SimState::Idle) next_ns_[core] = std::min(next_ns_[core], ns);
}

/// The core that has failed first.
int Cluster::failing_core() const {
  int first = -1;
  for (int k = 0; k < cores; ++k) {
    if (cores_[k].state != SimState::Failing) continue;
    if (first < 0 || cores_[k].clock_ns < cores_[first].clock_ns) first = k;
  }
  return first;
}

void Cluster::note_prints(int core) {
  const int number = lane_of(core);
  SimLane& lane = lanes_[number];
  for (int stream = 0; stream < 2; ++stream) {
    struct stat file;
    if (::fstat(lane.files[stream], &file) != 0) continue;
    const uint64_t size = static_cast<uint64_t>(file.st_size);
    if (size == lane.printed[stream]) continue;
    GRAPPA_CHECK(lane.prints_size < kMostPrintsOfLane) << "too many pieces of output";
    lane.prints[lane.prints_size++] = SimPrint{
        cores_[core].resumed_ns,       static_cast<uint32_t>(core), static_cast<uint16_t>(number),
        static_cast<uint16_t>(stream), lane.printed[stream],        size};
    lane.printed[stream] = size;
  }
}

void Cluster::publish_prints() {
  const auto before = [](const SimPrint& a, const SimPrint& b) {
    return std::tie(a.time_ns, a.core, a.stream, a.begin) <
           std::tie(b.time_ns, b.core, b.stream, b.begin);
  };
  size_t done[kMostLanes] = {};
  for (int k = 0; k < lanes; ++k) {
    std::sort(lanes_[k].prints, lanes_[k].prints + lanes_[k].prints_size, before);
  }
  uint64_t published = prints_end.load();
  const uint64_t first = published;
  for (;;) {
    int least = -1;
    for (int k = 0; k < lanes; ++k) {
      if (done[k] == lanes_[k].prints_size) continue;
      if (least < 0 || before(lanes_[k].prints[done[k]], lanes_[least].prints[done[least]])) {
        least = k;
      }
    }
    if (least < 0) break;
    while (published - prints_begin.load() == kMostPrints) ::sched_yield();  // the conductor prints
    print(published) = lanes_[least].prints[done[least]++];
    prints_end.store(++published);
  }
  for (int k = 0; k < lanes; ++k) lanes_[k].prints_size = 0;
  if (published != first) tell_conductor();
}

}  // namespace Grappa::detail
