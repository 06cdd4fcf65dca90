/// What is the cost of data of variable length, in delegates and in a set of strings?
///
/// Delegates: both cores send async delegates with a payload of 24 bytes (small) or 4 KiB (large),
/// which the body reads as a view. Baseline of `payload.small` and `payload.large`: closures of
/// equal size. Baseline of the rows with `.ring`: the same bytes, written into buckets in shared
/// memory and read there by hand-written code in the same processes. The unit is a billion bytes of
/// payload per second for each core. Verified: the sums of the first and last words.
///
/// Set: both cores insert new strings of 8 to 40 random bytes into a GlobalSet, asynchronously.
/// Baseline: new keys of 8 bytes, as many as have the same number of bytes, in this project's set of
/// keys of fixed length, so the row compares two structures of the project. The unit is a million
/// bytes of keys per second for each core. Verified: the number of keys and the sum of their hashes
/// (baseline: the number). `strings.memory` is the memory of the set beyond the bytes of its keys,
/// for each entry, without the buffers of messages.

#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"
#include "bench/raw_side.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace Grappa;

// The sum of the words that have arrived on this core.
uint64_t sum_here;

template <size_t Bytes>
struct Item {
  static constexpr size_t kWords = Bytes / sizeof(uint64_t);
  uint64_t words[kWords];

  // Writes all words. The first and the last word identify the item.
  void fill(int64_t k) {
    for (uint64_t& word : words) word = uint64_t(k);
  }
  uint64_t value() const { return words[0] + words[kWords - 1]; }
  void operator()() const { sum_here += value(); }
};

// Computes the rate from the time in which each core has sent n items.
template <size_t Bytes>
bench::Measurement measured(int64_t n, double ns) {
  const uint64_t sum = sum_all_cores([] { return sum_here; });
  return {double(n) * double(Bytes) / ns, sum == 2 * uint64_t(n) * uint64_t(n - 1)};
}

// Runs send(item, other core) for n items on both cores.
template <size_t Bytes, class Send>
bench::Measurement send_all(int64_t n, Send send) {
  on_all_cores([] { sum_here = 0; });
  const uint64_t start = detail::steady_ns();
  on_all_cores([n, send] {
    const Core other = Core(1 - mycore());
    for (int64_t k = 0; k < n; ++k) {
      Item<Bytes> item;
      item.fill(k);
      send(item, other);
    }
  });
  return measured<Bytes>(n, double(detail::steady_ns() - start));
}

template <size_t Bytes>
bench::Measurement send_payloads(int64_t n) {
  return send_all<Bytes>(n, [](const Item<Bytes>& item, Core other) {
    const View<char> bytes(reinterpret_cast<const char*>(item.words), Bytes);
    delegate::call<async>(other, payload(bytes), [](View<char> view) {
      uint64_t first, last;
      std::memcpy(&first, view.data(), sizeof first);
      std::memcpy(&last, view.data() + view.size() - sizeof last, sizeof last);
      sum_here += first + last;
    });
  });
}

template <size_t Bytes>
bench::Measurement send_closures(int64_t n) {
  return send_all<Bytes>(n, [](const Item<Bytes>& item, Core other) {
    delegate::call<async>(other, unchecked(item));
  });
}

template <size_t Bytes>
bench::Measurement send_by_hand(int64_t n) {
  on_all_cores([] { sum_here = 0; });
  const double ns = bench::raw_time_ns([n] {
    uint64_t sum = 0;
    bench::raw_exchange().run(
        0, n,
        raw::to_one<Item<Bytes>>(1 - mycore(), [](int64_t k, Item<Bytes>* item) { item->fill(k); }),
        [&sum](const Item<Bytes>* begin, const Item<Bytes>* end) {
          for (const Item<Bytes>* item = begin; item != end; ++item) sum += item->value();
        });
    sum_here = sum;
  });
  return measured<Bytes>(n, ns);
}

bench::PairOptions pair_options() {
  bench::PairOptions options;
  options.better = bench::Better::Higher;
  options.ping_pong = bench::raw_half_round_trip_ns;
  options.quick_pairs = 3;
  return options;
}

// ByHand is the size of the items of the hand-written code, whose buckets hold whole items.
template <size_t Bytes, size_t ByHand>
void compare_payloads(bench::Bench* bench, const std::string& id) {
  const int64_t bytes = int64_t(1) << (bench->quick() ? 26 : 29);
  const int64_t n = bytes / int64_t(Bytes);
  const std::string what = "delegates with a payload of " + std::to_string(Bytes) + " bytes";
  const auto payloads = [n] { return send_payloads<Bytes>(n); };
  bench->compare(
      {id, what, "GB/s/core", "closures of equal size"}, payloads,
      [n] { return send_closures<Bytes>(n); }, pair_options());
  bench->compare(
      {id + ".ring", what, "GB/s/core", "the same bytes by hand"}, payloads,
      [n] { return send_by_hand<ByHand>(n * int64_t(Bytes / ByHand)); }, pair_options());
}

// Returns a number that looks random and differs for each k below 2^63.
uint64_t mixed(uint64_t k) {
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9u;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebu;
  return k ^ (k >> 31);
}

// Writes the key with number k of core `core`, and returns its length: 8 to 40, on average 24.
size_t write_key(char* to, Core core, int64_t k) {
  const uint64_t number = mixed(uint64_t(k) * 2 + uint64_t(core));
  for (size_t at = 0; at < 40; at += 8) {
    const uint64_t word = number + at;
    std::memcpy(to + at, &word, sizeof word);
  }
  return 8 + number % 33;
}

// A key of 8 bytes is the beginning of other keys, but all keys differ in their first 8 bytes.
double key_bytes(int64_t n) {
  size_t bytes = 0;
  char key[40];
  for (int64_t k = 0; k < n; ++k) {
    for (Core core = 0; core < cores(); ++core) bytes += write_key(key, core, k);
  }
  return double(bytes);
}

double extra_bytes_of_entry;

// The sum of the hashes of all keys of the set.
uint64_t hashes_of(GlobalAddress<GlobalSet<std::string>> set) {
  on_all_cores([] { sum_here = 0; });
  set->forall_keys([](StringView key) { sum_here += detail::hash_bytes(key); });
  return sum_all_cores([] { return sum_here; });
}

// The same sum, of the keys that insert_strings() inserts.
uint64_t expected_hashes(int64_t n) {
  return sum_all_cores([n] {
    uint64_t sum = 0;
    char key[40];
    for (int64_t k = 0; k < n; ++k) {
      sum += detail::hash_bytes(StringView(key, write_key(key, mycore(), k)));
    }
    return sum;
  });
}

bench::Measurement insert_strings(int64_t n, double bytes) {
  const GlobalAddress<GlobalSet<std::string>> set = GlobalSet<std::string>::create();
  const uint64_t start = detail::steady_ns();
  on_all_cores([set, n] {
    char key[40];
    for (int64_t k = 0; k < n; ++k) {
      const size_t length = write_key(key, mycore(), k);
      set->insert<async>(StringView(key, length));
    }
  });
  const double ns = double(detail::steady_ns() - start);
  const bool verified = set->size() == n * cores() && hashes_of(set) == expected_hashes(n);
  extra_bytes_of_entry = (double(set->memory_bytes()) - bytes) / double(n * cores());
  set->destroy();
  return {bytes / cores() / ns * 1000, verified};
}

bench::Measurement insert_numbers(int64_t n) {
  const GlobalAddress<GlobalSet<int64_t>> set = GlobalSet<int64_t>::create();
  const uint64_t start = detail::steady_ns();
  on_all_cores([set, n] {
    for (int64_t k = 0; k < n; ++k) {
      set->insert<async>(int64_t(mixed(uint64_t(k) * 2 + uint64_t(mycore()))));
    }
  });
  const double ns = double(detail::steady_ns() - start);
  const bool verified = set->size() == n * cores();
  set->destroy();
  return {double(n) * 8 / ns * 1000, verified};
}

void compare_sets(bench::Bench* bench) {
  const int64_t n = int64_t(1) << (bench->quick() ? 18 : 21);
  const double bytes = key_bytes(n);
  const auto numbers = int64_t(bytes / cores() / 8);
  const bench::Figure figure = bench->compare(
      {"strings.insert", "async inserts of new strings of 8 to 40 bytes", "MB/s/core",
       "new keys of 8 bytes, with equal bytes"},
      [n, bytes] { return insert_strings(n, bytes); },
      [numbers] { return insert_numbers(numbers); }, pair_options());
  bench::Figure memory = bench::count(
      {"strings.memory", "memory of an entry beyond its key", "bytes", ""}, extra_bytes_of_entry);
  memory.verified = figure.verified && extra_bytes_of_entry <= 24;
  bench->record(memory);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  init(&argc, &argv);
  run([&bench] {
    if (cores() != 2) {
      for (const char* id : {"payload.small", "payload.small.ring", "payload.large",
                             "payload.large.ring", "strings.insert", "strings.memory"}) {
        bench.omit(id, "requires two cores");
      }
      return;
    }
    bench::prepare_raw_side();
    compare_payloads<24, 8>(&bench, "payload.small");
    compare_payloads<4096, 4096>(&bench, "payload.large");
    compare_sets(&bench);
  });
  finalize();
  return bench.finish();
}
