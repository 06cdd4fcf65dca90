#include "structures/detail/byte_sums.hpp"

#include "structures/detail/partial_sums.hpp"

#include <utility>

namespace Grappa::detail {

bool ByteSums::fits(Send send, const char* state) const {
  return scope_ == current_scope() && send_ == send &&
         std::memcmp(state_, state, kStateBytes) == 0 && sums_.size() < most_keys_;
}

ByteTable* ByteSums::table_for(void* map, Send send, const char* state) {
  // Another task may add sums while this task sends.
  while (sums_.size() != 0 && !fits(send, state)) send_all(map);
  if (sums_.size() == 0) {
    scope_ = current_scope();
    send_ = send;
    std::memcpy(state_, state, kStateBytes);
    if (scope_ != nullptr) scope_->enroll(1);
  }
  return &sums_;
}

/// Sends all sums in their scope. New values use a new table.
void ByteSums::send_all(void* map) {
  ByteTable sums(value_bytes_);
  std::swap(sums, sums_);
  sums_.reserve(sums.size());
  char state[kStateBytes];
  std::memcpy(state, state_, kStateBytes);
  TaskScope* const scope = scope_;
  const Send send = send_;
  TaskScope* const outer = current_scope();
  the_scheduler->set_scope(scope);
  send(map, sums, state);
  the_scheduler->set_scope(outer);
  if (scope != nullptr) scope->complete(1);
}

void ByteSums::flush(void* map) {
  do {
    yield_while_added(&added_);
    if (sums_.size() != 0) send_all(map);
  } while (sums_.size() != 0);
  flush_pending_ = false;
}

}  // namespace Grappa::detail
