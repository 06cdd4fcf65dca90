#include "bench/harness/ranks.hpp"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench { namespace {

// This process and another one form a job of two on this node, with the environment of mpirun. The
// other process reports its actions as single letters.
class JobOfTwo : public testing::Test {
 protected:
  ~JobOfTwo() override {
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE",
          "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"}) {
      ::unsetenv(name);
    }
  }

  void become_rank(const std::string& rank) {
    ::setenv("OMPI_COMM_WORLD_RANK", rank.c_str(), 1);
    ::setenv("OMPI_COMM_WORLD_LOCAL_RANK", rank.c_str(), 1);
    ::setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    ::setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
    ::setenv("PMIX_NAMESPACE", ("ranks_test-" + std::to_string(test_)).c_str(), 1);
  }

  void start_other(const std::function<void(Ranks*)>& life) {
    ASSERT_EQ(::pipe(pipe_), 0);
    other_ = ::fork();
    ASSERT_GE(other_, 0);
    if (other_ == 0) {
      become_rank("1");
      {
        Ranks ranks;
        life(&ranks);
      }
      ::_exit(0);
    }
    ::close(pipe_[1]);
    become_rank("0");
  }

  // Called in the other process: sends a letter.
  void say(char letter) {
    if (::write(pipe_[1], &letter, 1) != 1) ::_exit(1);
  }

  // Waits for the next letter.
  char next() {
    char letter = 0;
    return ::read(pipe_[0], &letter, 1) == 1 ? letter : '\0';
  }

  bool has_spoken() {
    pollfd input = {pipe_[0], POLLIN, 0};
    return ::poll(&input, 1, 0) == 1;
  }

  void wait_for_end_of_other() {
    int status = 0;
    ASSERT_EQ(::waitpid(other_, &status, 0), other_);
    EXPECT_EQ(status, 0);
    ::close(pipe_[0]);
  }

 private:
  const pid_t test_ = ::getpid();
  int pipe_[2];
  pid_t other_ = -1;
};

TEST_F(JobOfTwo, KnowsItsRankAndSize) {
  become_rank("1");
  const Ranks ranks;
  EXPECT_EQ(ranks.rank(), 1);
  EXPECT_EQ(ranks.size(), 2);
}

TEST_F(JobOfTwo, GathersBeforeItIsReleased) {
  start_other([this](Ranks* ranks) {
    say('c');
    say(ranks->wait_for_release() ? 'r' : 'e');
  });
  Ranks ranks;
  ranks.gather();
  EXPECT_TRUE(has_spoken());
  EXPECT_EQ(next(), 'c');
  EXPECT_FALSE(has_spoken());
  ranks.release();
  EXPECT_EQ(next(), 'r');
  wait_for_end_of_other();
}

TEST_F(JobOfTwo, ReportsTheEndOfProcessZero) {
  start_other([this](Ranks* ranks) { say(ranks->wait_for_release() ? 'r' : 'e'); });
  { Ranks().gather(); }
  EXPECT_EQ(next(), 'e');
  wait_for_end_of_other();
}

TEST_F(JobOfTwo, WaitsUntilTheOtherProcessHasEnded) {
  start_other([this](Ranks* ranks) {
    ranks->wait_for_release();
    for (volatile int k = 0; k < 1000000; ++k) {}
    say('l');
  });
  Ranks ranks;
  ranks.gather();
  ranks.release();
  ranks.wait_until_gone();
  EXPECT_TRUE(has_spoken());
  wait_for_end_of_other();
}

TEST(JobOfOne, DoesNotWait) {
  Ranks ranks;
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  ranks.gather();
  ranks.release();
  ranks.wait_until_gone();
}

}}  // namespace bench
