#pragma once

/// The limit of switching among many stacks: contexts of Boost.Context in a ring, in random order,
/// that only jump to the next one. Stacks are placed and prefetched like those of workers. There is
/// no scheduler and no queue, and only jumps are counted.

#include "bench/harness/pairs.hpp"
#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/stack.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bench {

class RawRing {
 public:
  RawRing(size_t contexts, size_t stack_bytes, size_t prefetch_distance)
      : area_(stack_bytes, Grappa::detail::StackPlacement::Packed, contexts),
        distance_(prefetch_distance) {
    using boost::context::detail::make_fcontext;
    for (size_t k = 0; k < contexts; ++k) {
      const Grappa::detail::Stack stack = area_.take();
      saved_.push_back(make_fcontext(stack.top(), stack.bytes, go_round));
    }
    std::shuffle(saved_.begin(), saved_.end(), std::mt19937_64(1));
  }

  /// Returns the nanoseconds of a jump, measured over `rounds` rounds. Two rounds are run before.
  Measurement run(int64_t rounds) {
    const int64_t jumps = rounds * static_cast<int64_t>(saved_.size());
    enter(2 * static_cast<int64_t>(saved_.size()));
    const uint64_t start = Grappa::detail::steady_ns();
    enter(jumps);
    const double ns = static_cast<double>(Grappa::detail::steady_ns() - start);
    return {ns / static_cast<double>(jumps), left_ == 0 && place_ == saved_.size() - 1};
  }

 private:
  typedef boost::context::detail::transfer_t Transfer;

  void enter(int64_t jumps) {
    left_ = jumps;
    place_ = saved_.size() - 1;
    save_ = &root_;
    const Transfer back = boost::context::detail::jump_fcontext(step(), this);
    saved_[place_] = back.fctx;
  }

  // Returns the context after the running one.
  void* step() {
    place_ = place_ + 1 == saved_.size() ? 0 : place_ + 1;
    if (distance_ != 0) {
      size_t ahead = place_ + distance_;
      while (ahead >= saved_.size()) ahead -= saved_.size();
      char* stack = static_cast<char*>(saved_[ahead]);
      GRAPPA_PREFETCH(stack);
      GRAPPA_PREFETCH(stack + Grappa::detail::kCacheLineBytes);
    }
    return saved_[place_];
  }

  static void go_round(Transfer here) {
    RawRing* ring = static_cast<RawRing*>(here.data);
    for (;;) {
      *ring->save_ = here.fctx;
      ring->save_ = &ring->saved_[ring->place_];
      void* next = --ring->left_ == 0 ? ring->root_ : ring->step();
      here = boost::context::detail::jump_fcontext(next, ring);
    }
  }

  Grappa::detail::StackArea area_;
  const size_t distance_;
  std::vector<void*> saved_;  // contexts in the order of their turns
  size_t place_ = 0;          // index of the running context
  int64_t left_ = 0;
  void* root_ = nullptr;
  void** save_ = nullptr;  // where the previous context is saved
};

}  // namespace bench
