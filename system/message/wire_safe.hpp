#pragma once

/// The compile-time check that a closure can be sent.

#include "system/base/traits.hpp"
#include "system/message/wire.hpp"

#include <cstring>
#include <type_traits>

namespace Grappa {
namespace detail {

/// The largest closure that can be sent as a message, in bytes.
constexpr size_t kMaxClosureBytes = 8192;

/// Stores a closure whose alignment is larger than that of messages. The call uses an aligned copy.
template <class F>
class Unaligned {
 public:
  explicit Unaligned(const F& closure) {
    std::memcpy(bytes_, static_cast<const void*>(&closure), sizeof(F));
  }

  void operator()() {
    alignas(F) unsigned char aligned[sizeof(F)];
    std::memcpy(aligned, bytes_, sizeof(F));
    (*reinterpret_cast<F*>(aligned))();
  }

 private:
  alignas(kRunAlignment) unsigned char bytes_[sizeof(F)];
};

/// The type stored in the buffer for a closure of type F.
template <class F>
struct WireForm : std::conditional<(alignof(F) > kRunAlignment), Unaligned<F>, F> {};

template <class F>
struct WireSafe {
  static_assert(travels<F>::value,
                "this closure is copied to another core bytewise, so all its captures must be "
                "trivially copyable: capture numbers, GlobalAddresses and plain structs by value");
  static_assert(!travels<F>::value || sizeof(F) <= kMaxClosureBytes,
                "this closure is too large for a message (kMaxClosureBytes): keep the data in "
                "global memory and capture its GlobalAddress");
  static constexpr bool value = true;
};

}  // namespace detail
}  // namespace Grappa
