#pragma once

/// How the operations of a global structure synchronise.
///
/// Chosen for each structure when it is created; --combining is what programs get that do not say.
/// The results are the same, and linearizable, in all three: they are there to be compared, as in
/// the paper (B. Holt et al., "Flat Combining Synchronized Global Data Structures", PGAS 2013).

namespace Grappa {

enum class Combining {
  None,         // each operation synchronises by itself, where the structure has its state
  Centralized,  // each operation travels to the master, whose proxy combines those of all cores
  Distributed   // each core's proxy combines, and only what is left travels
};

namespace detail {

/// What --combining says. From: any.
Combining default_combining();

/// Its name, as --combining takes it.
const char* name_of(Combining mode);

}  // namespace detail

}  // namespace Grappa
