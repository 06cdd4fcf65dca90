#include "bench/structures_plain.hpp"

#include <vector>

namespace bench {
namespace {

std::vector<uint64_t> appended;  // on core 0
int64_t reserved = 0;            // on core 0

// Returns true if `sum` is the sum of 0 to n - 1, modulo 2^64.
bool is_sum_below(int64_t n, uint64_t sum) {
  const uint64_t even = uint64_t(n % 2 == 0 ? n : n - 1), odd = uint64_t(n % 2 == 0 ? n - 1 : n);
  return sum == even / 2 * odd;
}

template <Grappa::SyncMode S>
Run append_all(int64_t n) {
  Grappa::delegate::call(0, [n] { appended.reserve(size_t(n)); });
  Run run = run_operations(n, [](int64_t value) {
    Grappa::delegate::call<S>(0, [value] { appended.push_back(uint64_t(value)); });
  });
  run.right = Grappa::delegate::call(0, [n] {
    uint64_t sum = 0;
    for (const uint64_t value : appended) sum += value;
    const bool right = int64_t(appended.size()) == n && is_sum_below(n, sum);
    appended = {};
    return right;
  });
  return run;
}

}  // namespace

Run run_appends(int64_t n) { return append_all<Grappa::SyncMode::Blocking>(n); }
Run run_async_appends(int64_t n) { return append_all<Grappa::SyncMode::Async>(n); }

Run run_reservations(int64_t n) {
  const auto array = Grappa::global_alloc<uint64_t>(n);
  const auto next = Grappa::make_global(&reserved, 0);
  Grappa::delegate::write(next, 0);
  Run run = run_operations(n, [array, next](int64_t value) {
    const int64_t index = Grappa::delegate::fetch_and_add(next, 1);
    Grappa::delegate::write(array + index, uint64_t(value));
  });
  Grappa::forall(array, n, [](uint64_t& value) { tally.sum_found += value; });
  run.right = Grappa::delegate::read(next) == n && is_sum_below(n, take_tallies().sum_found);
  Grappa::global_free(array);
  return run;
}

}  // namespace bench
