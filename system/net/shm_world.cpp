#include "system/net/shm_world.hpp"

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace Grappa::detail {

/// The contribution of one core to a sum.
struct alignas(kCacheLineBytes) Summands {
  std::atomic<uint64_t> begun;  // number of the sum in its sequence, from 1
  uint64_t values[World::kMostSummands];
};

/// The shared values of one core. The barrier uses `arrived` and `passed` of core 0 only. Only the
/// owner writes the other members. The values of all cores are followed by two arrays with a piece
/// of each core, for gather().
struct Exchange {
  alignas(kCacheLineBytes) std::atomic<uint32_t> arrived;  // number of cores at the current barrier
  alignas(kCacheLineBytes) std::atomic<uint32_t> passed;   // number of completed barriers, a futex
  Summands summands[2][2];                                 // by sequence, alternating
};

constexpr size_t kPieceBytes =
    (kExchangeBytes - sizeof(Exchange)) / 2 / kCacheLineBytes * kCacheLineBytes;

namespace {

/// If each core has a processor, a waiting core reads a word this many times before it sleeps. The
/// reads take about 20 us. The constant was not measured.
constexpr int kSpins = 20000;

}  // namespace

std::string ShmWorld::called_mpi_function() {
  const auto search = [](dl_phdr_info* program, size_t, void* found) {
    std::string& result = *static_cast<std::string*>(found);
    std::map<ElfW(Sxword), ElfW(Addr)> entries;  // relocated by the dynamic linker
    for (int k = 0; k < program->dlpi_phnum; ++k) {
      const auto& part = program->dlpi_phdr[k];
      if (part.p_type != PT_DYNAMIC) continue;  // a static program has none
      const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(program->dlpi_addr + part.p_vaddr);
      for (; entry->d_tag != DT_NULL; ++entry) entries[entry->d_tag] = entry->d_un.d_ptr;
    }
    const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(entries[DT_SYMTAB]);
    const char* names = reinterpret_cast<const char*>(entries[DT_STRTAB]);
    const auto find = [&](ElfW(Addr) relocations, size_t bytes) {
      const auto* first = reinterpret_cast<const ElfW(Rela)*>(relocations);
      for (const auto* at = first; at != first + bytes / sizeof *first; ++at) {
        const size_t symbol = at->r_info >> (sizeof(void*) == 8 ? 32 : 8);
        const char* name = names + symbols[symbol].st_name;
        if (result.empty() && std::strncmp(name, "MPI_", 4) == 0) result = name;
      }
    };
    find(entries[DT_JMPREL], entries[DT_PLTRELSZ]);  // calls
    find(entries[DT_RELA], entries[DT_RELASZ]);      // addresses
    return 1;                                        // stop after the first file, the program
  };
  std::string found;
  ::dl_iterate_phdr(search, &found);
  return found;
}

ShmWorld::ShmWorld(JobMemory* memory, Core core)
    : memory_(memory),
      core_(core),
      crowded_(memory->cores > static_cast<uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN))) {
  set_state(CoreState::Running);
}

ShmWorld::~ShmWorld() { set_state(CoreState::Finalized); }

Topology ShmWorld::discover_topology(int) {
  return topology_from_first_cores(std::vector<Core>(memory_->cores, 0), core_);
}

std::string ShmWorld::refusal(int cores_per_locale) const {
  if (cores_per_locale != 0) {
    return "--cores_per_locale needs --world=mpi: the locales of one host reach each other "
           "through MPI, so give both flags";
  }
  const std::string function = called_mpi_function();
  if (function.empty()) return "";
  return "this program calls MPI (" + function + "): start it with --world=mpi";
}

void ShmWorld::barrier() {
  Exchange& shared = area(0);
  // relaxed: the value cannot change before this core has arrived.
  const uint32_t before = shared.passed.load(std::memory_order_relaxed);
  // acq_rel: the last core to arrive sees all writes of the other cores before their arrivals.
  if (shared.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == memory_->cores) {
    // relaxed: the release below makes this store visible to cores at the next barrier.
    shared.arrived.store(0, std::memory_order_relaxed);
    // release: pairs with the acquire in has_passed.
    shared.passed.store(before + 1, std::memory_order_release);
    ::syscall(SYS_futex, &shared.passed, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    return;
  }
  const auto has_passed = [&shared, before] {
    return shared.passed.load(std::memory_order_acquire) != before;  // pairs with the release
  };
  for (int spins = crowded_ ? kSpins : 0; spins < kSpins; ++spins) {
    if (has_passed()) return;
  }
  while (!has_passed()) {
    ::syscall(SYS_futex, &shared.passed, FUTEX_WAIT, before, nullptr, nullptr, 0);
  }
}

/// Pieces alternate between two arrays. One barrier per piece suffices: before a core overwrites
/// an array, all cores have reached the barrier of the other array, so they have read this array.
/// Pieces lie close together, because each page that a core reads takes a page fault.
std::vector<char> ShmWorld::gather(const void* mine, size_t bytes, bool on_all_cores) {
  const uint32_t sources = on_all_cores || core_ == 0 ? memory_->cores : 0;
  std::vector<char> all(sources * bytes);
  for (size_t at = 0; at < bytes; at += kPieceBytes) {
    const size_t piece = std::min(kPieceBytes, bytes - at);
    half_ = 1 - half_;
    char* const pieces = reinterpret_cast<char*>(&area(memory_->cores)) +
                         static_cast<size_t>(half_) * memory_->cores * kPieceBytes;
    const size_t stride = align_up(piece, kCacheLineBytes);
    std::memcpy(pieces + core_ * stride, static_cast<const char*>(mine) + at, piece);
    barrier();
    for (uint32_t core = 0; core < sources; ++core) {
      std::memcpy(&all[core * bytes + at], pieces + core * stride, piece);
    }
  }
  return all;
}

void ShmWorld::start_sum(uint64_t* values, size_t n, Sequence sequence) {
  OpenSum& sum = sums_[static_cast<int>(sequence)];
  sum = OpenSum{sum.number + 1, values, n, 0};
  Summands& mine = summands(static_cast<uint32_t>(core_), sequence);
  std::copy(values, values + n, mine.values);
  // release: pairs with the acquire in sum_done() of the other cores.
  mine.begun.store(sum.number, std::memory_order_release);
}

bool ShmWorld::sum_done(Sequence sequence) {
  OpenSum& sum = sums_[static_cast<int>(sequence)];
  for (; sum.added < memory_->cores; ++sum.added) {
    if (sum.added == static_cast<uint32_t>(core_)) continue;
    const Summands& its = summands(sum.added, sequence);
    // acquire: pairs with the release in start_sum() on that core.
    if (its.begun.load(std::memory_order_acquire) != sum.number) {
      ::sched_yield();  // the other core may need this processor
      return false;
    }
    for (size_t k = 0; k < sum.n; ++k) sum.values[k] += its.values[k];
  }
  return true;
}

/// Sums alternate between two slots. A core begins sum k after it has read all contributions to
/// sum k-1. Each core wrote its contribution to sum k-1 after reading all contributions to sum
/// k-2. So no core still reads the slot that sum k overwrites.
Summands& ShmWorld::summands(uint32_t core, Sequence sequence) {
  const int of_sequence = static_cast<int>(sequence);
  return area(core).summands[of_sequence][sums_[of_sequence].number % 2];
}

void ShmWorld::set_state(CoreState state) {
  memory_->records()[core_].state.store(static_cast<uint32_t>(state));
}

Exchange& ShmWorld::area(uint32_t core) {
  const size_t exchange_bytes = memory_->cores * kExchangeBytes;
  char* const first =
      reinterpret_cast<char*>(memory_) + job_memory_bytes(memory_->cores) - exchange_bytes;
  return reinterpret_cast<Exchange*>(first)[core];
}

namespace {

/// Reads a number below 10^9 and advances `*text` past it. Returns false if there is no number.
bool read_number(const char** text, uint32_t* number) {
  const auto [end, error] = std::from_chars(*text, *text + std::strlen(*text), *number);
  *text = end;
  return error == std::errc() && *number < 1000000000;
}

/// Fills in all fields of `job` except `error`. Returns the error, or an empty string.
std::string attach(const char* text, InheritedJob* job) {
  const char* at = text;
  uint32_t descriptor = 0, core = 0;
  if (!read_number(&at, &descriptor) || *at++ != ':' || !read_number(&at, &core) || *at != '\0') {
    return "expected DESCRIPTOR:CORE";
  }
  const std::string name = "descriptor " + std::to_string(descriptor);
  const int fd = static_cast<int>(descriptor);
  struct stat file = {};
  if (::fstat(fd, &file) != 0) return name + ": " + std::strerror(errno);
  // Only memory files (memfd_create) have seals.
  const size_t bytes = static_cast<size_t>(file.st_size);
  if (::fcntl(fd, F_GET_SEALS) < 0 || bytes < sizeof(JobMemory)) {
    return name + " is not the memory of a job";
  }
  JobMemory* const memory = static_cast<JobMemory*>(try_map_shared(fd, bytes));
  if (memory == nullptr) return "cannot map " + name + ": " + std::strerror(errno);
  std::string error;
  if (memory->version != kJobMemoryVersion) {
    error = "the launcher uses version " + std::to_string(memory->version) +
            " of the job memory and the program uses version " + std::to_string(kJobMemoryVersion) +
            ": use a launcher and a library of the same build";
  } else if (memory->cores < 1 || memory->cores >= kMaxCores ||
             bytes != job_memory_bytes(memory->cores)) {
    error = name + " is not the memory of a job";
  } else if (core >= memory->cores) {
    error = "the job has " + std::to_string(memory->cores) + " cores, numbered from 0 to " +
            std::to_string(memory->cores - 1);
  } else if (memory->records()[core].state.load() != static_cast<uint32_t>(CoreState::Started)) {
    error = "core " + std::to_string(core) +
            " has already run a program: a job runs one program on each core";
  }
  if (!error.empty()) {
    unmap(memory, bytes);
    return error;
  }
  ::close(fd);
  job->memory = memory;
  job->core = static_cast<Core>(core);
  job->identity = file.st_ino;
  return "";
}

InheritedJob read_environment() {
  InheritedJob job;
  const char* value = std::getenv(kJobVariable);
  if (value == nullptr) return job;
  const std::string error = attach(value, &job);
  if (!error.empty()) {
    job.error = std::string(kJobVariable) + "=\"" + value + "\": " + error +
                "; `grappa run` sets this variable for the cores that it starts";
  }
  ::unsetenv(kJobVariable);
  return job;
}

}  // namespace

const InheritedJob& inherited_job() {
  static const InheritedJob job = read_environment();
  return job;
}

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
