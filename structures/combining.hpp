#pragma once

/// How the operations of a global structure synchronise.
///
/// The mode is set for each structure when it is created; the default is --combining. All three
/// modes give the same results: they exist for comparison, as in the paper (B. Holt et al., "Flat
/// Combining Synchronized Global Data Structures", PGAS 2013). The results are linearizable: there
/// is one order of all operations, in which each operation takes effect between its call and its
/// return, or, for an async operation, before the end of its scope.

namespace Grappa {

enum class Combining {
  None,         // each operation synchronises separately, at the core with the state
  Centralized,  // each operation is sent to the master, whose proxy combines those of all cores
  Distributed   // the proxy of each core combines, and only the combined operations are sent
};

namespace detail {

/// The mode of --combining. From: any thread.
Combining default_combining();

/// The name of the mode, as --combining takes it.
const char* name_of(Combining mode);

}  // namespace detail

}  // namespace Grappa
