#include "bench/message_reads.hpp"

#include <Grappa.hpp>

namespace bench {
namespace {

constexpr Grappa::Core kOwner = 1;
constexpr int kReadsPerClock = 10;
constexpr uint64_t kLongEnoughNs = 50000000;

// A word on each core.
int64_t word = 0;
bool stop;
int64_t yields;

void start_yielding(Grappa::Core core) {
  Grappa::delegate::call(core, [] {
    stop = false;
    yields = 0;
    Grappa::spawn([] {
      for (; !stop; ++yields) Grappa::yield();
    });
  });
}

// Returns the number of yields of the task on `core`.
int64_t stop_yielding(Grappa::Core core) {
  return Grappa::delegate::call(core, [] {
    stop = true;
    return yields;
  });
}

}  // namespace

Measurement read_ns(int64_t most, Beside beside) {
  const Grappa::Core yielder = beside == Beside::OwnerYields ? kOwner : Grappa::mycore();
  const Grappa::GlobalAddress<int64_t> address = Grappa::make_global(&word, kOwner);
  Grappa::delegate::write(address, 1);
  if (beside != Beside::Nothing) start_yielding(yielder);
  int64_t reads = 0, sum = 0;
  uint64_t ns = 0;
  const uint64_t start = Grappa::detail::steady_ns();
  while (reads < most && ns < kLongEnoughNs) {
    for (int k = 0; k < kReadsPerClock; ++k) sum += Grappa::delegate::read(address);
    reads += kReadsPerClock;
    ns = Grappa::detail::steady_ns() - start;
  }
  const bool yielded = beside == Beside::Nothing || stop_yielding(yielder) > 0;
  return {double(ns) / double(reads), sum == reads && yielded};
}

}  // namespace bench
