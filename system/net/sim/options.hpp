#pragma once

/// The description of a simulated cluster: its size, the model of its network, and the costs of the
/// work that its virtual clock charges.
///
/// The network is modelled by LogGOPS, once for messages within a locale and once for messages
/// between locales: latency L, overheads o of the sender and of the receiver, the gap g between
/// messages, and the gap G per byte. (T. Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim:
/// Simulating Large-Scale Applications in the LogGOPS Model", HPDC 2010.) A message here is a
/// buffer.

#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace Grappa { namespace detail {

/// The parameters of one kind of message. A locale has one port in each direction.
struct SimNetwork {
  uint64_t latency_ps;       // from the end of the injection until the receiver can see the buffer
  uint64_t send_ps;          // of the sender's processor, for each buffer
  uint64_t receive_ps;       // of the receiver's processor, for each buffer
  uint64_t gap_ps;           // between locales only: least time between two buffers at a port
  uint64_t gap_per_byte_ps;  // of a port between locales, or of the receiver within a locale
};

/// Times of a core, for each count of its work.
struct SimCosts {
  uint64_t iteration_ps;
  uint64_t switch_ps;
  uint64_t task_ps;
  uint64_t call_ps;
  uint64_t miss_ps;
  uint64_t message_ps;
  uint64_t message_byte_ps;
  uint64_t poll_ps;     // for each look for a message
  uint64_t clock_ps;    // for each reading of the clock
  uint64_t charged_ps;  // for each nanosecond that the program charges
};

/// Where the time of the work of a core comes from: the costs, measurements, or those of an earlier
/// run.
enum class SimTimes { Charged, Recorded, Replayed };

struct SimOptions {
  int locales = 0;
  int cores_per_locale = 0;
  uint64_t seed = 1;
  bool faults = false;                 // chosen by the seed
  std::set<std::string> named_faults;  // the only ones; empty: all
  uint64_t until_ns = UINT64_MAX;      // then faults end, except flags
  int kill_core = -1;                  // its process ends at kill_ns
  uint64_t kill_ns = 0;
  int processors = 0;  // of this machine, that simulate cores at the same time; 0: automatic
  SimTimes time = SimTimes::Charged;
  std::string slices;               // the folder of recorded times
  uint64_t eager_bytes = 12 * KiB;  // a longer buffer is free again only when it was received

  // Round numbers for a cluster with InfiniBand, which are not fitted to a machine.
  SimNetwork near = {150000, 60000, 60000, 0, 100};
  SimNetwork far = {1000000, 250000, 250000, 60000, 250};
  SimCosts costs = {3000, 10000, 20000, 30000, 15000, 5000, 100, 40000, 20000, 1000};

  int cores() const { return locales * cores_per_locale; }
};

/// A core continues `ns` later after this number of its events: its priority decreases.
struct SimDemotion {
  uint64_t event;
  uint64_t ns;  // 0: none
};

constexpr int kMostDemotions = 3;

/// What disturbs one core of a simulation with faults. All are 0 without.
///
/// A demotion is the form, in virtual time, of a change point of a schedule by priorities: the core
/// stops in the middle of its work, while all others continue until they wait for it. (S.
/// Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A Randomized Scheduler with Probabilistic
/// Guarantees of Finding Bugs", ASPLOS 2010.) A bug that needs an order of d events is found by d
/// demotions at the right events.
struct SimFaults {
  uint64_t delay_ns = 0;    // a message takes longer by up to this time
  uint64_t return_ns = 0;   // a buffer comes back later by up to this time
  uint64_t pause_ns = 0;    // a pause of the core lasts up to this time
  uint64_t pauses = 0;      // of 2^16 looks for messages, before this number the core pauses
  uint64_t rejections = 0;  // of 2^16 sends within the locale, this number finds a full link
  uint64_t slowness = 1;    // factor of the time of all work of the core
  bool order = false;       // ready workers run in a random order
  SimDemotion demotions[kMostDemotions] = {};  // of the job, those of this core
};

/// The kinds of disturbances, without flags of the runtime.
enum class SimFault { Delay, Demote, Full, Order, Pause, Return, Slow };
constexpr size_t kSimFaults = 7;
extern const char* const sim_fault_names[kSimFaults];

/// The kinds that a seed has on some core, each with a + before it.
std::string present_faults(const SimOptions& options);

SimFaults faults_of(const SimOptions& options, int core);

/// Deterministic random numbers (SplitMix64; G. Steele, D. Lea, C. Flood, OOPSLA 2014).
class SimRandom {
 public:
  explicit SimRandom(uint64_t seed = 0) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t n) { return n == 0 ? 0 : next() % n; }

 private:
  uint64_t state_;
};

/// Parses "LOCALESxCORES" followed by any of ",seed=N", ",faults", ",faults=NAME+NAME",
/// ",until=NS", ",network=FILE", ",processors=N", ",kill=CORE@NS", ",record=FOLDER" and
/// ",replay=FOLDER". Returns "", or a sentence for the user.
std::string parse_simulation(const std::string& text, SimOptions* options);

}}  // namespace Grappa::detail
