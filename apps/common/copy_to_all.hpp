#pragma once

/// Copies of the same words on all cores, such as bitmaps over all vertices.

#include <Grappa.hpp>

#include <cstdint>

namespace apps {

/// Copies `n` words of this core to the same address on each other core; the memory must be
/// symmetric. From: task. Suspends until the copies have arrived. Messages: one copy to each other
/// core.
inline void copy_to_all_cores(uint64_t* words, int64_t n) {
  Grappa::finish([words, n] {
    for (Grappa::Core step = 1; step < Grappa::cores(); ++step) {
      const auto there = static_cast<Grappa::Core>((Grappa::mycore() + step) % Grappa::cores());
      Grappa::memcpy_async(Grappa::make_global(words, there), words, n);
    }
  });
}

}  // namespace apps
