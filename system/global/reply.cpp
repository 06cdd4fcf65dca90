#include "system/global/reply.hpp"

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/base/units.hpp"

namespace Grappa {
namespace detail {

void check_answer_fits(size_t bytes) {
  const size_t most = aggregator().largest_message();
  const size_t needed = transport().buffer_bytes() + bytes - most;
  GRAPPA_CHECK(bytes <= most) << "a delegate's answer takes " << bytes
                              << " bytes, and a message buffer holds " << most
                              << ": raise --buffer_bytes to " << align_up(needed, kCacheLineBytes)
                              << ", or return less at a time";
}

}  // namespace detail
}  // namespace Grappa
