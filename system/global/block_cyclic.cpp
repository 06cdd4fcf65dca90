#include "system/global/block_cyclic.hpp"

#include "system/base/bits.hpp"

namespace Grappa {
namespace detail {

BlockCyclic the_block_cyclic;

BlockCyclic::BlockCyclic(Core cores) : cores_(static_cast<uint64_t>(cores)) {
  if (is_power_of_two(cores_)) {
    shift_ = floor_log2(cores_);
  } else {
    shift_ = -1;
    divider_ = libdivide::libdivide_u64_gen(cores_);
  }
}

}  // namespace detail
}  // namespace Grappa
