#pragma once

/// Helpers for tests in which all cores use the objects of one core.

#include <Grappa.hpp>

namespace Grappa {

inline Core last() { return static_cast<Core>(cores() - 1); }

/// Runs `body(core)`, where `core` is the owner of the shared objects. `body` runs with core 0, and
/// then with the last core if the job has several cores.
template <class F>
void for_each_home(F body) {
  body(Core{0});
  if (last() != 0) body(last());
}

/// Starts `n` tasks on each core, and waits for all tasks. Each task runs body(k, core).
template <class F>
void on_each_core(int64_t n, F body) {
  on_all_cores([=] {
    for (int64_t k = 0; k < n; ++k) spawn([=] { body(k, mycore()); });
  });
}

}  // namespace Grappa
