#include "system/base/mapping.hpp"
#include "system/net/mpi.hpp"
#include "system/net/options.hpp"
#include "tests/harness/in_step.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <utility>

#include <sched.h>
#include <unistd.h>

namespace Grappa {

using namespace detail;

namespace {

using Clock = std::chrono::steady_clock;

// MPI reads the variables when the world starts, after the static objects are constructed.
const bool over_tcp = ::setenv("OMPI_MCA_pml", "ob1", 1) == 0 &&
                      ::setenv("OMPI_MCA_btl", "tcp,self", 1) == 0 &&
                      ::setenv("OMPI_MCA_btl_tcp_if_include", "lo", 1) == 0;

// A word that both cores see, so that they can wait for one another without MPI.
class SharedStep {
 public:
  SharedStep() {
    SharedMemory mine;
    if (mycore() == 0) mine = create_shared_memory(page_bytes());
    const auto its = world().all_gather(std::make_pair(int(::getpid()), mine.descriptor))[0];
    void* const page = mycore() == 0
                           ? mine.address
                           : try_attach_shared_memory(its.first, its.second, page_bytes());
    world().barrier();
    close_shared_memory(&mine);
    step_ = static_cast<std::atomic<int>*>(page);
  }
  ~SharedStep() { unmap(step_, page_bytes()); }

  void set(int step) { *step_ = step; }
  void wait_for(int step) const {
    while (*step_ != step) ::sched_yield();
  }

 private:
  std::atomic<int>* step_;
};

Buffer* wait_for_buffer(MpiLink* link) {
  for (;;) {
    if (Buffer* buffer = link->receive()) return buffer;
    ::sched_yield();
  }
}

// Returns true if a send has ended before `most` have passed.
bool sent_within(std::chrono::seconds most, MpiLink* link) {
  const auto end = Clock::now() + most;
  for (int looks = 0; looks < 1000 || Clock::now() < end; ++looks) {
    if (link->completed() != nullptr) return true;
    ::sched_yield();
  }
  return false;
}

TEST(TcpLink, SendsAFullBufferWhileTheReceiverDoesNotCallMpi) {
  constexpr std::chrono::seconds kLimit(5);  // only a failing test takes so long
  ASSERT_TRUE(over_tcp);
  const size_t bytes = NetOptions().buffer_bytes;
  char* const memory = static_cast<char*>(map_private(bytes));
  auto* const buffer = new (memory) Buffer();
  {
    SharedStep step;
    MpiLink link(bytes, 2);
    const auto send = [&link, buffer](size_t used_bytes) {
      buffer->used_bytes = static_cast<uint32_t>(used_bytes);
      link.try_send(1, buffer);
    };
    if (mycore() == 0) {
      send(0);  // connects the two processes
      while (!sent_within(kLimit, &link)) {}
      step.wait_for(1);
      send(bytes - sizeof(Buffer));
      EXPECT_TRUE(sent_within(kLimit, &link));
      step.set(2);
    } else {
      link.give_back(wait_for_buffer(&link));
      step.set(1);
      step.wait_for(2);
      Buffer* const received = wait_for_buffer(&link);
      EXPECT_EQ(bytes - sizeof(Buffer), received->used_bytes);
      link.give_back(received);
    }
    while (link.sending()) link.completed();
    world().barrier();
  }
  unmap(memory, bytes);
}

}  // namespace
}  // namespace Grappa
