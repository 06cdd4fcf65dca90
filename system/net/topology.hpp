#pragma once

/// Who is in the job, and who shares memory with whom. Fixed from init to finalize.

#include "system/base/ids.hpp"

#include <cstddef>
#include <vector>

namespace Grappa {

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

/// Finds out. Called by all cores together.
Topology discover_topology(int cores_per_locale);

namespace detail {
extern Topology the_topology;
}  // namespace detail

inline const Topology& topology() { return detail::the_topology; }

/// Number of cores in the job.
inline Core cores() { return topology().cores; }
/// This core's number, from 0.
inline Core mycore() { return topology().mycore; }
/// Number of locales in the job.
inline Locale locales() { return topology().locales; }
/// This core's locale.
inline Locale mylocale() { return topology().mylocale; }
/// Number of cores in this core's locale.
inline Core locale_cores() { return topology().locale_cores; }
/// This core's number within its locale, from 0.
inline Core locale_mycore() { return topology().locale_mycore; }
/// The locale that a core belongs to.
inline Locale locale_of(Core core) { return topology().locale_of[static_cast<size_t>(core)]; }

}  // namespace Grappa
