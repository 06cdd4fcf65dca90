/// How fast does a map of strings count the words of a text file?
///
/// Baseline (raw_words.cpp): the same number of processes map the file into memory, count in hash
/// tables of their own with prefetched slots, and then exchange their counts through shared memory.
/// A process that waits spins, so each process needs its own processor. Both begin with a file in
/// the page cache, and end with the counts at their owners. A second baseline is one process with
/// one hash table, without an exchange, while the other process polls for messages. Texts: words of
/// a Zipf distribution (exponent 1) over 10^6 words, and uniform over 10^7 words. Verified: all
/// find the same counts.

#include <Grappa.hpp>

#include "apps/words/grams.hpp"
#include "bench/harness/bench.hpp"
#include "bench/raw_side.hpp"
#include "bench/raw_words.hpp"
#include "structures/global_map.hpp"
#include "structures/text/forall_lines.hpp"
#include "structures/text/line_writer.hpp"
#include "system/observe/clock.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include <unistd.h>

namespace {

using namespace Grappa;

constexpr int64_t kWordsPerLine = 16;

uint64_t random_bits(uint64_t seed, uint64_t i) {  // splitmix64
  uint64_t x = seed + (i + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// A file that is removed at the end.
class TextFile {
 public:
  TextFile(bool zipf, int64_t different, int64_t bytes)
      : path_("/dev/shm/grappa_words." + std::to_string(::getpid())) {
    const int64_t lines = bytes / (kWordsPerLine * 11);  // a word has about 10 bytes
    write_lines(path_, lines, [zipf, different](int64_t line, std::string* text) {
      for (int64_t k = 0; k < kWordsPerLine; ++k) {
        const uint64_t bits = random_bits(1, uint64_t(line * kWordsPerLine + k));
        const double u = double(bits >> 11) / double(uint64_t{1} << 53);
        const auto rank = zipf ? int64_t(std::exp(u * std::log(double(different) + 1))) - 1
                               : int64_t(u * double(different));
        *text += k == 0 ? "" : " ";
        *text += std::to_string(random_bits(2, uint64_t(rank)) % 1000 * 10000000 + uint64_t(rank));
      }
      *text += '\n';
    });
  }
  ~TextFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Reducer<int64_t, ReducerType::Add> words_of_all;
Reducer<uint64_t, ReducerType::Add> checksum_of_all;
std::unique_ptr<raw::WordCounter> counter_here;
std::string path_here;
raw::WordCounts expected = {0, 0, 0};

bool is_expected(const raw::WordCounts& counts) {
  if (expected.words == 0) expected = counts;
  return counts.words > 0 && counts.words == expected.words &&
         counts.different == expected.different && counts.checksum == expected.checksum;
}

// Returns millions of words a second.
bench::Measurement measured(double ns, const raw::WordCounts& counts) {
  return {double(counts.words) / ns * 1000, is_expected(counts)};
}

bench::Measurement with_map(const std::string& path) {
  const uint64_t start = detail::steady_ns();
  const auto counts = GlobalMap<std::string, int64_t>::create();
  forall_lines(path, [counts](const TextLine& line) {
    words::for_each_word(line.begin(), line.end(),
                         [counts](StringView word) { counts->insert_or_combine<async>(word, 1); });
  });
  const uint64_t end = detail::steady_ns();
  words_of_all = 0;
  checksum_of_all = 0;
  counts->forall_entries([](StringView word, int64_t& count) {
    words_of_all += count;
    checksum_of_all += uint64_t(count) * raw::word_checksum(word.data(), word.size());
  });
  const raw::WordCounts all = {words_of_all, counts->size(), checksum_of_all};
  counts->destroy();
  return measured(double(end - start), all);
}

bench::Measurement by_hand(const std::string& path) {
  const GlobalAddress<const char> name = make_global(path.data());
  const auto bytes = int64_t(path.size());
  on_all_cores(unchecked([name, bytes] {
    path_here.resize(size_t(bytes));
    memcpy(&path_here[0], name, bytes);
  }));
  const double ns = bench::raw_time_ns([] {
    counter_here.reset(new raw::WordCounter(mycore(), cores(), path_here));
    counter_here->count(path_here);
    bench::raw_exchange().barrier();
    counter_here->merge();
  });
  const raw::WordCounts all = {sum_all_cores([] { return counter_here->counts().words; }),
                               sum_all_cores([] { return counter_here->counts().different; }),
                               sum_all_cores([] { return counter_here->counts().checksum; })};
  on_all_cores([] { counter_here.reset(); });
  return measured(ns, all);
}

bench::Measurement on_one_core(const std::string& path) {
  const uint64_t start = detail::steady_ns();
  raw::WordCounter counter(0, 1, path);
  counter.count(path);
  const uint64_t end = detail::steady_ns();
  return measured(double(end - start), counter.counts());
}

/// If `serial` is not empty, also compares with the hand-written code on one core.
void measure(bench::Bench* bench, const std::string& id, bool zipf, int64_t different,
             const std::string& serial = "") {
  const TextFile file(zipf, different, (bench->quick() ? 32 : 1024) * detail::MiB);
  expected = {0, 0, 0};
  bench::PairOptions options;
  options.better = bench::Better::Higher;
  options.pairs = options.quick_pairs = 5;
  options.ping_pong = bench::raw_half_round_trip_ns;
  const std::string what = std::string("words of a text, ") + (zipf ? "Zipf" : "uniform");
  const auto ours = [&file] { return with_map(file.path()); };
  bench->compare(
      {id, what, "Mwords/s", "hash tables and shared memory by hand"}, ours,
      [&file] { return by_hand(file.path()); }, options);
  if (serial.empty()) return;
  bench->compare(
      {serial, what, "Mwords/s", "a hash table by hand on one core"}, ours,
      [&file] { return on_one_core(file.path()); }, options);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  init(&argc, &argv);
  run([&bench] {
    bench::prepare_raw_side();
    measure(&bench, "words.zipf", true, 1000000, "words.serial");
    measure(&bench, "words.uniform", false, 10000000);
  });
  finalize();
  return bench.finish();
}
