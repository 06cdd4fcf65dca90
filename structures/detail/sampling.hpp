#pragma once

/// Decides whether operations should take a path that pays only for some of them.

#include <cstdint>

namespace Grappa { namespace detail {

/// If fewer than `kGains` in `kUses` uses of the path gain, only a sample of the operations takes
/// it: 4,096 consecutive operations of every 65,536. These numbers were not compared with others.
template <uint32_t kGains, uint32_t kUses>
class Sampling {
 public:
  /// Returns true if the next operation should take the path.
  bool takes() {
    if (left_out_ == 0) return true;
    --left_out_;
    return false;
  }

  /// Counts a use of the path.
  void count(bool gained) {
    if (gained) ++gains_;
    if (++uses_ != kSample) return;
    if (gains_ < kSample * kGains / kUses) left_out_ = 15 * kSample;
    uses_ = gains_ = 0;
  }

  /// True if the operations do not take the path at present.
  bool pauses() const { return left_out_ != 0; }

 private:
  enum : uint32_t { kSample = 4096 };

  uint32_t uses_ = 0;  // in the current sample
  uint32_t gains_ = 0;
  uint32_t left_out_ = 0;  // operations until the next sample
};

}}  // namespace Grappa::detail
