#include "system/parallel/local_loop.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace Grappa { namespace {

// The actions of the jobs of this core, in order: 'p' for a prefetch, 'r' for a run.
std::string history;
std::vector<int> ran;

struct Job {
  int number;
  void prefetch() const { history += 'p'; }
  void operator()() const {
    history += 'r';
    ran.push_back(number);
  }
};

std::vector<int> first_numbers(int n) {
  std::vector<int> numbers(static_cast<size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

class JobBatch : public ::testing::Test {
 protected:
  JobBatch() {
    history.clear();
    ran.clear();
  }
};

TEST_F(JobBatch, RunsJobsInOrderOncePrefetchedTogether) {
  finish([] {
    for (int k = 0; k < 3; ++k) detail::JobBatch<Job>::add(Job{k});
    EXPECT_EQ(history, "") << "no job runs before the caller suspends";
  });
  EXPECT_EQ(history, "ppprrr");
  EXPECT_EQ(ran, first_numbers(3));
}

TEST_F(JobBatch, TakesAnyNumber) {
  finish([] {
    for (int k = 0; k < 1000; ++k) detail::JobBatch<Job>::add(Job{k});
  });
  std::sort(ran.begin(), ran.end());
  EXPECT_EQ(ran, first_numbers(1000));
}

// A job that waits for the last job. The last job wakes all others.
struct Waiting {
  int number;
  int last;
  FullEmpty<int>* word;
  void prefetch() const {}
  void operator()() const {
    ran.push_back(number);
    if (number == last) {
      word->writeXF(7);
    } else {
      EXPECT_EQ(word->readFF(), 7);
    }
  }
};

TEST_F(JobBatch, ContinuesWithTheNextJobIfAJobSuspends) {
  FullEmpty<int> word;
  finish([&word] {
    for (int k = 0; k < 100; ++k) detail::JobBatch<Waiting>::add(Waiting{k, 99, &word});
  });
  std::sort(ran.begin(), ran.end());
  EXPECT_EQ(ran, first_numbers(100));
}

TEST_F(JobBatch, TakesJobsAfterItHasBegun) {
  FullEmpty<int> word;
  finish([&word] {
    detail::JobBatch<Waiting>::add(Waiting{0, 0, &word});
    word.readFE();
    detail::JobBatch<Waiting>::add(Waiting{1, 1, &word});
    word.readFE();
  });
  EXPECT_EQ(ran, first_numbers(2));
}

TEST_F(JobBatch, RunsEachJobInTheScopeOfItsCaller) {
  FullEmpty<int> word;
  finish([&word] {
    detail::JobBatch<Waiting>::add(Waiting{0, 2, &word});
    finish([&word] { detail::JobBatch<Waiting>::add(Waiting{1, 1, &word}); });
    EXPECT_EQ(ran.back(), 1) << "the inner scope has waited for its job";
  });
  EXPECT_EQ(ran.size(), 2u);
  // When the inner scopes end, a job of the outer scope still waits.
  word.reset();
  ran.clear();
  finish([&word] {
    detail::JobBatch<Waiting>::add(Waiting{0, 2, &word});
    finish([] { detail::JobBatch<Job>::add(Job{1}); });
    finish([] { detail::JobBatch<Job>::add(Job{3}); });
    EXPECT_EQ(ran, (std::vector<int>{0, 1, 3}));
    word.writeXF(7);
  });
}

}}  // namespace Grappa
