#include "system/global/reply.hpp"

#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/base/units.hpp"
#include "system/net/transport.hpp"

namespace Grappa {
namespace detail {

void check_answer_fits(size_t bytes) {
  const size_t most = largest_message();
  const size_t needed = transport().buffer_bytes() + bytes - most;
  GRAPPA_CHECK(bytes <= most) << "the answer of a delegate has " << bytes
                              << " bytes, but a message buffer holds only " << most
                              << ": raise --buffer_bytes to " << align_up(needed, kCacheLineBytes)
                              << ", or return a smaller value";
}

}  // namespace detail
}  // namespace Grappa
