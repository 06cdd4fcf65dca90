#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/net/job_memory.hpp"
#include "system/net/world.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

#include <link.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

/// The contribution of one core to a sum.
struct alignas(kCacheLineBytes) Summands {
  std::atomic<uint64_t> begun;  // number of the sum in its sequence, from 1
  uint64_t values[World::kMostSummands];
};

constexpr size_t kSharedBytes = 2 * kCacheLineBytes + 4 * sizeof(Summands);
constexpr size_t kPieceBytes = (kExchangeBytes - kSharedBytes) / 2;

/// The exchange area of a core. Only the area of core 0 uses the barrier members. All other members
/// are written only by the core that owns the area.
struct Exchange {
  alignas(kCacheLineBytes) std::atomic<uint32_t> arrived;  // number of cores at the current barrier
  alignas(kCacheLineBytes) std::atomic<uint32_t> passed;   // number of completed barriers; futex
  Summands summands[2][2];                                 // by sequence, alternating
  char pieces[2][kPieceBytes];                             // alternating
};

static_assert(sizeof(Exchange) == kExchangeBytes, "Exchange must fill the whole area");

/// Reads of a word before a core sleeps, if each core has a processor: about 20 us, not measured.
constexpr int kSpins = 20000;

void sleep_while(const std::atomic<uint32_t>& word, uint32_t value) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, nullptr, nullptr, 0);
}

void wake_all(const std::atomic<uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

struct Search {
  const char* prefix;
  std::string found;
};

/// Searches the relocations of the first file, which is the program, and then ends the iteration.
int search_program(dl_phdr_info* program, size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const ElfW(Dyn)* entry = nullptr;
  for (int k = 0; k < program->dlpi_phnum; ++k) {
    const auto& part = program->dlpi_phdr[k];
    if (part.p_type != PT_DYNAMIC) continue;
    entry = reinterpret_cast<const ElfW(Dyn)*>(program->dlpi_addr + part.p_vaddr);
  }
  if (entry == nullptr) return 1;  // a static program
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  struct {
    const ElfW(Rela) * first = nullptr;
    size_t bytes = 0;
  } tables[2];  // calls; addresses
  for (; entry->d_tag != DT_NULL; ++entry) {
    const auto address = entry->d_un.d_ptr;  // relocated by the dynamic linker
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: names = reinterpret_cast<const char*>(address); break;
      case DT_JMPREL: tables[0].first = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_PLTRELSZ: tables[0].bytes = entry->d_un.d_val; break;
      case DT_RELA: tables[1].first = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_RELASZ: tables[1].bytes = entry->d_un.d_val; break;
    }
  }
  for (const auto& table : tables) {
    for (size_t k = 0; k < table.bytes / sizeof(ElfW(Rela)); ++k) {
      const size_t symbol = table.first[k].r_info >> (sizeof(void*) == 8 ? 32 : 8);
      const char* name = names + symbols[symbol].st_name;
      if (std::strncmp(name, search.prefix, std::strlen(search.prefix)) != 0) continue;
      search.found = name;
      return 1;
    }
  }
  return 1;
}

/// Returns the name of a function, beginning with `prefix`, that the executable imports; empty if
/// it imports no such function. Imports of its shared libraries do not count.
std::string imported_function(const char* prefix) {
  Search search = {prefix, ""};
  ::dl_iterate_phdr(search_program, &search);
  return search.found;
}

class ShmWorld : public World {
 public:
  ShmWorld(JobMemory* memory, Core core)
      : memory_(memory),
        core_(core),
        crowded_(memory->cores > static_cast<uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN))) {
    set_state(CoreState::Running);
  }

  ~ShmWorld() override { set_state(CoreState::Finalized); }

  Topology discover_topology(int) override {
    Topology topology;
    topology.cores = topology.locale_cores = static_cast<Core>(memory_->cores);
    topology.mycore = topology.locale_mycore = core_;
    topology.machine_cores = topology.cores;
    topology.locale_of.assign(memory_->cores, 0);
    for (Core core = 0; core < topology.cores; ++core) topology.locale_members.push_back(core);
    return topology;
  }

  std::string refusal(int cores_per_locale) const override {
    if (cores_per_locale != 0) {
      return "--cores_per_locale needs --world=mpi: the locales of one host reach each other "
             "through MPI, so give both flags";
    }
    const std::string function = imported_function("MPI_");
    if (function.empty()) return "";
    return "this program calls MPI (" + function + "): start it with --world=mpi";
  }

  void barrier() override {
    Exchange& shared = area(0);
    // relaxed: the value cannot change before this core has arrived.
    const uint32_t before = shared.passed.load(std::memory_order_relaxed);
    // acq_rel: the last core to arrive sees all writes of the other cores before their arrival.
    if (shared.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == memory_->cores) {
      // relaxed: the release below makes this store visible to cores at the next barrier.
      shared.arrived.store(0, std::memory_order_relaxed);
      // release: pairs with the acquire in has_passed.
      shared.passed.store(before + 1, std::memory_order_release);
      wake_all(shared.passed);
      return;
    }
    const auto has_passed = [&shared, before] {
      // acquire: pairs with the release of the last core to arrive.
      return shared.passed.load(std::memory_order_acquire) != before;
    };
    for (int spins = crowded_ ? kSpins : 0; spins < kSpins; ++spins) {
      if (has_passed()) return;
    }
    while (!has_passed()) sleep_while(shared.passed, before);
  }

  std::vector<char> all_gather(const void* mine, size_t bytes) override {
    std::vector<char> all(memory_->cores * bytes);
    for (size_t at = 0; at < bytes; at += kPieceBytes) {
      const size_t piece = std::min(kPieceBytes, bytes - at);
      publish(static_cast<const char*>(mine) + at, piece);
      for (uint32_t core = 0; core < memory_->cores; ++core) {
        std::memcpy(&all[core * bytes + at], published(core), piece);
      }
    }
    return all;
  }

  std::vector<std::string> gather_texts(const std::string& mine) override {
    const uint64_t length = mine.size();
    const std::vector<uint64_t> lengths = World::all_gather(length);
    std::vector<std::string> texts(core_ == 0 ? memory_->cores : 0);
    const uint64_t longest = *std::max_element(lengths.begin(), lengths.end());
    for (uint64_t at = 0; at < longest; at += kPieceBytes) {
      const auto piece_of = [at](uint64_t all) {
        return all <= at ? 0 : std::min<size_t>(kPieceBytes, all - at);
      };
      publish(mine.data() + std::min(at, length), piece_of(length));
      for (uint32_t core = 0; core < texts.size(); ++core) {
        texts[core].append(published(core), piece_of(lengths[core]));
      }
    }
    return texts;
  }

  std::unique_ptr<Sum> begin_sum(uint64_t* values, size_t n, Sequence sequence) override;

  std::atomic<uint32_t>* failure_word() override { return &memory_->failure; }

 private:
  class ShmSum;

  void set_state(CoreState state) {
    memory_->records()[core_].state.store(static_cast<uint32_t>(state));
  }

  Exchange& area(uint32_t core) {
    const size_t exchange_bytes = memory_->cores * kExchangeBytes;
    char* const first =
        reinterpret_cast<char*>(memory_) + job_memory_bytes(memory_->cores) - exchange_bytes;
    return reinterpret_cast<Exchange*>(first)[core];
  }

  /// Publishes a piece to all cores. Pieces alternate between the two halves of an area, so one
  /// barrier per piece suffices. Before a core overwrites a half, all cores have reached the
  /// barrier of the other half and so have read this half.
  void publish(const char* piece, size_t bytes) {
    half_ = 1 - half_;
    std::memcpy(area(static_cast<uint32_t>(core_)).pieces[half_], piece, bytes);
    barrier();
  }
  const char* published(uint32_t core) { return area(core).pieces[half_]; }

  JobMemory* const memory_;
  const Core core_;
  const bool crowded_;  // more cores than processors: waiting cores must not spin
  int half_ = 0;
  uint64_t sums_begun_[2] = {};  // by sequence
  bool summing_[2] = {};
};

/// Sums of a sequence alternate between two slots of each area. A core begins sum k after it has
/// read all contributions to sum k-1. Each core wrote its contribution to sum k-1 after reading all
/// contributions to sum k-2. So no core still reads the slot that sum k overwrites.
class ShmWorld::ShmSum : public World::Sum {
 public:
  ShmSum(ShmWorld* world, uint64_t* values, size_t n, Sequence sequence)
      : world_(world), sequence_(static_cast<int>(sequence)), values_(values), n_(n) {
    GRAPPA_CHECK(n <= kMostSummands && !world->summing_[sequence_]);
    world->summing_[sequence_] = true;
    number_ = ++world->sums_begun_[sequence_];
    Summands& mine = summands(static_cast<uint32_t>(world->core_));
    std::copy(values, values + n, mine.values);
    // release: pairs with the acquire in done() of the other cores.
    mine.begun.store(number_, std::memory_order_release);
  }

  ~ShmSum() override {
    while (!done()) {}
    world_->summing_[sequence_] = false;
  }

  bool done() override {
    for (; added_ < world_->memory_->cores; ++added_) {
      if (added_ == static_cast<uint32_t>(world_->core_)) continue;
      const Summands& its = summands(added_);
      // acquire: pairs with the release in the constructor on that core.
      if (its.begun.load(std::memory_order_acquire) != number_) {
        ::sched_yield();  // the other core may need this processor
        return false;
      }
      for (size_t k = 0; k < n_; ++k) values_[k] += its.values[k];
    }
    return true;
  }

 private:
  Summands& summands(uint32_t core) { return world_->area(core).summands[sequence_][number_ % 2]; }

  ShmWorld* const world_;
  const int sequence_;
  uint64_t* const values_;
  const size_t n_;
  uint64_t number_ = 0;
  uint32_t added_ = 0;  // the sum includes the cores below this number
};

std::unique_ptr<World::Sum> ShmWorld::begin_sum(uint64_t* values, size_t n, Sequence sequence) {
  return std::unique_ptr<Sum>(new ShmSum(this, values, n, sequence));
}

}  // namespace

std::unique_ptr<World> make_shm_world(JobMemory* memory, Core core) {
  return std::unique_ptr<World>(new ShmWorld(memory, core));
}

/// The memory is never unmapped, because the failure report may still read the failure word.
std::unique_ptr<World> make_shm_world() {
  JobMemory* const memory = static_cast<JobMemory*>(map_private(job_memory_bytes(1)));
  memory->version = kJobMemoryVersion;
  memory->cores = 1;
  return make_shm_world(memory, 0);
}

}  // namespace Grappa::detail
