#pragma once

/// When an open buffer is sent: as soon as the next message does not fit, as soon as the core has
/// nothing else to do or somebody waits for it, and at the latest when it is old enough. The last is
/// a pure function of numbers.

#include <cstdint>

namespace Grappa {

enum class FlushCause {
  Full,  // the next message does not fit
  Aged,  // open for as long as flush_age_us
  Idle,  // no worker of this core is ready
  Asked  // the sender knows that the receiver waits
};

/// True if a buffer that got its first message at `opened` has reached the age limit at `now`. A
/// clock that went back (a process moved to another processor) makes the age huge: then it is sent.
inline bool is_aged(uint64_t opened_ticks, uint64_t now_ticks, uint64_t age_limit_ticks) {
  return now_ticks - opened_ticks >= age_limit_ticks;
}

}  // namespace Grappa
