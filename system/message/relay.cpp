#include "system/message/relay.hpp"

#include "system/base/check.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"

namespace Grappa {
namespace detail {
namespace {

Counter relayed("message.runs_relayed", "runs", "relayed to other cores of this locale");
Counter relayed_bytes("message.bytes_relayed", "bytes", "copied to relay runs");
Counter parked_buffers("message.buffers_parked", "buffers",
                       "from other locales that had to wait for relaying");

}  // namespace

bool Relay::pass_on(Buffer* buffer) {
  GRAPPA_DCHECK(!parked());
  buffer_ = buffer;
  run_offset_ = 0;
  if (retry() != nullptr) return true;
  ++parked_buffers;
  return false;
}

Buffer* Relay::retry() {
  while (run_offset_ < buffer_->used_bytes) {
    const RunHeader& run = *reinterpret_cast<const RunHeader*>(buffer_->runs() + run_offset_);
    if (run.dest != mycore()) {
      if (!aggregator().relay_run(run)) return nullptr;
      ++relayed;
      relayed_bytes += run.payload_bytes;
    }
    run_offset_ += run.span_bytes;
  }
  Buffer* done = buffer_;
  buffer_ = nullptr;
  return done;
}

}  // namespace detail
}  // namespace Grappa
