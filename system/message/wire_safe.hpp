#pragma once

/// The compile-time check that a closure can be sent: one English sentence where it cannot.

#include "system/base/traits.hpp"
#include "system/message/options.hpp"
#include "system/message/wire.hpp"

namespace Grappa {

template <class F>
struct WireSafe {
  static_assert(travels<F>::value,
                "this closure is sent to another core as bytes, so what it captures must be "
                "trivially copyable: capture numbers, GlobalAddresses and plain structs by value");
  static_assert(!travels<F>::value || sizeof(F) <= kMaxClosureBytes,
                "this closure is too large for a message (kMaxClosureBytes): keep the data in "
                "global memory and capture its GlobalAddress");
  static_assert(alignof(F) <= kRunAlignment,
                "this closure is aligned to more than a message can be: capture a plain struct");
  static constexpr bool value = true;
};

}  // namespace Grappa
