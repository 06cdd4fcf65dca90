#pragma once

/// The memory that the launcher of a job on one host shares with the cores of the job.
///
///     | JobMemory | CoreRecord of core 0 | CoreRecord of core 1 | ... | memory for exchanges |
///
/// The launcher creates an unnamed memory file of job_memory_bytes(cores) zero bytes, writes
/// `version` and `cores`, and starts each core with the descriptor open and kJobVariable in its
/// environment. Only the cores use the memory for exchanges. The kernel frees all when the last
/// process that maps it ends. The launcher includes no other header of the runtime.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

/// The environment variable of each core. The value is "DESCRIPTOR:CORE" in decimal numbers.
constexpr char kJobVariable[] = "GRAPPA_JOB";

/// The environment variable with the description of a simulated cluster (net/sim/options.hpp).
constexpr char kSimulationVariable[] = "GRAPPA_SIMULATE";

/// The version of the layout. A program rejects a launcher of another version with a message.
constexpr uint32_t kJobMemoryVersion = 1;

/// The state of a core. The launcher may read the state while the process runs.
enum class CoreState : uint32_t {
  Started,    // before Grappa::init has connected the cores
  Running,    // until the end of Grappa::finalize
  Finalized,  // the process may exit with any status
};

/// State of the failure report of the job. The core that changes None to Claimed writes the report.
enum class FailureState : uint32_t { None, Claimed, Reported };

struct alignas(64) CoreRecord {  // written only by the core
  std::atomic<uint32_t> state;   // a CoreState
};

struct alignas(64) JobMemory {
  uint32_t version;
  uint32_t cores;
  std::atomic<uint32_t> failure;  // a FailureState

  CoreRecord* records() { return reinterpret_cast<CoreRecord*>(this + 1); }
};

static_assert(ATOMIC_INT_LOCK_FREE == 2, "atomics shared by processes must be lock-free");

/// Memory for each core that the World uses for collective operations.
constexpr size_t kExchangeBytes = size_t{16} * 1024;

constexpr size_t job_memory_bytes(size_t cores) {
  return (sizeof(JobMemory) + cores * sizeof(CoreRecord) + 4095) / 4096 * 4096 +
         cores * kExchangeBytes;
}

}}  // namespace Grappa::detail
