#include "system/net/mpi_link.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/net/mpi_library.hpp"

#include <deque>
#include <vector>

namespace Grappa::detail {
namespace {

constexpr int kTag = 0;

}  // namespace

struct MpiLink::State {
  MPI_Comm comm;
  size_t buffer_bytes;
  char* receive_memory;
  size_t receive_bytes;

  struct Receive {
    MPI_Request request;
    Buffer* buffer;
  };
  std::deque<Receive> posted;  // oldest first

  // send_requests[k] belongs to send_buffers[k].
  std::vector<MPI_Request> send_requests;
  std::vector<Buffer*> send_buffers;
  std::vector<int> ended;         // indices of the requests that the last test completed
  std::vector<Buffer*> finished;  // sent, not yet returned by completed()

  void post(Buffer* buffer) {
    posted.push_back(Receive{MPI_Request(), buffer});
    mpi.Irecv(buffer, static_cast<int>(buffer_bytes), mpi.byte, MPI_ANY_SOURCE, kTag, comm,
              &posted.back().request);
  }
};

MpiLink::MpiLink(size_t buffer_bytes, int posted_receives) : state_(new State) {
  mpi.Comm_dup(mpi.world, &state_->comm);
  state_->buffer_bytes = buffer_bytes;
  state_->receive_bytes = buffer_bytes * static_cast<size_t>(posted_receives);
  state_->receive_memory = static_cast<char*>(map_private(state_->receive_bytes));
  for (int k = 0; k < posted_receives; ++k) {
    state_->post(
        reinterpret_cast<Buffer*>(state_->receive_memory + static_cast<size_t>(k) * buffer_bytes));
  }
}

MpiLink::~MpiLink() {
  GRAPPA_CHECK(!sending()) << "MPI sends are still in progress";
  for (auto& receive : state_->posted) {
    mpi.Cancel(&receive.request);
    mpi.Wait(&receive.request, MPI_STATUS_IGNORE);
  }
  mpi.Comm_free(&state_->comm);
  unmap(state_->receive_memory, state_->receive_bytes);
}

void MpiLink::send(Core dest, Buffer* buffer) {
  state_->send_requests.push_back(MPI_Request());
  state_->send_buffers.push_back(buffer);
  mpi.Isend(buffer, static_cast<int>(sizeof(Buffer) + buffer->used_bytes), mpi.byte, dest, kTag,
            state_->comm, &state_->send_requests.back());
}

Buffer* MpiLink::completed() {
  State& s = *state_;
  if (s.finished.empty() && !s.send_requests.empty()) {
    const int in_flight = static_cast<int>(s.send_requests.size());
    s.ended.resize(s.send_requests.size());
    int count = 0;
    mpi.Testsome(in_flight, s.send_requests.data(), &count, s.ended.data(), MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED) count = 0;
    for (int k = 0; k < count; ++k) {
      const size_t at = static_cast<size_t>(s.ended[static_cast<size_t>(k)]);
      s.finished.push_back(s.send_buffers[at]);
      s.send_buffers[at] = nullptr;
    }
    size_t kept = 0;
    for (size_t k = 0; k < s.send_buffers.size(); ++k) {
      if (s.send_buffers[k] == nullptr) continue;
      s.send_buffers[kept] = s.send_buffers[k];
      s.send_requests[kept++] = s.send_requests[k];
    }
    s.send_buffers.resize(kept);
    s.send_requests.resize(kept);
  }
  if (s.finished.empty()) return nullptr;
  Buffer* buffer = s.finished.back();
  s.finished.pop_back();
  return buffer;
}

Buffer* MpiLink::receive() {
  State& s = *state_;
  if (s.posted.empty()) return nullptr;
  int arrived = 0;
  mpi.Test(&s.posted.front().request, &arrived, MPI_STATUS_IGNORE);
  if (arrived == 0) return nullptr;
  Buffer* buffer = s.posted.front().buffer;
  s.posted.pop_front();
  buffer->origin = BufferOrigin::Received;
  return buffer;
}

void MpiLink::give_back(Buffer* buffer) { state_->post(buffer); }

bool MpiLink::sending() const { return !state_->send_requests.empty(); }

}  // namespace Grappa::detail
