/// A job for bench/gups, which runs random updates of a table once, and optionally the baseline. Or
/// it runs blocking operations on a table.

#include "bench/gups_updates.hpp"
#include "bench/warm_up.hpp"

#include <cstdio>

DEFINE_int64(log_table, 28, "base-2 logarithm of the number of words of the table");
DEFINE_int64(updates, 1 << 24, "number of updates, over all cores");
DEFINE_bool(blocking, false, "run blocking updates, and then reads of the same words, instead");
DEFINE_bool(raw, false, "also run the hand-written baseline; requires a power of two of cores");

namespace {

bool report(const char* what, const bench::Measurement& measured) {
  std::printf("%s: %.9g\n", what, measured.value);
  return measured.verified;
}

// The sum of the words of this core, or of the words that the tasks of this core have read.
uint64_t sum_here;

uint64_t sum_of_all_cores() {
  uint64_t sum = 0;
  for (int core = 0; core < Grappa::cores(); ++core) {
    sum += Grappa::delegate::call(Grappa::Core(core), [] { return sum_here; });
  }
  return sum;
}

// The sum of the squares is also the sum of the words that the reads of all updates find.
uint64_t sum_of_squares(Grappa::GlobalAddress<int64_t> words, int64_t n) {
  Grappa::on_all_cores([words, n] {
    sum_here = 0;
    for (const int64_t word : Grappa::iterate_local(words, n)) sum_here += uint64_t(word * word);
  });
  return sum_of_all_cores();
}

// Reads the words of updates 0 to n-1 of a table that contains the number of updates of each word.
bench::Measurement read_words(const bench::GupsSubject& subject, int64_t n) {
  const auto words = subject.words();
  const int bits = subject.bits();
  const uint64_t expected = sum_of_squares(words, int64_t(1) << bits);
  Grappa::on_all_cores([] { sum_here = 0; });
  const uint64_t start = Grappa::detail::steady_ns();
  const int64_t words_of_core = (int64_t(1) << bits) / Grappa::cores();
  Grappa::forall(0, n, [words, bits, words_of_core](int64_t k) {
    gups::charge_updates(1, words_of_core, false);
    const int64_t word = Grappa::delegate::read(words + int64_t(gups::word_of(k, bits)));
    sum_here += uint64_t(word);
  });
  const double ns = double(Grappa::detail::steady_ns() - start);
  return {bench::million_updates(n, ns), sum_of_all_cores() == expected};
}

bench::Measurement fetch_and_add_words(bench::GupsSubject* subject, int64_t n) {
  const auto words = subject->words();
  const int bits = subject->bits();
  const int64_t words_of_core = (int64_t(1) << bits) / Grappa::cores();
  return subject->adds(n, uint64_t(n), [words, bits, words_of_core](int64_t k) {
    gups::charge_updates(1, words_of_core, false);
    Grappa::delegate::fetch_and_add(words + int64_t(gups::word_of(k, bits)), 1);
  });
}

bool measure_blocking() {
  bench::GupsSubject subject{int(FLAGS_log_table)};
  // The first loop also creates the workers.
  bool right = read_words(subject, FLAGS_updates).verified;
  right = report("fetch_add", fetch_and_add_words(&subject, FLAGS_updates)) && right;
  return report("reads", read_words(subject, FLAGS_updates)) && right;
}

bool measure() {
  bench::GupsSubject subject{int(FLAGS_log_table)};
  bool right = report("updates", bench::increment_words(&subject, FLAGS_updates));
  if (FLAGS_raw) {
    bench::prepare_raw_side();
    bench::GupsBaseline baseline(int(FLAGS_log_table) - bench::log_cores());
    right = report("raw", baseline.add_one(FLAGS_updates)) && right;
  }
  return right;
}

}  // namespace

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  bool right = true;
  Grappa::run([&right] {
    bench::touch_message_buffers();
    right = FLAGS_blocking ? measure_blocking() : measure();
  });
  Grappa::finalize();
  return right ? 0 : 1;
}
