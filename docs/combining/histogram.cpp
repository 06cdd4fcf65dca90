#include "structures/flat_combiner.hpp"

#include <Grappa.hpp>

#include <iostream>
#include <map>
#include <unordered_map>
#include <vector>

using namespace Grappa;

int64_t commits = 0;  // of this core

/// The merged requests of one core to a histogram.
class HistogramProxy : public FCProxy {
 public:
  explicit HistogramProxy(GlobalAddress<int64_t> counts) : counts_(counts) {}

  /// Increments the bin; returns the previous count.
  int64_t add(int64_t number) {
    Bin& bin = bins_[number];
    const int64_t before_me = bin.more++;
    wait();
    return bin.before + before_me;
  }

  /// Increments the bin without an answer and without waiting.
  void add_async(int64_t number) {
    ++bins_[number].more;
    complete_in_scope();
  }

  bool is_full() const override { return bins_.size() >= kMostBins || FCProxy::is_full(); }

  void sync() override {
    ++commits;
    std::map<Core, Batch> batches;  // by owner
    for (auto& each : bins_) {
      const GlobalAddress<int64_t> count = counts_ + each.first;
      Batch& batch = batches[count.core()];
      batch.requests.push_back({count, each.second.more});
      batch.bins.push_back(&each.second);
    }
    for (auto& each : batches) {
      Batch& batch = each.second;
      batch.answers = delegate::call_future(each.first, payload(batch.requests), &execute);
    }
    for (auto& each : batches) {
      const std::vector<int64_t> before = each.second.answers.get();
      for (size_t k = 0; k < before.size(); ++k) each.second.bins[k]->before = before[k];
    }
  }

 private:
  struct Bin {
    int64_t more = 0;    // merged increments
    int64_t before = 0;  // count before the commit
  };

  struct Request {
    GlobalAddress<int64_t> count;
    int64_t more;
  };

  /// The requests to one owner.
  struct Batch {
    std::vector<Request> requests;
    std::vector<Bin*> bins;  // of the requests
    Future<std::vector<int64_t>> answers;
  };

  /// Runs at the owner of the counts. Returns their previous values.
  static std::vector<int64_t> execute(View<Request> requests) {
    std::vector<int64_t> before;
    for (const Request& request : requests) {
      int64_t& count = *request.count.pointer();
      before.push_back(count);
      count += request.more;
    }
    return before;
  }

  static constexpr size_t kMostBins = 256;

  const GlobalAddress<int64_t> counts_;
  std::unordered_map<int64_t, Bin> bins_;
};

/// A histogram over all cores: bins in a global array, and a combiner on each core.
class GlobalHistogram {
 public:
  static GlobalAddress<GlobalHistogram> create(int64_t bins) {
    const GlobalAddress<int64_t> counts = global_alloc<int64_t>(bins);
    memset(counts, 0, bins);
    return symmetric<GlobalHistogram>(counts);
  }

  static void destroy(GlobalAddress<GlobalHistogram> histogram) {
    global_free(histogram->counts_);
    global_free(histogram);
  }

  explicit GlobalHistogram(GlobalAddress<int64_t> counts) : counts_(counts), combiner_(counts) {}

  int64_t add(int64_t bin) { return combiner_->add(bin); }
  void add_async(int64_t bin) { combiner_->add_async(bin); }
  int64_t count(int64_t bin) { return delegate::read(counts_ + bin); }

 private:
  const GlobalAddress<int64_t> counts_;
  FlatCombiner<HistogramProxy> combiner_;
};

Reducer<int64_t, ReducerType::Add> given_once;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const int64_t n = 10000, bins = 10;

    // Each value gets its index among the values of its bin.
    GlobalAddress<GlobalHistogram> histogram = GlobalHistogram::create(bins);
    GlobalAddress<int64_t> times = global_alloc<int64_t>(bins * n);
    memset(times, 0, bins * n);
    forall(0, n, [histogram, times](int64_t i) {
      const int64_t bin = i * i % bins;
      const int64_t place = histogram->add(bin);
      delegate::increment<async>(times + bin * n + place, 1);
    });
    forall(times, bins * n, [](int64_t& count) { given_once += count == 1; });
    std::cout << given_once << " places were given once" << std::endl;

    const int64_t batches = reduce<int64_t, collective_add>(&commits);
    std::cout << "more than ten to a batch: " << (10 * batches < n) << std::endl;

    // No task waits for a single increment; the loop ends when all are done.
    forall(0, n, [histogram](int64_t i) { histogram->add_async(i * i % bins); });
    std::cout << "bin 4 has " << histogram->count(4) << std::endl;

    global_free(times);
    GlobalHistogram::destroy(histogram);
  });
  return finalize();
}
