#include "structures/flat_combiner.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <iostream>

using namespace Grappa;

struct Entry {
  int64_t score, witness;
};

/// The merged offers of one core: only the highest of them travels.
class BestProxy : public FCProxy {
 public:
  explicit BestProxy(GlobalAddress<Entry> best) : best_(best) {}

  /// Returns whether the score was higher than all previous scores.
  bool offer(const Entry& entry) {
    const size_t mine = ++offers_;
    if (entry.score > mine_.score) {
      mine_ = entry;
      winner_ = mine;
    }
    wait();
    return record_ && winner_ == mine;
  }

  void sync() override {
    const Entry mine = mine_;
    record_ = delegate::call(best_, [mine](Entry& best) {
      const bool record = mine.score > best.score;
      if (record) best = mine;
      return record;
    });
  }

 private:
  const GlobalAddress<Entry> best_;
  Entry mine_ = {-1, -1};  // the highest merged offer
  size_t offers_ = 0;
  size_t winner_ = 0;  // number of the highest offer
  bool record_ = false;
};

/// The object on each core.
class Best {
 public:
  explicit Best(GlobalAddress<Entry> best) : combiner_(best) {}

  bool offer(int64_t score, int64_t witness) {
    if (score <= known_) return false;  // needs no commit
    const bool record = combiner_->offer({score, witness});
    known_ = std::max(known_, score);
    return record;
  }

 private:
  FlatCombiner<BestProxy> combiner_;
  int64_t known_ = -1;  // lower bound of the best score
};

Reducer<int64_t, ReducerType::Add> records;
Reducer<int64_t, ReducerType::Max> highest_record;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    Entry entry = {-1, -1};
    GlobalAddress<Best> best = symmetric<Best>(make_global(&entry));
    const int64_t n = 10007;
    forall(0, n, [best](int64_t i) {
      const int64_t score = i * 7919 % n;
      if (best->offer(score, i)) {
        ++records;
        highest_record << score;
      }
    });
    std::cout << entry.witness << " is the best, with " << entry.score << std::endl;
    std::cout << "it was a record: " << (highest_record == entry.score) << std::endl;
    std::cout << "most were none: " << (records < n / 2) << std::endl;
    global_free(best);
  });
  return finalize();
}
