#pragma once

/// Helpers of tests that use objects of one core from all cores.

#include <Grappa.hpp>

namespace Grappa {

inline Core last() { return static_cast<Core>(cores() - 1); }

/// Runs `body(core)` with the owner of the shared objects: first core 0, then the last core if the
/// job has several cores.
template <class F>
void for_each_home(F body) {
  body(Core{0});
  if (last() != 0) body(last());
}

/// Starts `n` tasks on each core, which run body(k, core), and waits for all tasks.
template <class F>
void on_each_core(int64_t n, F body) {
  on_all_cores([=] {
    for (int64_t k = 0; k < n; ++k) spawn([=] { body(k, mycore()); });
  });
}

}  // namespace Grappa
