#pragma once

/// What it costs to move a cache line between two processors, from a process of our own on each.
///
/// On shared machines this cost jumps between two regimes, so every result says in which it was
/// measured. The partner is forked once, before MPI and before anything large is mapped, and waits
/// in the kernel between measurements; it ends when this process does, however that ends.

#include "system/base/mapping.hpp"

#include <sys/types.h>

namespace bench {

class PingPong {
 public:
  /// Starts the partner. From: main, before MPI has started.
  PingPong();
  ~PingPong();
  PingPong(const PingPong&) = delete;
  PingPong& operator=(const PingPong&) = delete;

  /// Half a round trip in nanoseconds: the median of several bursts between the processor that the
  /// caller runs on and another one. 0 if there is no other, or if a processor was too busy to end
  /// a burst: a measurement takes no longer than 40 ms.
  double half_round_trip_ns();

 private:
  struct Court;

  Grappa::detail::SharedMemory memory_;
  Court* court_;
  int partner_socket_;  // a byte to it starts a game, its end ends the partner
  pid_t partner_;
};

}  // namespace bench
