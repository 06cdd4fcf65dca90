/// Tests of proxies and their commits. Only the first and the last group of tests use all cores of
/// the job. The other tests use one core.

#include "structures/flat_combiner.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// A number on core 0 that all tasks add to.
class AddProxy : public FCProxy {
 public:
  explicit AddProxy(GlobalAddress<int64_t> total) : total_(total) {}
  void add(int64_t n) {
    sum_ += n;
    wait();
  }
  void add_async(int64_t n) {
    sum_ += n;
    complete_in_scope();
  }
  void sync() override { delegate::increment(total_, sum_); }

 private:
  const GlobalAddress<int64_t> total_;
  int64_t sum_ = 0;
};

struct Adders {
  explicit Adders(GlobalAddress<int64_t> its_total) : total(its_total), combiner(its_total) {}
  GlobalAddress<int64_t> total;
  FlatCombiner<AddProxy> combiner;
};

class Adding : public testing::Test {
 protected:
  void SetUp() override {
    total_ = 0;
    adders = symmetric<Adders>(make_global(&total_));
  }
  void TearDown() override { global_free(adders); }

  int64_t total_;
  GlobalAddress<Adders> adders;
};

TEST_F(Adding, AddsUpRequestsOfAllTasksAndCores) {
  const auto all = adders;
  forall(0, 10000, [all](int64_t i) { all->combiner->add(i); });
  EXPECT_EQ(9999 * 10000 / 2, total_);
}

TEST_F(Adding, ReturnsWhenTheRequestHasBeenCommitted) {
  const auto all = adders;
  on_all_cores([all] {
    forall_here<1>(0, 200, [all](int64_t) {
      const int64_t before = delegate::read(all->total);
      all->combiner->add(1);
      EXPECT_LT(before, delegate::read(all->total));
    });
  });
  EXPECT_EQ(200 * cores(), total_);
}

TEST_F(Adding, CompletesAsyncRequestsWithTheScope) {
  const auto all = adders;
  for (int64_t n : {1, 7, 1024, 5000}) {
    total_ = 0;
    finish([all, n] {
      on_all_cores([all, n] {
        for (int64_t i = 0; i < n; ++i) all->combiner->add_async(1);
      });
    });
    EXPECT_EQ(n * cores(), total_);
  }
}

TEST_F(Adding, AcceptsRequestsOfHandlers) {
  const auto all = adders;
  on_all_cores([all] {
    const Core next = static_cast<Core>((mycore() + 1) % cores());
    forall_here<1>(0, 100, [all, next](int64_t) {
      delegate::call(next, [all] { all->combiner->add(1); });
      delegate::call<async>(next, [all] { all->combiner->add_async(1); });
    });
  });
  EXPECT_EQ(200 * cores(), total_);
}

TEST_F(Adding, SendsABatchForManyRequests) {
  const auto all = adders;
  Metrics::reset_all_cores();
  on_all_cores([all] { forall_here<1>(0, 1000, [all](int64_t) { all->combiner->add(1); }); });
  const int64_t operations =
      sum_all_cores([] { return static_cast<int64_t>(structure_counters::operations.value()); });
  const int64_t commits =
      sum_all_cores([] { return static_cast<int64_t>(structure_counters::commits.value()); });
  EXPECT_EQ(1000 * cores(), operations);
  // Each core has at least four workers, and all of them add requests to each batch. So about 250
  // commits per core are expected.
  EXPECT_LE(commits, 1000 * cores() / 2);
}

/// Each commit waits for this gate, and records its requests here.
struct Gate {
  Semaphore pass;
  int64_t begun = 0;
  std::vector<std::vector<int>> committed;
};

class GatedProxy : public FCProxy {
 public:
  GatedProxy(Gate* gate, size_t capacity) : gate_(gate), capacity_(capacity) {}

  void request(int id) {
    ids_.push_back(id);
    wait();
  }
  void request_async(int id) {
    ids_.push_back(id);
    complete_in_scope();
  }
  /// Completes the latest waiting request without a commit.
  void match() {
    ids_.pop_back();
    wake_last();
  }
  void sync() override {
    ++gate_->begun;
    gate_->pass.decrement();
    gate_->committed.push_back(ids_);
  }
  bool is_full() const override { return waiting_requests() >= capacity_; }
  size_t waiting() const { return waiting_requests(); }

 private:
  Gate* const gate_;
  const size_t capacity_;
  std::vector<int> ids_;
};

typedef std::vector<std::vector<int>> Batches;

class Commits : public testing::Test {
 protected:
  explicit Commits(size_t capacity = 100) : combiner(&gate, capacity) {}

  /// Starts a task and lets it run, so that its request is in the proxy if the proxy has space.
  void request(int id) {
    spawn(&done, [this, id] {
      combiner->request(id);
      returned.push_back(id);
    });
    settle();
  }
  static void settle() {
    for (int i = 0; i < 100; ++i) sleep_for(0);
  }
  void let_through(int64_t n) {
    gate.pass.increment(n);
    settle();
  }

  Gate gate;
  CompletionEvent done;
  std::vector<int> returned;
  FlatCombiner<GatedProxy> combiner;
};

class SmallCommits : public Commits {
 protected:
  SmallCommits() : Commits(2) {}
};

TEST_F(Commits, StartAtOnceForASingleRequest) {
  request(1);
  EXPECT_EQ(1, gate.begun);
  EXPECT_TRUE(returned.empty());
  let_through(1);
  EXPECT_EQ(std::vector<int>{1}, returned);
}

TEST_F(Commits, LeaveNewRequestsToTheNextCommit) {
  request(1);
  request(2);
  request(3);
  EXPECT_EQ(1, gate.begun);
  let_through(1);
  EXPECT_EQ((Batches{{1}}), gate.committed);
  EXPECT_EQ(std::vector<int>{1}, returned);
  EXPECT_EQ(2, gate.begun);  // one of the waiting tasks has started a commit
  let_through(1);
  EXPECT_EQ((Batches{{1}, {2, 3}}), gate.committed);
  done.wait();
}

TEST_F(Commits, IncludeAllReadyRequests) {
  for (int id = 0; id < 50; ++id) spawn(&done, [this, id] { combiner->request(id); });
  settle();
  let_through(2);
  ASSERT_LE(gate.committed.size(), 4u);
  let_through(50);
  done.wait();
}

TEST_F(Commits, WakeRequestsInTheOrderInWhichTheyWereMerged) {
  request(1);
  request(2);
  request(3);
  request(4);
  let_through(2);
  done.wait();
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), returned);
}

TEST_F(SmallCommits, StartWhenAProxyIsFullDuringAnotherCommit) {
  request(1);
  request(2);
  request(3);
  EXPECT_EQ(2, gate.begun);  // one commit of request 1, one of requests 2 and 3
  request(4);
  EXPECT_EQ(2, gate.begun);
  let_through(3);
  done.wait();
  EXPECT_EQ(3u, gate.committed.size());
}

TEST_F(Commits, AreNotNeededForMatchedRequests) {
  request(1);
  request(2);
  combiner->match();
  settle();
  EXPECT_EQ(std::vector<int>{2}, returned);
  let_through(1);
  done.wait();
  EXPECT_EQ((Batches{{1}}), gate.committed);
  EXPECT_EQ(1, gate.begun);
}

TEST_F(Commits, PassToAnotherWorkerIfTheCombinerIsMatched) {
  // Task 1 becomes the combining task and yields, and then the other tasks run.
  spawn(&done, [this] {
    combiner->request(1);
    returned.push_back(1);
  });
  spawn(&done, [this] {
    combiner->match();
    combiner->request(2);
    returned.push_back(2);
  });
  settle();
  EXPECT_EQ(std::vector<int>{1}, returned);
  EXPECT_EQ(1, gate.begun);
  let_through(1);
  EXPECT_EQ((Batches{{2}}), gate.committed);
  done.wait();
}

TEST_F(Commits, OfAsyncRequestsRunInATask) {
  FinishScope scope;
  combiner->request_async(1);
  combiner->request_async(2);
  settle();
  EXPECT_EQ(1, gate.begun);
  gate.pass.increment(1);
  scope.wait();
  EXPECT_EQ((Batches{{1, 2}}), gate.committed);
}

TEST_F(SmallCommits, OfTooManyAsyncRequestsBlockTheCaller) {
  int given = 0;
  FinishScope scope;
  spawn([this, &given] {
    for (; given < 100; ++given) combiner->request_async(given);
  });
  settle();
  EXPECT_LT(given, 100);
  EXPECT_GE(given, 2 * kCommitsUnderWay);
  gate.pass.increment(100);
  scope.wait();
  EXPECT_EQ(50u, gate.committed.size());
}

TEST_F(Commits, AreNotNeededForMatchedAsyncRequests) {
  finish([this] {
    combiner->request_async(1);
    combiner->match();
  });
  EXPECT_EQ(0, gate.begun);
  settle();
  request(2);
  let_through(1);
  EXPECT_EQ((Batches{{2}}), gate.committed);
  combiner->request_async(3);
  combiner->match();  // the test destroys the combiner before the combining task runs
}

TEST_F(Commits, UseANewProxyEach) {
  std::set<const void*> proxies;
  const auto note = [&proxies](GatedProxy& proxy) { proxies.insert(&proxy); };
  request(1);
  combiner.combine(note);
  request(2);
  combiner.combine(note);
  EXPECT_EQ(1u, combiner.combine([](GatedProxy& proxy) { return proxy.waiting(); }));
  EXPECT_EQ(1u, proxies.size());
  let_through(1);
  combiner.combine(note);
  EXPECT_EQ(2u, proxies.size());
  let_through(1);
  done.wait();
}

/// A proxy whose requests return numbers that are computed from the result of the commit.
class TicketProxy : public FCProxy {
 public:
  explicit TicketProxy(GlobalAddress<int64_t> next) : next_(next) {}
  int64_t take() {
    const int64_t mine = taken_++;
    wait();
    return first_ + mine;
  }
  void sync() override { first_ = delegate::fetch_and_add(next_, taken_); }

 private:
  const GlobalAddress<int64_t> next_;
  int64_t taken_ = 0;
  int64_t first_ = 0;
};

struct Tickets {
  explicit Tickets(GlobalAddress<int64_t> next) : combiner(next) {}
  FlatCombiner<TicketProxy> combiner;
};

TEST(FlatCombiner, AnswersWithAValueOfTheCommit) {
  int64_t next = 0;
  const auto tickets = symmetric<Tickets>(make_global(&next));
  const auto times = global_alloc<int64_t>(200);
  Grappa::memset(times, 0, 200);
  forall(0, 200, [tickets, times](int64_t) {
    delegate::increment<async>(times + tickets->combiner->take(), 1);
  });
  forall(times, 200, [](int64_t& n) { EXPECT_EQ(1, n); });
  EXPECT_EQ(200, tickets->combiner.combine([](TicketProxy& proxy) { return proxy.take(); }));
  EXPECT_EQ(201, next);
  global_free(times);
  global_free(tickets);
}

}  // namespace
