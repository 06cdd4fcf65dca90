#include "system/message/append.hpp"

#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

std::vector<int> ran;
std::vector<int> prefetched;
std::vector<size_t> prefetched_when_ran;  // for each message, the prefetches before it ran
RunCursor cursor;
std::vector<char> run;
int suspends_at = -1;

/// Simulates Inbox::detach(): another worker takes the remaining messages, and the buffer is
/// reused.
void suspend_here() {
  cursor.end = cursor.next;
  std::memset(run.data(), 0x55, run.size());
}

/// A message that must not change while it runs, even if the buffer is reused. So the handler must
/// run a copy of the message.
struct Plain {
  int number;
  void operator()() {
    const int before = number;
    if (number == suspends_at) suspend_here();
    EXPECT_EQ(before, number);
    ran.push_back(number);
  }
};

struct Prefetching : Plain {
  explicit Prefetching(int n) : Plain{n} {}
  void prefetch() const { prefetched.push_back(number); }
  void operator()() {
    prefetched_when_ran.push_back(prefetched.size());
    Plain::operator()();
  }
};

/// Writes a run of the messages `first` to `end` - 1 and sets `cursor`.
template <class F>
void write_run(int first, int end) {
  run.assign(static_cast<size_t>(end - first) * sizeof(F), 0);
  for (int k = first; k < end; ++k) {
    new (run.data() + static_cast<size_t>(k - first) * sizeof(F)) F{k};
  }
  cursor = RunCursor{run.data(), run.data() + run.size(), false, 0};
}

template <class F>
void run_handler() {
  ran.clear();
  prefetched.clear();
  prefetched_when_ran.clear();
  run_tasks([] { execute_run<F>(&cursor); });
}

std::vector<int> numbers(int first, int end) {
  std::vector<int> all;
  for (int k = first; k < end; ++k) all.push_back(k);
  return all;
}

constexpr int kAhead = static_cast<int>(kPrefetchAhead);
const int kLengths[] = {1, 2, kAhead - 1, kAhead, kAhead + 1, kAhead + 2, 1000};

TEST(Handler, RunsEachMessageOnceAndInOrder) {
  for (const int n : kLengths) {
    write_run<Plain>(0, n);
    run_handler<Plain>();
    EXPECT_EQ(numbers(0, n), ran);
    EXPECT_EQ(cursor.end, cursor.next);
  }
}

TEST(Handler, PrefetchesEachMessageOnceAndInOrder) {
  for (const int n : kLengths) {
    write_run<Prefetching>(0, n);
    run_handler<Prefetching>();
    EXPECT_EQ(numbers(0, n), ran);
    EXPECT_EQ(numbers(0, n), prefetched) << "no message twice, none after the end";
  }
}

TEST(Handler, PrefetchesAtTheSpecifiedDistance) {
  for (const int n : kLengths) {
    write_run<Prefetching>(0, n);
    run_handler<Prefetching>();
    ASSERT_EQ(static_cast<size_t>(n), prefetched_when_ran.size());
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(static_cast<size_t>(std::min(n, k + 1 + kAhead)),
                prefetched_when_ran[static_cast<size_t>(k)])
          << "before message " << k << " of " << n;
    }
  }
}

TEST(Handler, StopsAfterAMessageThatSuspends) {
  for (const int at : {0, 1, 50, 498, 499}) {
    suspends_at = at;
    write_run<Prefetching>(0, 500);
    const char* behind = run.data() + static_cast<size_t>(at + 1) * sizeof(Prefetching);
    run_handler<Prefetching>();
    EXPECT_EQ(numbers(0, at + 1), ran);
    EXPECT_EQ(behind, cursor.next);
    EXPECT_EQ(numbers(0, std::min(500, at + 1 + kAhead)), prefetched)
        << "this worker must not read beyond the prefetch distance";
  }
  suspends_at = -1;
}

TEST(Handler, ContinuesAtTheCursor) {
  for (const int first : {1, 51, 499}) {
    write_run<Prefetching>(0, 500);
    cursor.next += static_cast<size_t>(first) * sizeof(Prefetching);
    run_handler<Prefetching>();
    EXPECT_EQ(numbers(first, 500), ran);
    EXPECT_EQ(numbers(first, 500), prefetched);
  }
}

TEST(Handler, UpdatesTheCursorBeforeEachMessage) {
  static std::vector<const char*> nexts;
  struct Asking {
    char number;
    char padding[2];
    void operator()() { nexts.push_back(cursor.next); }
  };
  run.assign(30 * sizeof(Asking), 0);
  cursor = RunCursor{run.data(), run.data() + run.size(), false, 0};
  run_handler<Asking>();
  ASSERT_EQ(30u, nexts.size());
  for (size_t k = 0; k < 30; ++k) EXPECT_EQ(run.data() + (k + 1) * sizeof(Asking), nexts[k]);
}

TEST(Handler, SetsTheTypeThatTheWorkerRuns) {
  static const char* name = nullptr;
  struct Named {
    char nothing;
    void operator()() { name = scheduler().current()->runs; }
  };
  run.assign(sizeof(Named), 0);
  cursor = RunCursor{run.data(), run.data() + run.size(), false, 0};
  run_handler<Named>();
  EXPECT_EQ(type_signature<Named>(), name);
}

}  // namespace
