/// How fast are copies of whole global arrays, compared with memcpy of the same bytes?
///
/// Subject: Grappa::memcpy of 8-byte elements between global arrays, and between a global array and
/// memory of core 0. Between global arrays, blocks stay on their cores (same phase), move to the
/// next core as whole blocks (next core), or are cut in two parts that both move (shifted).
/// Baseline: plain memcpy in the same processes. Each core copies its part of the source, or core 0
/// copies the whole source. The unit of rates is a billion copied bytes per second, over all cores.
/// An array of 64 MiB exceeds a cache; an array of 1 MiB does not. Verified: every element of the
/// destination, which is overwritten before each copy.

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"
#include "bench/raw_side.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

namespace {

typedef Grappa::GlobalAddress<int64_t> Words;

int64_t word_of(int64_t i) { return i * 0x9E3779B97F4A7C15; }

// Number of wrong words on this core.
int64_t wrong;

bool verified(Words words, int64_t n) {
  Grappa::on_all_cores([] { wrong = 0; });
  Grappa::forall(words, n, [](int64_t i, int64_t& word) { wrong += word != word_of(i) ? 1 : 0; });
  return Grappa::sum_all_cores([] { return wrong; }) == 0;
}

bool verified(const int64_t* words, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (words[i] != word_of(i)) return false;
  }
  return true;
}

// Returns bytes per nanosecond, which equal billions of bytes per second.
double rate(int64_t n, double ns) { return double(n) * 8 / ns; }

class Arrays {
 public:
  // The arrays have extra space for shifts by as many blocks as there are cores.
  explicit Arrays(int64_t words)
      : n(words),
        source(Grappa::global_alloc<int64_t>(size_t(n))),
        target(Grappa::global_alloc<int64_t>(size_t(n + 8 * Grappa::cores() + 8))),
        local(new int64_t[size_t(n)]),
        local_target(new int64_t[size_t(n)]) {
    Grappa::forall(source, n, [](int64_t i, int64_t& word) { word = word_of(i); });
    for (int64_t i = 0; i < n; ++i) local[size_t(i)] = word_of(i);
  }
  ~Arrays() {
    Grappa::global_free(target);
    Grappa::global_free(source);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  bench::Measurement copy(int64_t shift) {
    const Words to = target + shift;
    Grappa::memset(to, -1, n);
    const uint64_t start = Grappa::detail::steady_ns();
    Grappa::memcpy(to, source, n);
    const double ns = double(Grappa::detail::steady_ns() - start);
    return {rate(n, ns), verified(to, n)};
  }

  bench::Measurement copy_by_hand() {
    Grappa::memset(target, -1, n);
    const Words to = target, from = source;
    const int64_t words = n;
    const double ns = bench::raw_time_ns([to, from, words] {
      const Grappa::LocalSpan<int64_t> mine = Grappa::iterate_local(from, words);
      std::memcpy(Grappa::iterate_local(to, words).begin(), mine.begin(), size_t(mine.size()) * 8);
    });
    return {rate(n, ns), verified(target, n)};
  }

  bench::Measurement get() {
    std::fill(local_target.get(), local_target.get() + n, -1);
    const uint64_t start = Grappa::detail::steady_ns();
    Grappa::memcpy(local_target.get(), source, n);
    const double ns = double(Grappa::detail::steady_ns() - start);
    return {rate(n, ns), verified(local_target.get(), n)};
  }

  bench::Measurement put() {
    Grappa::memset(target, -1, n);
    const uint64_t start = Grappa::detail::steady_ns();
    Grappa::memcpy(target, local.get(), n);
    const double ns = double(Grappa::detail::steady_ns() - start);
    return {rate(n, ns), verified(target, n)};
  }

  bench::Measurement copy_locally() {
    std::fill(local_target.get(), local_target.get() + n, -1);
    const uint64_t start = Grappa::detail::steady_ns();
    std::memcpy(local_target.get(), local.get(), size_t(n) * 8);
    const double ns = double(Grappa::detail::steady_ns() - start);
    return {rate(n, ns), verified(local_target.get(), n)};
  }

 private:
  const int64_t n;
  const Words source, target;
  const std::unique_ptr<int64_t[]> local, local_target;  // memory of core 0
};

void compare(bench::Bench* bench, int64_t mib) {
  Arrays arrays(mib << 17);
  bench::PairOptions options;
  options.better = bench::Better::Higher;
  options.ping_pong = bench::raw_half_round_trip_ns;
  const std::string size = std::to_string(mib) + " MiB", id = "memcpy." + std::to_string(mib) + ".";
  const std::string by_hand = "memcpy by each core of what it owns";
  const struct {
    const char* id;
    const char* what;
    int64_t shift;
  } shifts[] = {
      {"same_phase", ", blocks that stay on their core", 8 * Grappa::cores()},
      {"next_core", ", whole blocks to the next core", 8},
      {"shifted", ", blocks cut in two", 3},
  };
  for (const auto& each : shifts) {
    const int64_t shift = each.shift;
    bench->compare(
        {id + each.id, "global to global, " + size + each.what, "GB/s", by_hand},
        [&arrays, shift] { return arrays.copy(shift); },
        [&arrays] { return arrays.copy_by_hand(); }, options);
  }
  const std::string locally = "memcpy by core 0";
  bench->compare(
      {id + "get", "global to local, " + size, "GB/s", locally}, [&arrays] { return arrays.get(); },
      [&arrays] { return arrays.copy_locally(); }, options);
  bench->compare(
      {id + "put", "local to global, " + size, "GB/s", locally}, [&arrays] { return arrays.put(); },
      [&arrays] { return arrays.copy_locally(); }, options);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    bench::prepare_raw_side();
    compare(&bench, 64);
    compare(&bench, 1);
  });
  Grappa::finalize();
  return bench.finish();
}
