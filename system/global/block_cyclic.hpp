#pragma once

/// The arithmetic of the global heap: linear byte offsets dealt to cores in blocks.
///
/// Block b of the heap lies on core b % cores, as that core's block b / cores. Where the number of
/// cores is a power of two this is a mask and a shift; elsewhere division is by a precomputed
/// multiplication (libdivide). Offsets are below 2^62.

#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"

#include <cstdint>

#include <libdivide.h>

namespace Grappa {

/// Bytes of consecutive heap addresses that lie on one core.
constexpr int64_t block_size = 64;

/// Behind the definition of a struct: pads it to whole blocks, so that no two share one.
#define GRAPPA_BLOCK_ALIGNED __attribute__((aligned(64)))

namespace detail {

class BlockCyclic {
 public:
  BlockCyclic() = default;
  explicit BlockCyclic(Core cores);

  Core cores() const { return static_cast<Core>(cores_); }

  /// The core that owns the byte at `offset`.
  Core core(uint64_t offset) const {
    const uint64_t block = offset / block_size;
    if (power_of_two()) return static_cast<Core>(block & (cores_ - 1));
    return static_cast<Core>(block - rows(block) * cores_);
  }

  /// Where that byte lies in the owner's part of the heap.
  uint64_t local_offset(uint64_t offset) const {
    return rows(offset / block_size) * block_size + offset % block_size;
  }

  /// The inverse: the linear offset of a byte of `core`'s part.
  uint64_t linear_offset(Core core, uint64_t local) const {
    const uint64_t block = local / block_size * cores_ + static_cast<uint64_t>(core);
    return block * block_size + local % block_size;
  }

 private:
  /// Expected, so that the common case is laid out without a jump.
  bool power_of_two() const { return GRAPPA_LIKELY(shift_ >= 0); }

  uint64_t rows(uint64_t block) const {
    return power_of_two() ? block >> shift_ : libdivide::libdivide_u64_do(block, &divider_);
  }

  uint64_t cores_ = 1;
  int shift_ = 0;  // log2 of cores_, or -1 where that is no integer
  libdivide::libdivide_u64_t divider_ = {0, 0};
};

extern BlockCyclic the_block_cyclic;

/// The job's.
inline const BlockCyclic& block_cyclic() { return the_block_cyclic; }

}  // namespace detail

}  // namespace Grappa
