#pragma once

/// The baseline of all context switches: two contexts of Boost.Context that only jump to each other
/// with jump_fcontext. There is no scheduler and no queue; only registers are saved.

#include "bench/harness/pairs.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <cstdint>
#include <vector>

namespace bench {

namespace detail {

// Jumps back after every jump. The argument is the number of jumps so far.
inline void jump_back(boost::context::detail::transfer_t here) {
  for (;;) {
    here = boost::context::detail::jump_fcontext(here.fctx, static_cast<char*>(here.data) + 1);
  }
}

}  // namespace detail

/// Returns the nanoseconds of one jump, measured over `jumps` jumps. `jumps` must be even.
inline Measurement measure_raw_jumps(int64_t jumps) {
  using namespace boost::context::detail;
  std::vector<char> stack(64 * Grappa::detail::KiB);
  transfer_t other = {make_fcontext(stack.data() + stack.size(), stack.size(), detail::jump_back),
                      nullptr};
  const uint64_t start = Grappa::detail::steady_ns();
  for (int64_t k = 0; k < jumps / 2; ++k) {
    other = jump_fcontext(other.fctx, static_cast<char*>(other.data) + 1);
  }
  const double ns = static_cast<double>(Grappa::detail::steady_ns() - start);
  return {ns / static_cast<double>(jumps), reinterpret_cast<intptr_t>(other.data) == jumps};
}

}  // namespace bench
