#pragma once

/// The link between locales, and the end of MPI. Grappa is compiled with MPI's header but not
/// linked to libmpi, so only mpi.cpp includes mpi.h.

#include "system/net/link.hpp"

#include <cstddef>
#include <deque>
#include <vector>

struct ompi_communicator_t;  // MPI_Comm and MPI_Request of Open MPI are pointers to these
struct ompi_request_t;

namespace Grappa { namespace detail {

/// Sends and receives buffers between locales. Receives are always posted, so an arriving message
/// finds a buffer. Between two cores, buffers arrive in the order of the sends: MPI matches them in
/// order, and the receives are tested in the order of posting.
class MpiLink : public Link {
 public:
  MpiLink(size_t buffer_bytes, int posted_receives);
  ~MpiLink() override;  // cancels the posted receives; no message may be in flight

  bool try_send(size_t dest, Buffer* buffer) override;
  Buffer* completed() override;
  Buffer* receive() override;
  void give_back(Buffer* buffer) override;  // posts the buffer again
  bool sending() const override { return !send_requests_.empty(); }

 private:
  struct Receive {
    ompi_request_t* request;
    Buffer* buffer;
  };

  const size_t buffer_bytes_;
  const size_t receive_bytes_;
  char* const receive_memory_;
  ompi_communicator_t* comm_;
  std::deque<Receive> posted_;                  // oldest first
  std::vector<ompi_request_t*> send_requests_;  // send_requests_[k] belongs to send_buffers_[k]
  std::vector<Buffer*> send_buffers_;
  std::vector<int> ended_;         // indices of the requests that the last test completed
  std::vector<Buffer*> finished_;  // sent, not yet returned by completed()
};

/// While an object of this class exists, a call of a function that was unloaded returns
/// immediately, except in the thread that constructed the object. Other SIGSEGVs are handled as
/// before. At most one object may exist. On processors other than x86-64, the class has no effect.
///
/// MPI_Finalize of Open MPI 4.1 unloads its component for PMIx before it stops the thread that runs
/// the component's events. In one of several hundred jobs, an event is pending at that time, and
/// the thread calls an unloaded function. The event concerns only the end of the job.
class LateEvents {
 public:
  LateEvents();
  ~LateEvents();
  LateEvents(const LateEvents&) = delete;
  LateEvents& operator=(const LateEvents&) = delete;
};

}}  // namespace Grappa::detail
