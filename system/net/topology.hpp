#pragma once

/// The cores and locales of the job. The topology is constant from init to finalize.

#include "system/base/compiler.hpp"
#include "system/base/core_local.hpp"
#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

struct Topology {
  Core cores = 1;
  Core mycore = 0;
  Locale locales = 1;
  Locale mylocale = 0;
  Core locale_cores = 1;             // cores of this locale
  Core locale_mycore = 0;            // index of this core in its locale
  int machine_cores = 1;             // cores on this machine, regardless of simulated locales
  Core machine_first = 0;            // the first core on this machine
  std::vector<Locale> locale_of;     // by core
  std::vector<Core> locale_members;  // cores of this locale, ascending
};

extern Topology the_topology;  // set by init from World::discover_topology()

/// The topology for programs. Invalid before init, so an early access faults and is reported.
extern const Topology* the_known_topology;

/// The number of this core in its own thread inside `run`, and kNotRunning elsewhere. Functions
/// with a fast path for the caller's own core compare the core with this value. Outside `run`,
/// these functions therefore take the path for remote cores, which checks the call.
extern GRAPPA_CORE_LOCAL(int64_t) the_running_core;
constexpr int64_t kNotRunning = INT64_MIN;

/// Like the_running_core, but for the bodies of delegates. In checked mode, the value is never a
/// core number, so each body is searched for addresses (message/closure_check.hpp).
extern GRAPPA_CORE_LOCAL(int64_t) the_direct_core;

/// Aborts the job, because `core` is not the number of a core of the job.
[[noreturn]] void refuse_core(int64_t core);

inline const Topology& topology() { return the_topology; }

/// Validates a core number of the program. The parameter has 64 bits to avoid a truncation.
inline Core checked_core(int64_t core) {
  if (GRAPPA_UNLIKELY(static_cast<uint64_t>(core) >= static_cast<uint64_t>(topology().cores))) {
    refuse_core(core);
  }
  return static_cast<Core>(core);
}

}  // namespace detail

/// cores() and locales() count the cores and locales of the job. mycore() and mylocale() are the
/// numbers of this core and of its locale, from 0.
inline Core cores() { return detail::the_known_topology->cores; }
inline Core mycore() { return detail::the_known_topology->mycore; }
inline Locale locales() { return detail::the_known_topology->locales; }
inline Locale mylocale() { return detail::the_known_topology->mylocale; }
/// The count of cores in this core's locale, and the number of this core in the locale, from 0.
inline Core locale_cores() { return detail::the_known_topology->locale_cores; }
inline Core locale_mycore() { return detail::the_known_topology->locale_mycore; }
/// The locale of `core`.
inline Locale locale_of(int64_t core) {
  return detail::the_known_topology->locale_of[static_cast<size_t>(detail::checked_core(core))];
}

}  // namespace Grappa
