#include "system/message/own_messages.hpp"

#include "system/base/check.hpp"
#include "system/net/topology.hpp"

namespace Grappa::detail {

GRAPPA_CORE_LOCAL(int64_t) the_at_once_core = kNotRunning;
OwnMessages the_own_messages;

void OwnMessages::permit(bool permitted) {
  permitted_ = permitted;
  update();
}

void OwnMessages::opened() {
  ++buffers_;
  update();
}

void OwnMessages::closed() {
  --buffers_;
  GRAPPA_DCHECK(buffers_ >= 0);
  update();
}

void OwnMessages::set_in_handler(bool in_handler) {
  in_handler_ = in_handler;
  update();
}

// In checked mode and outside of run, the_direct_core is not a core either.
void OwnMessages::update() {
  the_at_once_core = permitted_ && buffers_ == 0 && !in_handler_ ? the_direct_core : kNotRunning;
}

}  // namespace Grappa::detail
