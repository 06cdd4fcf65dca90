#pragma once

/// Hand-written code in the processes of a benchmark's job. The code runs in a task of each core
/// while the runtime is quiescent. The code spins, so each core needs its own processor.

#include <Grappa.hpp>

#include "bench/raw_exchange.hpp"
#include "bench/raw_ping_pong.hpp"

#include <cstdint>

namespace bench {

/// Creates the shared memory of the functions below. Must be called once. All cores must be
/// processes of one machine and one user. From: the main task.
void prepare_raw_side();

/// Returns the exchange of this core.
raw::Exchange& raw_exchange();
raw::PingPong& raw_ping_pong();

/// Returns half the round trip of a cache line between cores 0 and 1, for PairOptions::ping_pong.
/// Returns 0 in a job of one core. From: the main task.
double raw_half_round_trip_ns();

namespace detail {
extern double raw_ns;
}

/// Runs `body()` on all cores, starting at the same time. Returns the nanoseconds until `body()`
/// has ended on all cores. From: the main task.
template <class F>
double raw_time_ns(F body) {
  Grappa::on_all_cores([body] {
    F mine(body);
    const uint64_t ticket = raw_exchange().arrive();
    while (!raw_exchange().all_are_at(ticket)) Grappa::yield();  // lets other cores start
    raw_exchange().barrier();
    const uint64_t start = Grappa::detail::steady_ns();
    mine();
    raw_exchange().barrier();
    detail::raw_ns = double(Grappa::detail::steady_ns() - start);
  });
  return detail::raw_ns;
}

}  // namespace bench
