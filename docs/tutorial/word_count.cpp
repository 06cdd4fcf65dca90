#include <Grappa.hpp>

#include <iostream>
#include <unordered_map>

using namespace Grappa;

/// Counts keys. The hash of a key selects the core that counts it.
class Counts {
 public:
  /// May be called on any core, with the symmetric address.
  static void add(GlobalAddress<Counts> counts, int64_t key) {
    delegate::call<async>(owner(key), [counts, key] { ++counts->mine_[key]; });
  }

  static int64_t of(GlobalAddress<Counts> counts, int64_t key) {
    return delegate::call(owner(key), [counts, key]() -> int64_t {
      const auto found = counts->mine_.find(key);
      return found == counts->mine_.end() ? 0 : found->second;
    });
  }

  static int64_t keys(GlobalAddress<Counts> counts) {
    return sum_all_cores([counts] { return static_cast<int64_t>(counts->mine_.size()); });
  }

 private:
  static Core owner(int64_t key) {
    const uint64_t hash = static_cast<uint64_t>(key) * 0x9e3779b97f4a7c15;
    return static_cast<Core>((hash >> 32) % static_cast<uint64_t>(cores()));
  }

  std::unordered_map<int64_t, int64_t> mine_;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    GlobalAddress<Counts> counts = symmetric<Counts>();
    forall(0, 100000, [counts](int64_t i) { Counts::add(counts, i * i % 1000); });
    std::cout << Counts::keys(counts) << " different keys" << std::endl;
    std::cout << "25 was counted " << Counts::of(counts, 25) << " times" << std::endl;
    global_free(counts);
  });
  return finalize();
}
