/// A program that checks the protocols of the runtime by their results: order of messages, ends of
/// scopes, replies, combined operations, stolen tasks, and waiting tasks. Simulations with faults
/// run it with many seeds, so it is small and fast. A wrong result aborts the job.

#include <Grappa.hpp>

#include "structures/flat_combiner.hpp"
#include "structures/global_queue.hpp"

#include <gflags/gflags.h>
#include <vector>

using namespace Grappa;

DEFINE_int64(messages, 12, "messages from each core to each core");
DEFINE_int64(tasks, 8, "tasks of each core");
DEFINE_int64(depth, 4, "depth of the tree of tasks");

namespace {

/// Messages from one core, which must arrive in order.
struct Numbers {
  int64_t next = 0;
  void arrived(int64_t number) {
    GRAPPA_CHECK(number == next) << "message " << number << " arrives instead of " << next;
    ++next;
  }
};

std::vector<Numbers> requests, answers;  // by core
CompletionEvent answered;
int64_t reached = 0;  // tasks of the tree that have run on this core
int64_t hits = 0;     // calls that have run on this core

struct Large {
  char bytes[1500];
};

/// Each request is answered by a message of its handler, which may not wait for a buffer.
void check_order() {
  call_on_all_cores([] {
    requests.assign(static_cast<size_t>(cores()), Numbers());
    answers.assign(static_cast<size_t>(cores()), Numbers());
  });
  on_all_cores([] {
    const Core self = mycore();
    answered.enroll(FLAGS_messages * cores());
    for (int64_t k = 0; k < FLAGS_messages * cores(); ++k) {
      const auto dest = static_cast<Core>((k + self) % cores());
      const int64_t number = k / cores();
      const Large large = {};
      send_message(dest, [self, number, large] {
        requests[static_cast<size_t>(self)].arrived(number);
        const Core from = mycore();
        send_message(self, [from, number, large] {
          (void)large;
          answers[static_cast<size_t>(from)].arrived(number);
          answered.complete();
        });
      });
    }
    answered.wait();
  });
}

/// Starts two subtrees, on this core, on any core, or on a random core.
void grow(int64_t depth, uint64_t path) {
  ++reached;
  if (depth == 0) return;
  for (uint64_t child = 0; child < 2; ++child) {
    const uint64_t next = (path + child + 1) * 6364136223846793005u + 1442695040888963407u;
    const auto body = [depth, next] { grow(depth - 1, next); };
    switch (next >> 62) {
      case 0: spawn(body); break;
      case 1: spawn<unbound>(body); break;
      case 2: spawnRemote(static_cast<Core>((next >> 32) % uint64_t(cores())), body); break;
      default: delegate::call<async>(static_cast<Core>((next >> 32) % uint64_t(cores())), body);
    }
  }
}

void check_scopes() {
  call_on_all_cores([] { reached = 0; });
  finish([] {
    on_all_cores([] { finish([] { grow(FLAGS_depth, static_cast<uint64_t>(mycore())); }); });
    grow(FLAGS_depth, 99);
  });
  const int64_t expected = (cores() + 1) * ((int64_t{2} << FLAGS_depth) - 1);
  const int64_t count = sum_all_cores([] { return reached; });
  GRAPPA_CHECK(count == expected) << "a scope ended after " << count << " of " << expected;
}

GlobalCompletionEvent event;

/// Each core starts work of the event while other cores send work of the event to it.
void check_events() {
  call_on_all_cores([] { reached = 0; });
  on_all_cores([] {
    for (int64_t k = 0; k < FLAGS_tasks; ++k) {
      spawn<&event>([k] {
        ++reached;
        delegate::call<async, &event>((mycore() + k) % cores(), [] {
          spawn([] { delegate::call((mycore() + 1) % cores(), [] { ++reached; }); });
        });
      });
    }
  });
  event.wait();
  const int64_t count = sum_all_cores([] { return reached; });
  GRAPPA_CHECK(count == 2 * FLAGS_tasks * cores()) << "an event was complete after " << count;
}

void check_replies() {
  call_on_all_cores([] { hits = 0; });
  forall(0, FLAGS_tasks * cores(), [](int64_t task) {
    std::vector<Future<int64_t>> futures;
    for (int64_t k = 0; k < 6; ++k) {
      futures.push_back(delegate::call_future((task + k) % cores(), [task, k] {
        ++hits;
        return task * 100 + k;
      }));
    }
    for (int64_t k = 5; k >= 0; --k) {
      auto& future = futures[static_cast<size_t>(k)];
      if ((task + k) % 4 == 0) {
        future.drop();
      } else {
        const int64_t answer = future.get();
        GRAPPA_CHECK(answer == task * 100 + k) << "answer " << answer << " of call " << k;
      }
    }
  });
  const int64_t count = sum_all_cores([] { return hits; });
  GRAPPA_CHECK(count == 6 * FLAGS_tasks * cores()) << count << " calls have run";
}

class AddProxy : public FCProxy {
 public:
  explicit AddProxy(GlobalAddress<int64_t> total) : total_(total) {}
  bool is_full() const override { return waiting_requests() >= 3; }
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
  explicit Adders(GlobalAddress<int64_t> total) : combiner(total) {}
  FlatCombiner<AddProxy> combiner;
};

void check_combiners() {
  int64_t total = 0;
  const auto adders = symmetric<Adders>(make_global(&total));
  const int64_t n = FLAGS_tasks * cores() * 2;
  forall(0, n, [adders](int64_t k) {
    if (k % 3 == 0) {
      adders->combiner->add_async(k);
    } else {
      adders->combiner->add(k);
    }
  });
  GRAPPA_CHECK(total == n * (n - 1) / 2) << "the combined sum is " << total;
  global_free(adders);
}

void check_stealing() {
  const int64_t n = 16 * FLAGS_tasks;
  const auto marks = global_alloc<int64_t>(n);
  Grappa::memset(marks, int64_t{0}, n);
  finish([=] {
    for (int64_t k = 0; k < n; ++k) {
      spawn<unbound>([=] {
        charge_ns(k % 5 == 0 ? 2000 : 100);
        delegate::increment<async>(marks + k, int64_t{1});
      });
      if (k % 16 == 0) yield();
    }
  });
  forall(marks, n, [](int64_t k, int64_t& mark) {
    GRAPPA_CHECK(mark == 1) << "task " << k << " has run " << mark << " times";
  });
  global_free(marks);
}

/// Producers and consumers of a buffer with one element, on each core.
void check_waiting() {
  on_all_cores([] {
    Mutex mutex;
    ConditionVariable changed;
    FullEmpty<int64_t> cell;
    int64_t stored = 0, taken = 0;
    finish([&] {
      for (int64_t k = 0; k < FLAGS_tasks; ++k) {
        spawn([&] {
          mutex.lock();
          while (stored != 0) changed.wait(mutex);
          delegate::call((mycore() + 1) % cores(), [] {});
          stored = 1;
          changed.broadcast();
          mutex.unlock();
        });
        spawn([&] {
          mutex.lock();
          while (stored == 0) changed.wait(mutex);
          taken += stored;
          stored = 0;
          changed.broadcast();
          mutex.unlock();
        });
        spawn([&, k] { cell.writeEF(k); });
        spawn([&] { cell.readFE(); });
      }
    });
    GRAPPA_CHECK(taken == FLAGS_tasks) << taken << " elements were taken";
  });
}

void check_queue() {
  const auto queue = GlobalQueue<int64_t>::create(1 << 10);
  const int64_t n = FLAGS_tasks * cores();
  int64_t sum = 0;
  const auto total = make_global(&sum);
  forall(0, n, [=](int64_t k) {
    queue->push(k);
    int64_t popped = 0;
    GRAPPA_CHECK(queue->try_pop(&popped)) << "the queue is empty after a push";
    delegate::increment<async>(total, popped);
  });
  GRAPPA_CHECK(sum == n * (n - 1) / 2) << "the sum of the elements is " << sum;
  queue->destroy();
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    check_order();
    check_scopes();
    check_events();
    check_replies();
    check_combiners();
    check_stealing();
    check_waiting();
    check_queue();
  });
  return finalize();
}
