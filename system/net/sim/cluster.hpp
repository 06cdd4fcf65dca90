#pragma once

/// The cores, the clock and the messages of a simulated cluster, in memory that all its processes
/// share.
///
/// Each core is a process with a clock of its own. Cores see each other only when they poll, and a
/// message takes at least a latency L. Therefore, a core may run ahead of the others until its
/// first poll at which a message of another core could have arrived: the window of a conservative
/// parallel simulation. (K. Chandy, J. Misra, "Distributed Simulation: A Case Study in Design and
/// Verification of Distributed Programs", IEEE Trans. Software Eng. 5(5), 1979; windows: D. Nicol,
/// "The Cost of Conservative Synchronization in Parallel Discrete Event Simulations", J. ACM 40(2),
/// 1993.)
///
/// The cores of a locale run one at a time, the core with the least clock first, on one *lane*: a
/// processor of this machine. Locale k runs on lane k modulo the number of lanes, and lanes run at
/// the same time. A window ends when no core is left with a clock below its end. Then one process
/// passes the messages between locales on, in the order of their times, and begins the next window,
/// which ends the latency between locales after the least clock. Nothing depends on the order in
/// which lanes run, because nothing passes between locales inside of a window.
///
/// No function uses the heap of the process, because any process may run it, in a signal handler
/// too.

#include "system/net/buffer.hpp"
#include "system/net/sim/options.hpp"
#include "system/net/world.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <sys/types.h>

namespace Grappa { namespace detail {

constexpr uint64_t kNever = UINT64_MAX;

/// A step of a hash over numbers: the one of MurmurHash64A (A. Appleby, 2008).
inline uint64_t sim_hash(uint64_t hash, uint64_t value) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995u;
  value *= kFactor;
  value ^= value >> 47;
  return (hash ^ value * kFactor) * kFactor;
}

enum class Way : uint8_t { Near, Far };  // within a locale, and between locales

/// A sent buffer of a core that the core gets back at a time.
struct SimReturn {
  SimReturn* before;  // in a list
  SimReturn* after;
  uint64_t at_ns;
  uint64_t late_ns;  // by a fault
  Buffer* buffer;    // at its address in the owner
  uint32_t owner;
  Way way;

  bool is_before(const SimReturn& other) const { return at_ns < other.at_ns; }
};

/// A message or a return on its way.
struct alignas(kCacheLineBytes) SimEvent {
  SimEvent* before;  // in a list
  SimEvent* after;
  uint64_t send_ns;
  uint64_t arrive_ns;
  uint64_t late_ns;     // by a fault
  uint64_t sequence;    // among the events of the source
  uint64_t number;      // among the messages between the two cores
  SimReturn* returned;  // of the sent buffer; null after it was put
  Buffer* buffer;       // a copy of the sent buffer; null for a return
  uint32_t source;
  uint32_t dest;
  uint32_t bytes;  // of the buffer, header included; 0 for a return
  Way way;

  bool is_message() const { return bytes != 0; }
  bool is_before(const SimEvent& other) const {
    return std::tie(arrive_ns, source, sequence) <
           std::tie(other.arrive_ns, other.source, other.sequence);
  }
  static SimEvent* of(const Buffer* buffer) { return static_cast<SimEvent*>(buffer->received_as); }
};

/// A list in an order. Most objects are put near its end.
template <class T>
struct SimList {
  T* first;
  T* last;

  void put(T* object) {
    T* before = last;
    while (before != nullptr && object->is_before(*before)) before = before->before;
    T* const after = before == nullptr ? first : before->after;
    object->before = before;
    object->after = after;
    (before == nullptr ? first : before->after) = object;
    (after == nullptr ? last : after->before) = object;
  }

  T* pop() {
    T* const object = first;
    first = object->after;
    (first == nullptr ? last : first->before) = nullptr;
    return object;
  }
};

/// The shared memory for the events that the cores of a locale send. Each event keeps its memory
/// for a buffer, in a size of a power of two, when it is freed. A page that a core touches takes
/// a page fault and an entry in the page table of its process. Therefore, each locale has an arena,
/// because a core receives messages from only a few other locales, and events, which the end of a
/// window reads, are not in the pages of buffers.
class SimArena {
 public:
  void open(char* begin, size_t bytes);

  /// Returns an event with memory for a buffer of `bytes`, header included. 0: a return.
  SimEvent* allocate_event(uint32_t bytes);
  SimReturn* allocate_return();
  void free(SimEvent* event) { push(&events_[class_of(event->bytes)], event); }
  void free(SimReturn* returned) { push(&returns_, returned); }

 private:
  static constexpr int kClasses = 32;
  static int class_of(uint32_t bytes) { return bytes == 0 ? 0 : floor_log2(bytes - 1) + 1; }

  template <class T>
  static void push(T** list, T* object) {
    object->after = *list;
    *list = object;
  }
  template <class T>
  static T* pop(T** list) {
    T* const object = *list;
    if (object != nullptr) *list = object->after;
    return object;
  }
  char* carve(int region, size_t bytes);

  SimEvent* events_[kClasses];  // free ones, by size class
  SimReturn* returns_;
  char* begin_;
  char* next_[2];  // unused memory for events and returns, and for buffers
  char* end_[2];
};

enum class SimState : uint8_t {
  Running,  // has the lane, or waits for it
  Idle,     // until a message arrives, a sum is complete, or the time of its wake
  Barrier,
  Failing,  // has a failure to report
  Ended     // has left the job; has the lane until its process ends
};

/// The page of one core. Only the core itself writes it, and others while they have the turn of the
/// lane or end the window.
struct alignas(2 * kCacheLineBytes) SimCore {
  std::atomic<uint32_t> turn;  // a futex: 1 if the core may run
  SimState state;
  bool waits[2];               // by Way: an idle core waits for its messages
  bool wants_buffers;          // an idle core waits for returns, too
  uint64_t clock_ns;           // when the core gave up its turn
  uint64_t resumed_ns;         // when the core got its turn
  uint64_t horizon_ns;         // the core may poll before this time
  uint64_t sequence;           // of the events that the core has sent
  SimList<SimEvent> inbox[2];  // by Way, in the order of arrival
  SimList<SimReturn> returns[2];
  uint64_t hash;
  uint64_t events;
  uint64_t work;  // a number that grows while the core works
  uint64_t sent;  // messages
  uint64_t received;
  uint64_t in_transit;  // buffers that are sent and not yet free again
  pid_t process;
};

/// Why a simulation cannot continue.
enum class SimEnd : uint8_t {
  None,
  Stuck,          // no core can ever continue, and some have not ended
  NoProgress,     // cores poll or vote for ever: a deadlock that is not detected
  FalseDeadlock,  // reported by a core with work, or while a message was in transit
};

/// What a core has printed in one turn.
struct SimPrint {
  uint64_t time_ns;
  uint32_t core;
  uint16_t lane;
  uint16_t stream;  // 0: stdout, 1: stderr
  uint64_t begin;   // in the file of the lane and stream
  uint64_t end;
};

constexpr size_t kMostLanes = 64;
constexpr size_t kMostPrintsOfLane = size_t{1} << 16;  // in one window
constexpr size_t kMostPrints = size_t{1} << 20;        // that wait for the conductor
constexpr size_t kMostPending = size_t{1} << 26;       // events between locales in transit

struct alignas(2 * kCacheLineBytes) SimLane {
  int next_locale;  // of this lane, whose cores were not looked at in this window
  SimEvent* outgoing;
  SimEvent* freed;      // messages from other locales, for their arenas
  int files[2];         // what the cores of this lane print, by stream
  uint64_t printed[2];  // bytes in the files that are in `prints`
  SimPrint* prints;     // of this window
  size_t prints_size;
};

/// The sums of one sequence, from number 1. Sum k uses the members at [k % 2].
struct SimSum {
  std::atomic<uint32_t> begun;     // cores that have begun the current sum
  std::atomic<uint64_t> begin_ns;  // when the last of them did
  uint64_t complete;               // number of sums that are complete, at done_ns
  uint64_t done_ns[2];
  std::atomic<uint64_t> totals[2][World::kMostSummands];
};

class Cluster {
 public:
  /// Maps the memory. Called before the cores are forked.
  static Cluster* create(const SimOptions& options, int lanes);

  const SimOptions options;
  const int cores;
  const int lanes;
  JobMemory* const job;           // for the exchanges of the World
  std::atomic<uint32_t> news{0};  // a futex: changes when the conductor has something to do
  std::atomic<SimEnd> end{SimEnd::None};
  std::atomic<uint64_t> prints_begin{0}, prints_end{0};  // of the ring of prints
  SimSum sums[2] = {};                                   // by World::Sequence
  std::atomic<bool> table_asked{false};                  // by SIGUSR1
  uint64_t tables = 0;  // number of requests for the table of what the workers wait for

  SimCore& core(int k) { return cores_[k]; }
  SimLane& lane(int k) { return lanes_[k]; }
  int lane_of(int core) const { return core / options.cores_per_locale % lanes; }
  SimPrint& print(uint64_t k) { return prints_[k % kMostPrints]; }

  /// Starts the first window. Called when all cores wait for their turns.
  void begin();

  /// Gives up the turn of `core`, which continues at `next_ns`, or for an idle core earlier.
  /// Returns when the core has its turn again.
  void hand_over(int core, SimState state, uint64_t clock_ns, uint64_t next_ns);

  /// Called by the conductor when the process of a core that had Ended is gone.
  void bury(int core);

  /// Notes what `core` has printed in its turn. publish_prints() orders the notes of all lanes and
  /// gives them to the conductor.
  void note_prints(int core);
  void publish_prints();

  /// Waits for the turn of `core`.
  void wait_for_turn(int core);

  /// Sends a copy of `buffer` from `source`, which gets the buffer back later.
  /// `late_ns` and `return_ns` are additional times of a fault.
  void send(Way way, int source, int dest, uint64_t now_ns, Buffer* buffer, uint64_t late_ns,
            uint64_t return_ns);

  /// Returns true if a message for `core` has arrived.
  bool arrived(Way way, int core, uint64_t now_ns) const {
    const SimEvent* const first = cores_[core].inbox[static_cast<int>(way)].first;
    return first != nullptr && first->arrive_ns <= now_ns;
  }

  /// Removes and returns the next message; requires arrived().
  SimEvent* receive(Way way, int core, uint64_t now_ns);

  /// Frees a message that `core` has received.
  void free(int core, uint64_t now_ns, SimEvent* message);

  /// Returns the next buffer that `core` gets back, or null.
  Buffer* completed(Way way, int core, uint64_t now_ns);

  /// A core reports a deadlock. The next barrier checks that no message was in transit.
  void report_deadlock(bool has_work) {
    reports_.fetch_add(1);
    if (has_work) false_reports_.fetch_add(1);
  }

  /// Numbers of messages that have not been received, and of buffers that will never be free again.
  /// From: the conductor, after the end of all cores.
  uint64_t messages_left() const;
  uint64_t buffers_lost() const;

  /// Adds the values of one core to the sum that its sequence has begun.
  void begin_sum(int sequence, uint64_t number, const uint64_t* values, size_t n, uint64_t now_ns);

  /// The time at which the next message of `ways` arrives, or if `with_returns` a buffer comes
  /// back.
  uint64_t next_event_ns(int core, const bool (&ways)[2], bool with_returns) const;

 private:
  Cluster(const SimOptions& its_options, int its_lanes, JobMemory* its_job)
      : options(its_options), cores(its_options.cores()), lanes(its_lanes), job(its_job) {}

  const SimNetwork& network(Way way) const { return way == Way::Near ? options.near : options.far; }
  uint64_t near_latency_ns() const { return options.near.latency_ps / 1000; }
  uint64_t far_latency_ns() const { return options.far.latency_ps / 1000; }
  uint64_t window_ns() const {
    return network(options.locales > 1 ? Way::Far : Way::Near).latency_ps / 1000;
  }
  /// The time of a collective operation of the World: the messages of a tree, up and down.
  uint64_t collective_ns() const;
  void wake_at(int core, uint64_t ns);
  SimArena& arena_of(int core) { return arenas_[core / options.cores_per_locale]; }
  void put_return(SimReturn* returned, uint64_t at_ns);
  void send_far(SimEvent* event);
  void wake(int core);
  int find(int lane);
  int pick(int lane);
  bool end_window();
  int begin_window(int lane);
  void end_collectives();
  void ask_for_table();
  void pass_on_events();
  uint64_t inject(SimEvent* event);
  uint64_t deliver(SimEvent* event);
  uint64_t busy_ps(const SimEvent& event) const;  // of a port between locales
  int failing_core() const;
  void tell_conductor();
  bool end_with(SimEnd how);
  bool makes_progress(uint64_t now_ns);
  uint64_t& of_pair(uint64_t* numbers, int row, int column) {
    return numbers[static_cast<size_t>(row) * static_cast<size_t>(cores) +
                   static_cast<size_t>(column)];
  }

  uint64_t* next_ns_;  // by core: when it continues
  SimCore* cores_;
  SimLane* lanes_;
  SimArena* arenas_;    // by locale
  SimEvent** pending_;  // events between locales that are not injected, in order
  size_t pending_size_ = 0;
  SimEvent** coming_;  // messages on their way to the port of the receiver: a heap
  size_t coming_size_ = 0;
  uint64_t* sent_;         // messages, by source and destination
  uint64_t* received_;     // messages, by destination and source
  uint64_t* last_ns_;      // the latest arrival, by source and destination; only with faults
  uint64_t* port_out_ps_;  // by locale: when its port is free
  uint64_t* port_in_ps_;
  SimPrint* prints_;
  uint64_t window_end_ns_ = 0;
  std::atomic<int> lanes_left_{0};               // lanes with cores before the end of the window
  std::atomic<int> at_barrier_{0}, failing_{0};  // cores
  std::atomic<int> reports_{0}, false_reports_{0};
  uint64_t progress_ = 0;     // a sum of what the cores have done
  uint64_t progress_ns_ = 0;  // when it last grew
  uint64_t windows_since_progress_ = 0;
  int ended_ = 0;
};

}}  // namespace Grappa::detail
