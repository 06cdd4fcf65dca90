/// What is the best size of message buffers?
///
/// Subject: random updates of a table, as in bench/gups, with buffers of 4 to 256 KiB, through
/// shared memory and through MPI (locales of one core). Baseline: the same updates with buffers of
/// the default size. Each measurement is a separate job with one core on each of two processors.
/// A table has 2^27 words for each core (`large`) or 2^20 words (`cached`). With --quick, a large
/// table has 2^24 words, which also exceeds all caches. The unit of rates is million updates per
/// second and core (M/s/core). Verified: the sum of the table.

#include "apps/common/memory.hpp"
#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/units.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

constexpr int kCores = 2;
constexpr int kLogCores = 1;

struct Load {
  const char* name;
  int log_words;  // logarithm of the number of words for each core
};

struct Link {
  const char* name;
  const char* what;
  const char* flags;
};

bench::JobOutput job(const std::string& flags, int log_words, int64_t updates) {
  return bench::run_job(
      kCores, GRAPPA_BENCH_GUPS_JOB " --log_table=" + std::to_string(log_words + kLogCores) +
                  " --updates=" + std::to_string(updates) + flags);
}

// A buffer size. `refusal` is the error message if the runtime rejects the size, otherwise empty.
struct BufferSize {
  size_t bytes;
  std::string flag;
  std::string refusal;

  explicit BufferSize(size_t kib)
      : bytes(kib * Grappa::detail::KiB),
        flag(" --buffer_bytes=" + std::to_string(bytes)),
        refusal(job(flag, 10, 1).refusal()) {}
};

class Sweep {
 public:
  Sweep(bench::Bench* bench, const Link& link, const Load& load)
      : bench_(bench), link_(link), load_(load) {}

  void measure(const BufferSize& size) {
    const std::string kib = std::to_string(size.bytes / Grappa::detail::KiB);
    const std::string id = "aggregation." + kib + "k." + link_.name + "." + load_.name;
    const std::string why_not = size.refusal.empty() ? why_omitted() : size.refusal;
    if (!why_not.empty()) {
      bench_->omit(id, why_not);
      return;
    }
    bench::PairOptions options;
    options.better = bench::Better::Higher;
    options.pairs = 5;
    options.quick_pairs = 1;
    options.ping_pong = bench_->ping_pong();
    options.max_repeats = bench_->quick() ? 1 : 10;
    bench_->compare(
        {id,
         "updates of 2^" + std::to_string(load_.log_words) + " words a core with buffers of " +
             kib + " KiB, " + link_.what,
         "M/s/core", "buffers of the default size"},
        [&] { return rate(size.flag); }, [&] { return rate(""); }, options);
  }

 private:
  bench::Measurement rate(const std::string& flag) const {
    const int64_t updates = int64_t(1) << (bench_->quick() ? 23 : 26);
    return job(link_.flags + flag, load_.log_words, updates).number("updates: ", 1);
  }

  // Returns an empty string if there is enough memory.
  std::string why_omitted() const {
    const double needed =
        double(sizeof(int64_t) << (load_.log_words + kLogCores)) + double(Grappa::detail::GiB);
    const double available = apps::available_bytes();
    if (needed <= available) return "";
    return "needs " + Grappa::detail::human_bytes(needed) + " of memory; " +
           Grappa::detail::human_bytes(available) + " are available";
  }

  bench::Bench* const bench_;
  const Link link_;
  const Load load_;
};

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  const Link links[] = {{"shm", "in shared memory", ""},
                        {"mpi", "through MPI", " --cores_per_locale=1"}};
  const Load loads[] = {{"large", bench.quick() ? 24 : 27}, {"cached", 20}};
  std::vector<BufferSize> sizes;
  for (const size_t kib : {4, 8, 16, 32, 64, 128, 256}) sizes.push_back(BufferSize(kib));
  for (const Link& link : links) {
    for (const Load& load : loads) {
      for (const BufferSize& size : sizes) Sweep(&bench, link, load).measure(size);
    }
  }
  return bench.finish();
}
