#include "system/global/own_words.hpp"

#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"

#include <algorithm>

namespace Grappa::detail {

OwnWords the_own_words;

void OwnWords::sample(const void* word, size_t bytes) {
  access_.sample(word);
  sampled_ = (sampled_ + 1) % kOperationsPerSample;
  add_own(kOperationsPerSample * bytes);
  the_own_messages.permit(choose());
}

bool OwnWords::executes_at_once(int64_t owner, const void* word, const MessageType& type) {
  if (static_cast<uint64_t>(owner) >= type.cores) return false;  // first message, or checked mode
  const OpenRun& run = type.runs[owner];
  const size_t bytes =
      run.header == nullptr
          ? kFirstRunChunkBytes
          : std::min(static_cast<size_t>(run.limit - reinterpret_cast<char*>(run.header)),
                     kRunChunkBytes);
  if (owner != the_direct_core) {
    add_other(bytes);
    return false;
  }
  add_own(bytes);
  if (--chunks_until_sample_ != 0) return false;
  chunks_until_sample_ = kChunksPerSample;
  access_.sample(word);
  the_own_messages.permit(choose());
  if (!chosen_ || current_worker() == nullptr || the_scheduler->in_handler()) return false;
  // Otherwise, a task that sends continuously would always have a message that waits.
  if (the_own_messages.buffers() == 1) flush_to(mycore(), FlushCause::Asked);
  yield_if_due();
  return at_once(owner);
}

void OwnWords::add_other(size_t bytes) {
  other_bytes_ += bytes;
  // A program with few words might use no word with the present hash.
  sampled_ = (sampled_ + 1) % kOperationsPerSample;
}

bool OwnWords::choose() {
  if (own_bytes_ + other_bytes_ >= kWindowBytes) {
    chosen_ =
        !access_.slow() && own_bytes_ >= kOwnPerOther * other_bytes_ && virtual_time == nullptr;
    own_bytes_ /= 2;
    other_bytes_ /= 2;
  }
  return chosen_;
}

}  // namespace Grappa::detail
