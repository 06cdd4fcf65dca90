#pragma once

/// The block-cyclic distribution of the global heap: maps linear byte offsets to cores.
///
/// Core b % cores owns block b of the heap, as its local block b / cores. If the number of cores is
/// a power of two, the division is a mask and a shift; otherwise it is a multiplication by a
/// precomputed factor (libdivide). Offsets are below 2^62.

#include "system/base/bits.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"

#include <algorithm>
#include <cstdint>

#include <libdivide.h>

namespace Grappa {

/// The number of consecutive bytes of the global heap that lie on one core.
constexpr int64_t block_size = 64;

/// After a struct definition, this macro pads the struct to whole blocks.
#define GRAPPA_BLOCK_ALIGNED __attribute__((aligned(64)))

namespace detail {

class BlockCyclic {
 public:
  BlockCyclic() = default;
  explicit BlockCyclic(Core cores)
      : cores_(static_cast<uint64_t>(cores)),
        shift_(is_power_of_two(cores_) ? floor_log2(cores_) : -1) {
    if (shift_ < 0) divider_ = libdivide::libdivide_u64_gen(cores_);
  }

  Core cores() const { return static_cast<Core>(cores_); }

  /// The core that owns the byte at `offset`.
  Core core(uint64_t offset) const {
    const uint64_t block = offset / block_size;
    if (power_of_two()) return static_cast<Core>(block & (cores_ - 1));
    return static_cast<Core>(block - rows(block) * cores_);
  }

  /// The number of cores that own some of the `bytes` bytes from `offset`.
  int owners(uint64_t offset, uint64_t bytes) const {
    if (bytes == 0) return 0;
    const uint64_t blocks = (offset + bytes - 1) / block_size - offset / block_size + 1;
    return static_cast<int>(std::min(blocks, cores_));
  }

  /// The position of the byte at `offset` in the owner's part of the heap.
  uint64_t local_offset(uint64_t offset) const {
    return rows(offset / block_size) * block_size + offset % block_size;
  }

  /// The linear offset of the byte at position `local` in the part of `core`.
  uint64_t linear_offset(Core core, uint64_t local) const {
    const uint64_t block = local / block_size * cores_ + static_cast<uint64_t>(core);
    return block * block_size + local % block_size;
  }

 private:
  /// GRAPPA_LIKELY lets the compiler lay out the common case without a jump.
  bool power_of_two() const { return GRAPPA_LIKELY(shift_ >= 0); }

  uint64_t rows(uint64_t block) const {
    return power_of_two() ? block >> shift_ : libdivide::libdivide_u64_do(block, &divider_);
  }

  uint64_t cores_ = 1;
  int shift_ = 0;  // log2 of cores_, or -1 if cores_ is not a power of two
  libdivide::libdivide_u64_t divider_ = {0, 0};
};

extern BlockCyclic the_block_cyclic;

/// The distribution of this job.
inline const BlockCyclic& block_cyclic() { return the_block_cyclic; }

}  // namespace detail

}  // namespace Grappa
