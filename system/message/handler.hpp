#pragma once

/// The receiver's loop over one run, compiled with the closure inlined into it.

#include "system/base/type_name.hpp"
#include "system/message/wire.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstdint>
#include <cstring>

namespace Grappa {

/// Executes the run's closures, each from a copy: a closure that suspends outlives its buffer.
/// `next` is written before each one, since any may suspend and another worker then goes on from
/// there.
template <class F>
void execute_run(RunCursor* cursor) {
  scheduler().current()->runs = type_signature<F>();
  const F* payloads = reinterpret_cast<const F*>(cursor->payloads);
  while (cursor->next < cursor->count) {
    F closure(payloads[cursor->next++]);
    closure();
  }
}

namespace detail {
uint32_t new_closure_type();
}  // namespace detail

/// A small number for the closure type and the way it is acknowledged, which a run's header says
/// once for all; given out in the order of first use on this core, from 1.
template <class F, Acknowledged A>
uint32_t closure_type() {
  static uint32_t number = 0;
  if (number == 0) number = detail::new_closure_type();
  return number;
}

}  // namespace Grappa
