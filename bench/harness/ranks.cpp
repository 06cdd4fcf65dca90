#include "bench/harness/ranks.hpp"

#include "system/base/check.hpp"
#include "system/net/world.hpp"
#include "system/observe/clock.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace bench {
namespace {

// The limit for waiting until the processes of a job start or end.
constexpr int kPatienceMs = 10000;

int number_from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

int open_socket() {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  GRAPPA_CHECK(fd >= 0) << "socket: " << std::strerror(errno);
  return fd;
}

// Fills in an address in the abstract namespace, which starts with a zero byte.
socklen_t fill_address(const std::string& name, sockaddr_un* address) {
  *address = sockaddr_un();
  address->sun_family = AF_UNIX;
  const size_t bytes = name.copy(address->sun_path + 1, sizeof address->sun_path - 1);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bytes);
}

class Deadline {
 public:
  Deadline() : end_ns_(Grappa::detail::steady_ns() + uint64_t(kPatienceMs) * 1000000) {}

  int remaining_ms() const {
    const uint64_t now = Grappa::detail::steady_ns();
    return now >= end_ns_ ? 0 : static_cast<int>((end_ns_ - now) / 1000000);
  }

 private:
  const uint64_t end_ns_;
};

// Waits until `fd` has a connection, data or an end of file; returns false at the deadline.
bool wait_for_input(int fd, const Deadline& deadline) {
  pollfd wanted = {fd, POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&wanted, 1, deadline.remaining_ms());
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

Ranks::Ranks()
    : rank_(number_from_environment("OMPI_COMM_WORLD_RANK", 0)),
      size_(number_from_environment("OMPI_COMM_WORLD_SIZE", 1)),
      here_(1) {
  const Grappa::detail::InheritedJob& inherited = Grappa::detail::inherited_job();
  if (inherited.memory != nullptr) {
    rank_ = inherited.core;
    size_ = here_ = static_cast<int>(inherited.memory->cores);
    meeting_point_ = "grappa-bench-" + std::to_string(inherited.identity);
    return;
  }
  const char* job = std::getenv("PMIX_NAMESPACE");
  // mpirun numbers the ranks node by node. On the node of process 0, the rank in the job is
  // therefore also the rank on the node.
  if (job != nullptr && number_from_environment("OMPI_COMM_WORLD_LOCAL_RANK", -1) == rank_) {
    here_ = number_from_environment("OMPI_COMM_WORLD_LOCAL_SIZE", 1);
    meeting_point_ = std::string("grappa-bench-") + job;
  }
}

Ranks::~Ranks() {
  for (const int connection : connections_) ::close(connection);
}

void Ranks::gather() {
  if (here_ == 1) return;
  const int listener = open_socket();
  sockaddr_un address;
  const socklen_t bytes = fill_address(meeting_point_, &address);
  const Deadline deadline;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), bytes) == 0 &&
      ::listen(listener, here_) == 0) {
    while (static_cast<int>(connections_.size()) < here_ - 1 &&
           wait_for_input(listener, deadline)) {
      const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection >= 0) connections_.push_back(connection);
    }
  }
  ::close(listener);
}

void Ranks::release() {
  for (const int connection : connections_) ::send(connection, "", 1, MSG_NOSIGNAL);
}

void Ranks::wait_until_gone() {
  const Deadline deadline;
  for (const int connection : connections_) wait_for_input(connection, deadline);
}

bool Ranks::wait_for_release() {
  if (here_ == 1) return true;
  sockaddr_un address;
  const socklen_t bytes = fill_address(meeting_point_, &address);
  const int connection = open_socket();
  const Deadline deadline;
  while (::connect(connection, reinterpret_cast<sockaddr*>(&address), bytes) != 0) {
    if (deadline.remaining_ms() == 0) {
      ::close(connection);
      return true;
    }
    ::poll(nullptr, 0, 1);  // process 0 does not listen yet; try again in a millisecond
  }
  connections_.push_back(connection);  // when this process ends, process 0 reads an end of file
  char byte;
  ssize_t got;
  do {
    got = ::read(connection, &byte, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

}  // namespace bench
