#include "system/base/mapping.hpp"
#include "system/net/mpi.hpp"
#include "system/net/options.hpp"
#include "tests/harness/in_step.hpp"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#include <sched.h>

namespace Grappa {

using namespace detail;

namespace {

using Clock = std::chrono::steady_clock;

// MPI reads the variable when the world starts, after the static objects are constructed.
const int over_tcp = ::setenv("OMPI_MCA_btl", "tcp,self", 1);

Buffer* wait_for_buffer(MpiLink* link) {
  for (;;) {
    if (Buffer* buffer = link->receive()) return buffer;
    ::sched_yield();
  }
}

// Returns true if a send has ended before `seconds` have passed.
bool sent_within(double seconds, MpiLink* link) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (int looks = 0; looks < 1000 || Clock::now() < end; ++looks) {
    if (link->completed() != nullptr) return true;
    ::sched_yield();
  }
  return false;
}

TEST(TcpLink, SendsAFullBufferWhileTheReceiverDoesNotPoll) {
  ASSERT_EQ(0, over_tcp);
  const size_t bytes = NetOptions().buffer_bytes;
  char* const memory = static_cast<char*>(map_private(bytes));
  auto* const buffer = new (memory) Buffer();
  {
    MpiLink link(bytes, 2);
    const auto send = [&link, buffer](size_t used_bytes) {
      buffer->used_bytes = static_cast<uint32_t>(used_bytes);
      link.try_send(1, buffer);
    };
    if (mycore() == 0) {
      send(0);  // connects the two processes
      while (!sent_within(1, &link)) {}
    } else {
      link.give_back(wait_for_buffer(&link));
    }
    world().barrier();
    if (mycore() == 0) {
      send(bytes - sizeof(Buffer));
      EXPECT_TRUE(sent_within(2, &link));
    } else {
      std::this_thread::sleep_for(std::chrono::seconds(3));
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
