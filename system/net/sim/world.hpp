#pragma once

/// The World, the links and the virtual clock of a simulated core.

#include "system/net/shm_world.hpp"
#include "system/net/sim/cluster.hpp"
#include "system/net/sim/slices.hpp"
#include "system/observe/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

/// The clock of this core, and all that passes between this core and the others. The hash of a core
/// chains the time, the kind, the peer and the sizes of each event. It contains no contents,
/// because they may hold pointers.
class SimTime final : public VirtualTime {
 public:
  SimTime(Cluster* cluster, int core);

  uint64_t now_ns() override;
  void idle_until(uint64_t wake_ns) override;
  void executed(const void* handler, uint64_t messages, uint64_t bytes) override;
  uint64_t choose(uint64_t n) override { return faults_.order ? random(SimFault::Order, n) : 0; }
  void deadlocked(bool has_work) override { cluster_.report_deadlock(has_work); }

  void barrier();
  void begin_sum(int sequence, const uint64_t* values, size_t n);

  /// Returns true, and sets the sums, if they are complete. Otherwise, the core has been idle.
  bool sum_done(int sequence, uint64_t* values, size_t n);

  void set_buffers(uint32_t buffers) { buffers_ = buffers; }
  bool send(Way way, int peer, Buffer* buffer);  // false: the link is full
  Buffer* completed(Way way);
  Buffer* receive(Way way);
  void free(Buffer* buffer);

  /// Other cores run until this one has its turn again.
  void give_up_turn(SimState state, uint64_t next_ns);

  /// The core keeps its turn until its process has ended.
  void end();
  bool ended() const { return page_.state == SimState::Ended; }

 private:
  /// The simulation runs, and not the program, while an object of this class exists.
  class Call {
   public:
    explicit Call(SimTime* time) : time_(*time) {
      if (time_.recorded_ && time_.calls_++ == 0) time_.charge_slice();
    }
    ~Call() {
      if (time_.recorded_ && --time_.calls_ == 0) time_.slices_.start();
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    SimTime& time_;
  };

  enum class Kind { Sent, Received, Executed, Woke, Barrier, Sum };

  /// Messages may wait for a buffer if not half of the pool is free, or few of it. A pool has up to
  /// eight buffers in reserve.
  bool wants_buffers() const {
    return page_.in_transit * 2 > buffers_ || page_.in_transit + 16 > buffers_;
  }

  /// A random number below `n` for a kind of disturbance. 0 if n is 0, or after until_ns.
  uint64_t random(SimFault kind, uint64_t n);
  bool happens(SimFault kind, uint64_t chance);
  uint64_t work_ps() const;
  uint64_t clock_ns() const;
  void work(uint64_t ps) { charged_ps_ += ps * faults_.slowness; }
  void charge_slice() { work(slices_.end_ps()); }
  void poll();  // gives up the turn if another core could have sent a message until now
  void note(Kind kind, uint64_t peer, uint64_t a, uint64_t b);

  Cluster& cluster_;
  SimCore& page_;
  const int core_;
  const uintptr_t program_begin_;
  SimFaults faults_;
  SimRandom random_[kSimFaults];  // of each kind, so that the others remain if one is absent
  const bool recorded_;           // now, or earlier
  Slices slices_;
  int calls_ = 0;               // of the simulation, nested, if recorded_
  std::vector<uint64_t> sent_;  // by index of a buffer in transit: a hash of its contents
  bool rejected_ = false;       // a send
  uint64_t charged_ps_ = 0;     // in addition to WorkDone
  uint64_t sums_[2] = {};       // number of the sums begun, by sequence
  uint64_t summing_[2] = {};    // the sum that is not known to be done, or 0
  bool looked_[2] = {};         // by Way: for messages, in the polls since the core was last idle
  bool was_idle_ = false;       // since the last look
  bool received_ = false;       // a message, which may have left something to send
  uint64_t tables_ = 0;         // number of Cluster::tables that this core has seen
  uint32_t buffers_ = 0;
};

class SimWorld final : public ShmWorld {
 public:
  SimWorld(Cluster* cluster, int core, SimTime* time);
  ~SimWorld() override;

  Topology discover_topology(int cores_per_locale) override;
  std::string refusal(int cores_per_locale) const override;
  std::unique_ptr<LocaleLink> make_near_link(const LinkOptions& options) override;
  std::unique_ptr<Link> make_far_link(const LinkOptions& options) override;
  void barrier() override { time_.barrier(); }
  Exploration exploration() const override;

 private:
  void start_sum(uint64_t* values, size_t n, Sequence sequence) override;
  bool sum_done(Sequence sequence) override;

  Cluster& cluster_;
  SimTime& time_;
  uint64_t* values_[2] = {};
  size_t n_[2] = {};
};

}}  // namespace Grappa::detail
