#include "tests/structures/suspension_delays.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"

namespace linearizability {
namespace {

Random random_here(0);
bool delaying = false;
int64_t delays = 0;

void keep_busy(int64_t ns) {
  const uint64_t until = Grappa::detail::steady_ns() + static_cast<uint64_t>(ns);
  while (Grappa::detail::steady_ns() < until) continue;
}

}  // namespace

// The option --wrap of the linker defines these names for the two functions.
void real_suspend(Grappa::detail::WaitReason reason) asm(
    "__real__ZN6Grappa6detail7suspendENS0_10WaitReasonE");
void delayed_suspend(Grappa::detail::WaitReason reason) asm(
    "__wrap__ZN6Grappa6detail7suspendENS0_10WaitReasonE");

void delayed_suspend(Grappa::detail::WaitReason reason) {
  real_suspend(reason);
  if (!delaying || random_here.below(3) != 0) return;
  ++delays;
  delay(&random_here);
}

void delay(Random* random) {
  const int64_t kind = random->below(8);
  if (kind == 0) return keep_busy(random->below(20000));
  for (int64_t times = random->below(kind < 4 ? 3 : 20); times > 0; --times) Grappa::yield();
}

void begin_delays(uint64_t seed) {
  random_here = Random(seed);
  delaying = true;
}

void end_delays() { delaying = false; }

int64_t delays_here() { return delays; }

}  // namespace linearizability
