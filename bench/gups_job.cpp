/// A job for bench/gups, which runs random updates of a table once, and optionally the baseline.

#include "bench/gups_updates.hpp"

#include <cstdio>

DEFINE_int64(log_table, 28, "base-2 logarithm of the number of words of the table");
DEFINE_int64(updates, 1 << 24, "number of updates, over all cores");
DEFINE_bool(raw, false, "also run the hand-written baseline; requires a power of two of cores");

namespace {

bool report(const char* what, const bench::Measurement& measured) {
  std::printf("%s: %.9g\n", what, measured.value);
  return measured.verified;
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
  Grappa::run([&right] { right = measure(); });
  Grappa::finalize();
  return right ? 0 : 1;
}
