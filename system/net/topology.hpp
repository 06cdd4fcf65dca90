#pragma once

/// Who is in the job, and who shares memory with whom. Fixed from init to finalize.

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
  Core locale_cores = 1;   // cores of this locale
  Core locale_mycore = 0;  // this core's place among them
  int machine_cores = 1;   // cores of the job on this machine, whatever locales are pretended
  Core machine_first = 0;  // the first of them
  std::vector<Locale> locale_of;     // by core
  std::vector<Core> locale_members;  // cores of this locale, ascending
};

/// Set by init from World::discover_topology().
extern Topology the_topology;

/// The same for programs: absent before init, so that their questions fault there and are reported.
extern const Topology* the_known_topology;

/// The number of this core in its own thread inside of run; elsewhere a number of no core. What the
/// caller's own core does at once without a message compares with it, so that outside of run it
/// takes the way of other cores, which is checked.
extern GRAPPA_CORE_LOCAL(int64_t) the_running_core;
constexpr int64_t kNotRunning = INT64_MIN;

/// The same for bodies of delegates; in checked mode a number of no core, so that each body takes
/// the way on which it is searched for addresses (message/closure_check.hpp).
extern GRAPPA_CORE_LOCAL(int64_t) the_direct_core;

/// Aborts the job: `core` is not the number of a core of the job.
[[noreturn]] void refuse_core(int64_t core);

inline const Topology& topology() { return the_topology; }

/// A number that a program gives for a core. Public functions take it with 64 bits, so that a
/// number which is too large for a Core is reported, and not cut to another core's.
inline Core checked_core(int64_t core) {
  if (GRAPPA_UNLIKELY(static_cast<uint64_t>(core) >= static_cast<uint64_t>(topology().cores))) {
    refuse_core(core);
  }
  return static_cast<Core>(core);
}

}  // namespace detail

/// Number of cores in the job.
inline Core cores() { return detail::the_known_topology->cores; }
/// This core's number, from 0.
inline Core mycore() { return detail::the_known_topology->mycore; }
/// Number of locales in the job.
inline Locale locales() { return detail::the_known_topology->locales; }
/// This core's locale.
inline Locale mylocale() { return detail::the_known_topology->mylocale; }
/// Number of cores in this core's locale.
inline Core locale_cores() { return detail::the_known_topology->locale_cores; }
/// This core's number within its locale, from 0.
inline Core locale_mycore() { return detail::the_known_topology->locale_mycore; }
/// The locale that a core belongs to.
inline Locale locale_of(int64_t core) {
  return detail::the_known_topology->locale_of[static_cast<size_t>(detail::checked_core(core))];
}

}  // namespace Grappa
