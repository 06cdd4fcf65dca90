#pragma once

/// The time to move a cache line between two processors, measured by one process on each processor.
///
/// On shared machines this time changes between two regimes, so every result states its regime. The
/// partner process is forked once, before MPI starts and before large memory is mapped. It blocks
/// in the kernel between measurements, and ends when this process ends for any reason.

#include "system/base/mapping.hpp"

#include <sys/types.h>

namespace bench {

class PingPong {
 public:
  /// Starts the partner. From: main, before MPI starts.
  PingPong();
  ~PingPong();
  PingPong(const PingPong&) = delete;
  PingPong& operator=(const PingPong&) = delete;

  /// Returns half a round trip in nanoseconds: the median of several bursts between the caller's
  /// processor and another processor. Returns 0 if there is no other processor, or if a processor
  /// is too busy to complete a burst. Takes at most 40 ms.
  double half_round_trip_ns();

 private:
  struct Court;

  Grappa::detail::SharedMemory memory_;
  Court* court_;
  int partner_socket_;  // a byte starts a game; if the socket is closed, the partner ends
  pid_t partner_;
};

}  // namespace bench
