#pragma once

/// Buffers between locales, carried by MPI.
///
/// Receives are kept posted, so that a message that arrives finds its buffer waiting; sends in
/// flight are tested together. Between two cores buffers arrive in the order sent: MPI matches them
/// in order, and the receives are looked at in the order in which they were posted.

#include "system/net/buffer.hpp"

#include <cstddef>
#include <memory>

namespace Grappa {
namespace detail {

class MpiLink {
 public:
  MpiLink(size_t buffer_bytes, int posted_receives);
  /// Cancels the posted receives; nothing is in flight any more.
  ~MpiLink();
  MpiLink(const MpiLink&) = delete;
  MpiLink& operator=(const MpiLink&) = delete;

  /// Starts sending; the buffer comes back from completed().
  void send(Core dest, Buffer* buffer);

  /// The next buffer whose sending has ended, or null.
  Buffer* completed();

  /// The next buffer received, or null.
  Buffer* receive();

  /// Takes a received buffer back and posts it again.
  void give_back(Buffer* buffer);

  bool sending() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detail
}  // namespace Grappa
