#pragma once
/// The number of repetitions of a test that takes long in a simulation. The flag --few_repetitions
/// selects the smaller number. The simulations of the default set have this flag, and those of the
/// stress set do not.

#include <cstdint>

#include <gflags/gflags_declare.h>

DECLARE_bool(few_repetitions);

namespace Grappa {

inline int64_t repetitions(int64_t all, int64_t few) { return FLAGS_few_repetitions ? few : all; }

}  // namespace Grappa
