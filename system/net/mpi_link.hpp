#pragma once

/// Sends and receives buffers between locales with MPI.
///
/// Receives are always posted, so an arriving message finds a buffer. One call tests all sends in
/// progress. Between two cores, buffers arrive in the order of the sends: MPI matches them in
/// order, and the receives are tested in the order of posting.

#include "system/net/buffer.hpp"

#include <cstddef>
#include <memory>

namespace Grappa {
namespace detail {

class MpiLink {
 public:
  MpiLink(size_t buffer_bytes, int posted_receives);
  /// Cancels the posted receives. No message may be in flight.
  ~MpiLink();
  MpiLink(const MpiLink&) = delete;
  MpiLink& operator=(const MpiLink&) = delete;

  /// Starts a send. completed() returns the buffer later.
  void send(Core dest, Buffer* buffer);

  /// Returns the next buffer whose send has completed, or null.
  Buffer* completed();

  /// Returns the next received buffer, or null.
  Buffer* receive();

  /// Posts a received buffer again.
  void give_back(Buffer* buffer);

  bool sending() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detail
}  // namespace Grappa
