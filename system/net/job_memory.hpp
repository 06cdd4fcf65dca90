#pragma once

/// The memory that the launcher of a job on one host shares with the cores of the job.
///
///     | JobMemory | CoreRecord of core 0 | CoreRecord of core 1 | ... | exchange areas |
///
/// The launcher creates an unnamed memory file of job_memory_bytes(cores) zero bytes, writes
/// `version` and `cores`, and starts each core with the descriptor open and
/// kJobVariable=DESCRIPTOR:CORE in its environment. Everything after the records belongs to the
/// cores. The memory ends with the last process that maps it. The launcher includes this header and
/// nothing else of the runtime.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Environment variable of each core: "DESCRIPTOR:CORE", both decimal.
constexpr char kJobVariable[] = "GRAPPA_JOB";

/// Changes with every change of the layout, so that a launcher and a program of different versions
/// refuse each other with a sentence.
constexpr uint32_t kJobMemoryVersion = 1;

/// The progress of a core. The launcher reads it, also while the process runs.
enum class CoreState : uint32_t {
  Started,    // before Grappa::init has connected the cores
  Running,    // from there to the end of Grappa::finalize
  Finalized,  // may end with any status
};

/// Who reports the failure of the job. A core that changes None to Claimed does.
enum class FailureState : uint32_t { None, Claimed, Reported };

/// What a core publishes. One cache line, written by that core only.
struct alignas(64) CoreRecord {
  std::atomic<uint32_t> state;  // a CoreState
};

struct alignas(64) JobMemory {
  uint32_t version;
  uint32_t cores;
  std::atomic<uint32_t> failure;  // a FailureState

  CoreRecord* records() { return reinterpret_cast<CoreRecord*>(this + 1); }
};

static_assert(ATOMIC_INT_LOCK_FREE == 2, "a word must be valid across processes");

/// Bytes after the records for each core, for the collective operations of the World.
constexpr size_t kExchangeBytes = size_t{16} * 1024;

constexpr size_t job_memory_bytes(size_t cores) {
  return (sizeof(JobMemory) + cores * sizeof(CoreRecord) + 4095) / 4096 * 4096 +
         cores * kExchangeBytes;
}

}  // namespace detail
}  // namespace Grappa
