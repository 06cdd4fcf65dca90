#include "structures/flat_combiner.hpp"

#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

/// Merges the requests of one core's tasks to a counter.
class CounterProxy : public FCProxy {
 public:
  explicit CounterProxy(GlobalAddress<int64_t> total) : total_(total) {}

  void add(int64_t n) {
    sum_ += n;
    wait();
  }

  int64_t fetch_add(int64_t n) {
    const int64_t before_me = sum_;
    sum_ += n;
    wait();
    return base_ + before_me;
  }

  void sync() override { base_ = delegate::fetch_and_add(total_, sum_); }

 private:
  const GlobalAddress<int64_t> total_;
  int64_t sum_ = 0;   // sum of the merged requests
  int64_t base_ = 0;  // the total before the commit
};

/// The object of each core.
struct Counter {
  explicit Counter(GlobalAddress<int64_t> total) : combiner(total) {}
  FlatCombiner<CounterProxy> combiner;
};

Reducer<int64_t, ReducerType::Add> tickets_given_once;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    int64_t total = 0;
    GlobalAddress<Counter> counter = symmetric<Counter>(make_global(&total));
    forall(0, 100000, [counter](int64_t i) { counter->combiner->add(i); });
    std::cout << "the total is " << total << std::endl;

    total = 0;
    GlobalAddress<int64_t> times = global_alloc<int64_t>(100000);
    memset(times, int64_t{0}, 100000);
    forall(0, 100000, [counter, times](int64_t) {
      const int64_t ticket = counter->combiner->fetch_add(1);
      delegate::increment<async>(times + ticket, 1);
    });
    forall(times, 100000, [](int64_t& n) { tickets_given_once += n == 1; });
    std::cout << tickets_given_once << " tickets were given once" << std::endl;
    global_free(times);
    global_free(counter);
  });
  return finalize();
}
