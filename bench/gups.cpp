/// How fast are random updates of a distributed table, compared with hand-written code?
///
/// A table of 2^27 words for each core exceeds all caches. A table of 2^20 words (`cached`) fits in
/// a cache. Baseline: raw_gups in the same processes, with updates of 8 bytes that add 1, or of 16
/// bytes that add a value. raw_gups supports only one kind of update and one table. If two kinds of
/// update are compared, the baseline is the other kind. If numbers of cores or links between cores
/// are compared, each measurement is a separate job. The default number of workers is compared with
/// fixed numbers by blocking operations, for each kind of operation, table and link. The unit of
/// rates is million updates per second and core (M/s/core). The measured time is from the first
/// update until all updates have been applied on all cores. Verified: the sum of the table. If
/// updates use exclusive or, applying them once must change the table as expected, and applying
/// them twice must restore the table.

#include <Grappa.hpp>

#include "apps/common/memory.hpp"
#include "apps/common/statistics.hpp"
#include "bench/gups_updates.hpp"
#include "bench/harness/bench.hpp"
#include "bench/harness/keep.hpp"
#include "bench/jobs.hpp"
#include "bench/warm_up.hpp"
#include "structures/graph/graph_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using bench::Bench;
using bench::Measurement;

constexpr int kLogLarge = 27;   // words for each core
constexpr int kLogCached = 20;  // words for each core
constexpr int kWorkers[] = {256, 512, 2048, 4096};
const char* const kPerCore = "M/s/core";

// Memory besides the table, with a reserve.
constexpr double kOtherBytes = double(Grappa::detail::GiB);

enum class Pace { Async, Blocking };

class Gups {
 public:
  // `suffix` is part of some ids; it may be empty.
  Gups(Bench* bench, int log_words, const std::string& async_suffix,
       const std::string& mixed_suffix)
      : bench_(bench),
        size_(log_words == kLogLarge ? "2^27 words a core" : "2^20 words a core"),
        suffix_(async_suffix),
        variant_(mixed_suffix),
        log_words_(log_words),
        subject_(log_words + bench::log_cores()),
        baseline_(log_words) {}

  void measure() {
    const int64_t n = updates(Pace::Async);
    compare(
        "gups" + suffix_, "increment<async> by 1", "8-byte updates by hand",
        [&] { return bench::increment_words(&subject_, n); }, [&] { return baseline_.add_one(n); });
    compare(
        "gups" + suffix_ + ".value", "increment<async> by a value", "16-byte updates by hand",
        [&] { return add_values(n); }, [&] { return baseline_.add_number(n); });
    compare(
        "gups.lambda" + variant_, "call<async> of a lambda that flips bits",
        "increment<async> by the same value", [&] { return flip_bits(n); },
        [&] { return add_values(n); });
    compare(
        "gups.mixed" + variant_, "two closure types in turn", "one, with the same payload",
        [&] { return alternate(n); }, [&] { return add_values(n); });
    const int64_t few = updates(Pace::Blocking);
    compare(
        "fetch_add" + suffix_,
        "blocking fetch_and_add by " + std::to_string(bench_->options().tasking.num_workers) +
            " workers a core",
        "8-byte updates by hand", [&] { return fetch_and_add(few); },
        [&] { return baseline_.add_one(few); });
    compare(
        "fetch_add" + suffix_ + ".each", "fetch_and_add by call_each in a loop over ranges",
        "8-byte updates by hand", [&] { return fetch_and_add_each(few); },
        [&] { return baseline_.add_one(few); });
  }

 private:
  // Returns the number of updates over all cores.
  int64_t updates(Pace pace) const {
    const int log = (pace == Pace::Async ? 25 : 22) - (bench_->quick() ? 2 : 0);
    return int64_t(Grappa::cores()) << log;
  }

  void compare(const std::string& id, const std::string& what, const std::string& baseline,
               const bench::Body& run, const bench::Body& run_baseline) {
    bench::PairOptions options;
    options.better = bench::Better::Higher;
    options.ping_pong = bench::raw_half_round_trip_ns;
    if (log_words_ == kLogLarge) {  // a check takes longer than the updates
      options.pairs = 9;
      options.quick_pairs = 3;
    }
    bench_->compare({id, what + ", " + size_, kPerCore, baseline}, run, run_baseline, options);
  }

  Measurement add_values(int64_t n) {
    const auto words = subject_.words();
    const int bits = subject_.bits();
    return subject_.adds(n, bench::sum_of_numbers(n), [words, bits](int64_t k) {
      Grappa::delegate::increment<Grappa::async>(words + place(k, bits), k);
    });
  }

  Measurement flip_bits(int64_t n) {
    const auto words = subject_.words();
    const int bits = subject_.bits();
    return subject_.flips(n, [words, bits](int64_t k) {
      Grappa::delegate::call<Grappa::async>(words + place(k, bits), [k](int64_t& w) { w ^= k; });
    });
  }

  // Measures updates that add even numbers and subtract odd numbers.
  Measurement alternate(int64_t n) {
    const auto words = subject_.words();
    const int bits = subject_.bits();
    return subject_.adds(n, uint64_t(-n / 2), [words, bits](int64_t k) {
      if (k % 2 == 0) {
        Grappa::delegate::call<Grappa::async>(words + place(k, bits), [k](int64_t& w) { w += k; });
      } else {
        Grappa::delegate::call<Grappa::async>(words + place(k, bits), [k](int64_t& w) { w -= k; });
      }
    });
  }

  Measurement fetch_and_add(int64_t n) {
    const auto words = subject_.words();
    const int bits = subject_.bits();
    return subject_.adds(n, uint64_t(n), [words, bits](int64_t k) {
      Grappa::delegate::fetch_and_add(words + place(k, bits), 1);
    });
  }

  Measurement fetch_and_add_each(int64_t n) {
    const auto words = subject_.words();
    const int bits = subject_.bits();
    return subject_.adds(n, uint64_t(n), [words, bits](int64_t first, int64_t count) {
      int64_t sum = 0;
      Grappa::delegate::call_each(
          first, count, [words, bits](int64_t k) { return words + place(k, bits); },
          [](int64_t& word) { return word++; }, [&sum](int64_t, int64_t before) { sum += before; });
      bench::keep(sum);
    });
  }

  static int64_t place(int64_t k, int bits) { return int64_t(gups::word_of(k, bits)); }

  Bench* const bench_;
  const std::string size_;
  const std::string suffix_;   // suffix of the ids of gups and fetch_add
  const std::string variant_;  // suffix of the other ids; empty for the large table
  const int log_words_;
  bench::GupsSubject subject_;
  bench::GupsBaseline baseline_;
};

// Returns an empty string if there is enough memory for `tables` large tables.
std::string lacking_memory(int log_words, int tables) {
  const double needed = double(sizeof(int64_t) << log_words) * tables + kOtherBytes;
  const double available = apps::available_bytes();
  if (needed <= available) return "";
  return "needs " + Grappa::detail::human_bytes(needed) + " of memory; " +
         Grappa::detail::human_bytes(available) + " are available";
}

void omit_large(Bench* bench, const std::string& why) {
  for (const char* id : {"gups.large", "gups.large.value", "gups.lambda", "gups.mixed",
                         "fetch_add.large", "fetch_add.large.each"}) {
    bench->omit(id, why);
  }
}

// Runs the measurements that take place in this job. From: the main task.
void measure_here(Bench* bench) {
  bench::prepare_raw_side();
  Gups(bench, kLogCached, ".cached", ".cached").measure();
  const std::string lacking = lacking_memory(kLogLarge + bench::log_cores(), 2);
  if (lacking.empty()) {
    Gups(bench, kLogLarge, ".large", "").measure();
  } else {
    omit_large(bench, lacking);
  }
}

// The measurements in separate jobs, which run after this job has ended.
class Jobs {
 public:
  Jobs(Bench* bench, int log_table) : bench_(bench), log_table_(log_table) {}

  // Each job measures both sides consecutively.
  void mpi(int cores) {
    bench::JobOutput last;
    compare(
        "gups.mpi", "gups.large between locales of one core", kPerCore,
        "8-byte updates by hand, in shared memory",
        [&] {
          last = job(cores, " --cores_per_locale=1 --raw");
          return last.number("updates: ", 1);
        },
        [&] { return last.number("raw: ", 1); });
  }

  void oversubscribed(const std::string& id, int cores) {
    constexpr int kFew = 2;
    if (bench::processors() != kFew) {
      bench_->omit(id, "requires a machine of 2 processors; this one has " +
                           std::to_string(bench::processors()));
      return;
    }
    // A job reports the rate of each core.
    const auto in_all = [this](int of) { return job(of, "").number("updates: ", 1.0 / of); };
    compare(
        id, "gups.large by " + std::to_string(cores) + " cores on 2 processors, in total", "M/s",
        "2 cores", [&] { return in_all(cores); }, [&] { return in_all(kFew); });
  }

  // Records the lowest ratio of the rate with the default number of workers to the rate with the
  // best fixed number.
  void workers(int cores) {
    const std::string id = "workers.default";
    const std::string lacking = lacking_memory(log_table_, 1);
    if (!lacking.empty()) {
      bench_->omit(id, lacking);
      return;
    }
    bench::Figure worst = bench::count({id, "", "1", ""}, HUGE_VAL);
    worst.better = bench::Better::Higher;
    for (const bool large : {false, true}) {
      for (const bool mpi : {false, true}) compare_workers(cores, large, mpi, &worst);
    }
    bench_->record(worst);
  }

 private:
  // The rates of the two operations, for each number of workers.
  struct Rates {
    std::vector<double> fetch_add;
    std::vector<double> reads;
  };

  void compare_workers(int cores, bool large, bool mpi, bench::Figure* worst) {
    const int log_words = !large ? kLogCached : bench_->quick() ? kLogLarge - 3 : kLogLarge;
    const int log_table = log_table_ - kLogLarge + log_words;
    const int log_updates = large ? 22 : 21;
    const std::string common =
        GRAPPA_BENCH_GUPS_JOB " --blocking --log_table=" + std::to_string(log_table) +
        " --updates=" + std::to_string(int64_t(cores) << log_updates) +
        (mpi ? " --cores_per_locale=1" : "");
    std::map<int, Rates> by_workers;  // 0: the default
    for (int round = 0; round < (bench_->quick() ? 3 : 7); ++round) {
      const auto run = [&](int workers) {
        const std::string flag = workers == 0 ? "" : " --num_workers=" + std::to_string(workers);
        const bench::JobOutput output = bench::run_job(cores, common + flag);
        const Measurement fetch_add = output.number("fetch_add: ", 1);
        const Measurement reads = output.number("reads: ", 1);
        worst->verified = worst->verified && fetch_add.verified && reads.verified;
        by_workers[workers].fetch_add.push_back(fetch_add.value);
        by_workers[workers].reads.push_back(reads.value);
      };
      run(0);
      for (const int workers : kWorkers) run(workers);
    }
    const std::string where =
        "2^" + std::to_string(log_words) + " words a core, " + (mpi ? "MPI" : "shared memory");
    keep_worst("fetch_and_add, " + where, by_workers, &Rates::fetch_add, worst);
    keep_worst("read, " + where, by_workers, &Rates::reads, worst);
  }

  static void keep_worst(const std::string& what, const std::map<int, Rates>& by_workers,
                         std::vector<double> Rates::*rates, bench::Figure* worst) {
    int best = 0;
    double best_rate = 0;
    for (const int workers : kWorkers) {
      const double rate = apps::summarize(by_workers.at(workers).*rates).median;
      if (rate > best_rate) best = workers;
      best_rate = std::max(best_rate, rate);
    }
    const double ratio = apps::summarize(by_workers.at(0).*rates).median / best_rate;
    if (ratio >= worst->value) return;
    worst->value = ratio;
    worst->question.what =
        "rate with the default number of workers, against the best of 4 fixed "
        "numbers, which is " +
        std::to_string(best) + "; the worst case: " + what;
  }

  bench::JobOutput job(int cores, const std::string& flags) {
    const int log_updates = bench_->quick() ? 24 : 26;
    return bench::run_job(cores,
                          GRAPPA_BENCH_GUPS_JOB " --log_table=" + std::to_string(log_table_) +
                              " --updates=" + std::to_string(int64_t(1) << log_updates) + flags);
  }

  void compare(const std::string& id, const std::string& what, const std::string& unit,
               const std::string& baseline, const bench::Body& run,
               const bench::Body& run_baseline) {
    const std::string lacking = lacking_memory(log_table_, 2);
    if (!lacking.empty()) {
      bench_->omit(id, lacking);
      return;
    }
    bench::PairOptions options;
    options.better = bench::Better::Higher;
    options.pairs = 7;
    options.quick_pairs = 3;
    options.ping_pong = bench_->ping_pong();
    bench_->compare({id, what, unit, baseline}, run, run_baseline, options);
  }

  Bench* const bench_;
  const int log_table_;
};

}  // namespace

int main(int argc, char* argv[]) {
  google::SetCommandLineOptionWithMode("num_workers", "2048", google::SET_FLAGS_DEFAULT);
  Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  const int cores = Grappa::cores();
  const int log_cores = bench::log_cores();
  const bool measures = Grappa::mycore() == 0;
  if (log_cores < 0) Grappa::input_error("gups runs on a power of two of cores");
  Grappa::run([&bench] {
    bench::touch_message_buffers();
    measure_here(&bench);
  });
  Grappa::finalize();
  if (measures) {
    Jobs jobs(&bench, kLogLarge + log_cores);
    jobs.workers(cores);
    jobs.mpi(cores);
    jobs.oversubscribed("gups.over4", 4);
    jobs.oversubscribed("gups.over8", 8);
  }
  return bench.finish();
}
