#include "system/net/sim/world.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <signal.h>

namespace Grappa::detail {
namespace {

SimTime* the_sim_time = nullptr;

/// A core with work gives up its turn only this long after its horizon, so it may see messages late
/// by this time: the interval at which a busy core polls. An idle core sees every message in time.
constexpr uint64_t kLateNs = 4000;

/// With recorded time, turns are longer: after each change of the process, caches are cold.
constexpr uint64_t kRecordedLateNs = 50000;

constexpr uint64_t kChances = 1 << 16;           // the unit of the chance of a fault
constexpr uint64_t kRetryNs = 1000;              // an idle core sends a rejected buffer again
constexpr uint64_t kLastNs = UINT64_MAX / 2000;  // clocks count picoseconds in 64 bits

/// A hash, which is not 0, of what the sender must not change while the buffer is in transit.
uint64_t contents(const Buffer& buffer) {
  uint64_t hash = buffer.used_bytes;
  for (uint32_t at = 0; at + sizeof hash <= buffer.used_bytes; at += sizeof hash) {
    uint64_t word;
    std::memcpy(&word, buffer.runs() + at, sizeof word);
    hash = sim_hash(hash, word);
  }
  return hash | 1;
}

class SimLink : public LocaleLink {
 public:
  SimLink(Way way, SimTime* time, const LinkOptions& options)
      : way_(way), time_(*time), options_(options) {
    if (way == Way::Near) pool_ = static_cast<char*>(map_private(pool_bytes()));
  }
  ~SimLink() override {
    if (pool_ != nullptr) unmap(pool_, pool_bytes());
  }

  Buffer* own_buffer(uint32_t index) override {
    return reinterpret_cast<Buffer*>(pool_ + index * options_.buffer_bytes);
  }

  bool try_send(size_t peer, Buffer* buffer) override {
    return time_.send(way_, static_cast<int>(peer), buffer);
  }
  Buffer* completed() override { return time_.completed(way_); }
  Buffer* receive() override { return time_.receive(way_); }
  void give_back(Buffer* buffer) override { time_.free(buffer); }

 private:
  size_t pool_bytes() const { return options_.buffers * options_.buffer_bytes; }

  const Way way_;
  SimTime& time_;
  const LinkOptions options_;
  char* pool_ = nullptr;
};

}  // namespace

SimTime::SimTime(Cluster* cluster, int core)
    : cluster_(*cluster),
      page_(cluster->core(core)),
      core_(core),
      program_begin_(fixed_files()[0].begin),
      faults_(faults_of(cluster->options, core)),
      recorded_(cluster->options.time != SimTimes::Charged),
      slices_(cluster->options, core) {
  for (uint64_t k = 0; k < kSimFaults; ++k) {
    random_[k] = SimRandom(sim_hash(k + 1, cluster->options.seed * kMaxCores + uint64_t(core)));
  }
  GRAPPA_CHECK(virtual_time == nullptr) << "the process already has a virtual clock";
  virtual_time = this;
  slices_.start();
}

uint64_t SimTime::work_ps() const {
  if (recorded_) return 0;
  const SimCosts& costs = cluster_.options.costs;
  return work_done.iterations * costs.iteration_ps + work_done.switches * costs.switch_ps +
         work_done.tasks * costs.task_ps + work_done.calls * costs.call_ps +
         work_done.misses * costs.miss_ps + work_done.charged_ns * costs.charged_ps;
}

uint64_t SimTime::clock_ns() const { return (charged_ps_ + work_ps() * faults_.slowness) / 1000; }

uint64_t SimTime::random(SimFault kind, uint64_t n) {
  if (n == 0 || clock_ns() >= cluster_.options.until_ns) return 0;
  return random_[static_cast<size_t>(kind)].below(n);
}

bool SimTime::happens(SimFault kind, uint64_t chance) {
  return chance != 0 && clock_ns() < cluster_.options.until_ns && random(kind, kChances) < chance;
}

uint64_t SimTime::now_ns() {
  const Call call(this);
  work(cluster_.options.costs.clock_ps);
  return clock_ns();
}

void SimTime::note(Kind kind, uint64_t peer, uint64_t a, uint64_t b) {
  uint64_t hash = page_.hash;
  for (const uint64_t value : {clock_ns(), static_cast<uint64_t>(kind), peer, a, b}) {
    hash = sim_hash(hash, value);
  }
  page_.hash = hash;
  ++page_.events;
  for (const SimDemotion& demotion : faults_.demotions) {
    if (demotion.event == page_.events && clock_ns() < cluster_.options.until_ns) {
      charged_ps_ += demotion.ns * 1000;
    }
  }
}

void SimTime::executed(const void* handler, uint64_t messages, uint64_t bytes) {
  const Call call(this);
  const SimCosts& costs = cluster_.options.costs;
  work(std::max<uint64_t>(messages, 1) * costs.message_ps + bytes * costs.message_byte_ps);
  note(Kind::Executed, reinterpret_cast<uintptr_t>(handler) - program_begin_, messages, bytes);
}

void SimTime::give_up_turn(SimState state, uint64_t next_ns) {
  const Call call(this);
  const uint64_t now_ns = clock_ns();
  page_.work = work_done.iterations + work_done.switches + work_done.tasks + work_done.charged_ns;
  cluster_.hand_over(core_, state, now_ns, next_ns);
  const uint64_t resumed_ns = std::min(page_.resumed_ns, kLastNs);
  if (resumed_ns > now_ns) charged_ps_ += (resumed_ns - now_ns) * 1000;
  if (std::exchange(tables_, cluster_.tables) != cluster_.tables) ::raise(SIGUSR1);
}

void SimTime::poll() {
  work(cluster_.options.costs.poll_ps);
  if (happens(SimFault::Pause, faults_.pauses)) {
    charged_ps_ += random(SimFault::Pause, faults_.pause_ns + 1) * 1000;
  }
  if (faults_.slowness != 1 && clock_ns() >= cluster_.options.until_ns) {
    charged_ps_ += work_ps() * (faults_.slowness - 1);
    faults_.slowness = 1;
  }
  const uint64_t now_ns = clock_ns();
  if (core_ == cluster_.options.kill_core && now_ns >= cluster_.options.kill_ns) {
    give_up_turn(SimState::Failing, kNever);  // the other cores end their window
    ::raise(SIGKILL);
  }
  if (now_ns >= page_.horizon_ns + (recorded_ ? kRecordedLateNs : kLateNs))
    give_up_turn(SimState::Running, now_ns);
}

void SimTime::idle_until(uint64_t wake_ns) {
  const Call call(this);
  poll();
  uint64_t next_ns = std::min(wake_ns, cluster_.next_event_ns(core_, looked_, wants_buffers()));
  for (int k = 0; k < 2; ++k) {
    if (summing_[k] != 0 && cluster_.sums[k].complete >= summing_[k]) {
      next_ns = std::min(next_ns, cluster_.sums[k].done_ns[summing_[k] % 2]);
    }
  }
  if (rejected_) next_ns = std::min(next_ns, clock_ns() + kRetryNs);
  if (next_ns <= clock_ns()) return;
  page_.wants_buffers = wants_buffers();
  std::copy(looked_, looked_ + 2, page_.waits);
  give_up_turn(SimState::Idle, next_ns);
  GRAPPA_CHECK(page_.resumed_ns < kLastNs)
      << "the virtual clock has reached its end, " << kLastNs << " ns";
  was_idle_ = true;
  note(Kind::Woke, 0, 0, 0);
}

void SimTime::barrier() {
  const Call call(this);
  give_up_turn(SimState::Barrier, kNever);
  note(Kind::Barrier, 0, 0, 0);
}

void SimTime::begin_sum(int sequence, const uint64_t* values, size_t n) {
  const Call call(this);
  summing_[sequence] = ++sums_[sequence];
  cluster_.begin_sum(sequence, sums_[sequence], values, n, clock_ns());
}

bool SimTime::sum_done(int sequence, uint64_t* values, size_t n) {
  const Call call(this);
  const uint64_t number = sums_[sequence];
  const SimSum& sum = cluster_.sums[sequence];
  const auto done = [&] { return sum.complete >= number && sum.done_ns[number % 2] <= clock_ns(); };
  if (summing_[sequence] == 0) return true;
  if (!done()) std::exchange(received_, false) ? poll() : idle_until(kNever);
  if (!done()) return false;
  summing_[sequence] = 0;
  for (size_t k = 0; k < n; ++k) values[k] = sum.totals[number % 2][k].load();
  note(Kind::Sum, static_cast<uint64_t>(sequence), number, n == 0 ? 0 : values[0]);
  return true;
}

bool SimTime::send(Way way, int peer, Buffer* buffer) {
  const Call call(this);
  if (way == Way::Near && happens(SimFault::Full, faults_.rejections)) {
    rejected_ = true;
    return false;
  }
  const int first = way == Way::Near ? core_ - core_ % cluster_.options.cores_per_locale : 0;
  const SimNetwork& network = way == Way::Near ? cluster_.options.near : cluster_.options.far;
  work(network.send_ps);
  ++page_.in_transit;
  if (cluster_.options.faults) {
    if (buffer->index >= sent_.size()) sent_.resize(buffer->index + 1);
    GRAPPA_CHECK(std::exchange(sent_[buffer->index], contents(*buffer)) == 0)
        << "buffer " << buffer->index << " is sent while it is in transit";
  }
  note(Kind::Sent, static_cast<uint64_t>(first + peer), buffer->used_bytes, 0);
  cluster_.send(way, core_, first + peer, clock_ns(), buffer,
                random(SimFault::Delay, faults_.delay_ns),
                random(SimFault::Return, faults_.return_ns));
  return true;
}

Buffer* SimTime::completed(Way way) {
  const Call call(this);
  if (way == Way::Near) rejected_ = false;  // the transport now sends rejected buffers again
  Buffer* const buffer = cluster_.completed(way, core_, clock_ns());
  if (buffer == nullptr) return nullptr;
  --page_.in_transit;
  if (cluster_.options.faults) {
    GRAPPA_CHECK(std::exchange(sent_[buffer->index], 0) == contents(*buffer))
        << "buffer " << buffer->index << " was changed while it was in transit";
  }
  return buffer;
}

Buffer* SimTime::receive(Way way) {
  const Call call(this);
  poll();
  if (was_idle_) looked_[0] = looked_[1] = false;
  was_idle_ = false;
  looked_[static_cast<int>(way)] = true;
  if (!cluster_.arrived(way, core_, clock_ns())) return nullptr;
  received_ = true;
  SimEvent* const message = cluster_.receive(way, core_, clock_ns());
  Buffer* const buffer = message->buffer;
  const bool near = way == Way::Near;
  const SimNetwork& network = near ? cluster_.options.near : cluster_.options.far;
  work(network.receive_ps);
  if (near) {  // the receiver fetches the lines; between locales, the port was busy with them
    work(buffer->used_bytes * network.gap_per_byte_ps);
  } else {
    buffer->origin = BufferOrigin::Received;
  }
  note(Kind::Received, message->source, buffer->used_bytes, message->sequence);
  return buffer;
}

void SimTime::free(Buffer* buffer) {
  const Call call(this);
  cluster_.free(core_, clock_ns(), SimEvent::of(buffer));
}

void SimTime::end() {
  const Call call(this);
  slices_.flush();
  page_.state = SimState::Ended;
  page_.clock_ns = clock_ns();
}

SimWorld::SimWorld(Cluster* cluster, int core, SimTime* time)
    : ShmWorld(cluster->job, static_cast<Core>(core)), cluster_(*cluster), time_(*time) {
  the_sim_time = time;
  before_failure = [] {
    if (!the_sim_time->ended()) the_sim_time->give_up_turn(SimState::Failing, kNever);
  };
}

SimWorld::~SimWorld() { time_.end(); }

Topology SimWorld::discover_topology(int) {
  std::vector<Core> first_cores(static_cast<size_t>(cores()));
  const int size = cluster_.options.cores_per_locale;
  for (int k = 0; k < cores(); ++k) {
    first_cores[static_cast<size_t>(k)] = static_cast<Core>(k - k % size);
  }
  Topology topology = topology_from_first_cores(first_cores, core());
  topology.machine_cores = size;
  topology.machine_first = first_cores[static_cast<size_t>(core())];
  return topology;
}

World::Exploration SimWorld::exploration() const {
  const SimOptions& options = cluster_.options;
  if (!options.faults) return {};
  return {options.seed,
          {sim_fault_names, sim_fault_names + kSimFaults},
          options.named_faults,
          present_faults(options)};
}

std::string SimWorld::refusal(int cores_per_locale) const {
  if (cores_per_locale != 0) return "--cores_per_locale: a simulation has its own locales";
  const std::string function = called_mpi_function();
  return function.empty() ? ""
                          : "this program calls MPI (" + function + "): it cannot be simulated";
}

std::unique_ptr<LocaleLink> SimWorld::make_near_link(const LinkOptions& options) {
  time_.set_buffers(options.buffers);
  return std::unique_ptr<LocaleLink>(new SimLink(Way::Near, &time_, options));
}

std::unique_ptr<Link> SimWorld::make_far_link(const LinkOptions& options) {
  return std::unique_ptr<Link>(new SimLink(Way::Far, &time_, options));
}

void SimWorld::start_sum(uint64_t* values, size_t n, Sequence sequence) {
  const int k = static_cast<int>(sequence);
  values_[k] = values;
  n_[k] = n;
  time_.begin_sum(k, values, n);
}

bool SimWorld::sum_done(Sequence sequence) {
  const int k = static_cast<int>(sequence);
  return time_.sum_done(k, values_[k], n_[k]);
}

}  // namespace Grappa::detail
