/// How fast are connected components, compared with plain code on the same processors?
///
/// The graphs are Kronecker graphs as in Graph500. The program cc (apps/cc) finds the components of
/// one graph several times, and the figure is the median rate in million edges per second. The
/// edges are the input edges, 16 for each vertex, including self-loops and repeated edges. Every
/// result is verified by the rules and against a serial union-find. The baseline is another
/// algorithm of cc, or the program raw_cc_job. raw_cc_job uses OpenMP, the same number of
/// processors and the same graph, and runs the published Afforest algorithm or the algorithm of cc.
/// All results of the baseline are verified. If an algorithm uses a set, it is measured with and
/// without the set's cache of known keys, which is not part of combining. Each pair is two
/// consecutive jobs.
///
/// `./grappa bench figures` draws the paper's figure 9b from the result (plot/pictures.hpp).

#include "bench/graph_jobs.hpp"
#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "bench/plot/pictures.hpp"

#include <cstddef>
#include <string>

namespace {

using bench::Bench;
using bench::JobOutput;
using bench::kMillion;
using bench::Measurement;
using bench::of_scale;
using bench::Side;

constexpr int kCores = 2;
const char* const kCombined = "--algorithm=kahan --combining=distributed";
const char* const kUncached = " --known_keys=0";

struct Sizes {
  int scale;  // scale for most figures
  int larger;
  int scale_of_curves;
  int trials;
  int slow_trials;  // number of trials for slow algorithms
  int pairs;
  int pairs_of_curves;
};
const Sizes kFull = {20, 22, 18, 16, 4, 3, 3};
const Sizes kQuick = {14, 15, 13, 4, 2, 3, 1};

class ConnectedComponents {
 public:
  explicit ConnectedComponents(Bench* bench)
      : bench_(bench), sizes_(bench->quick() ? kQuick : kFull) {}

  void measure() {
    against_raw("cc.afforest20", sizes_.scale);
    against_raw("cc.afforest22", sizes_.larger);
    forms();
    duplicates();
    figure9b();
  }

 private:
  static std::string graph(int scale, int trials) {
    return " --scale=" + std::to_string(scale) + " --trials=" + std::to_string(trials);
  }

  // `share` is the part of the rate to report.
  Side cc(int cores, int scale, int trials, const std::string& flags, double share = 1) const {
    return bench::job_side(cores, GRAPPA_BENCH_CC + graph(scale, trials) + " " + flags,
                           "median_MTEPS: ", 1 / share);
  }

  Side raw(int scale, double share = 1, const std::string& flags = "") const {
    return bench::program_side(
        GRAPPA_BENCH_RAW_CC + graph(scale, sizes_.trials) + " --builds=1 " + flags,
        "median_edges_per_second: ", kMillion / share);
  }

  void against_raw(const char* id, int scale) {
    if (bench::lacks_memory(bench_, id, scale)) return;
    compare({id, "cc, afforest, " + of_scale(scale), "M edges/s", "OpenMP, 2 threads"},
            cc(kCores, scale, sizes_.trials, "--algorithm=afforest"), raw(scale));
    compare({id + std::string(".sweeps"), "cc, afforest, " + of_scale(scale), "M edges/s",
             "OpenMP with the same algorithm, 2 threads"},
            cc(kCores, scale, sizes_.trials, "--algorithm=afforest"),
            raw(scale, 1, "--algorithm=sweeps"));
  }

  void forms() {
    const int scale = sizes_.scale, trials = sizes_.slow_trials;
    const Side combined = cc(kCores, scale, trials, kCombined);
    compare({"cc.fc", "cc, kahan, the set combined on each core, " + of_scale(scale), "M edges/s",
             "the same without combining"},
            combined, cc(kCores, scale, trials, "--algorithm=kahan --combining=none"));
    compare({"cc.fc.uncached",
             "cc, kahan, the set combined on each core, no cache of known keys, " + of_scale(scale),
             "M edges/s", "the same without combining"},
            cc(kCores, scale, trials, std::string(kCombined) + kUncached),
            cc(kCores, scale, trials, "--algorithm=kahan --combining=none"));
    compare({"cc.kahan", "cc, kahan, the set combined on each core, " + of_scale(scale),
             "M edges/s a core", "OpenMP, a thread of 2"},
            cc(kCores, scale, trials, kCombined, 1.0 / kCores), raw(scale, 1.0 / kCores));
    compare({"cc.tuned", "cc, tuned, " + of_scale(scale), "M edges/s", "kahan, combined"},
            cc(kCores, scale, trials, "--algorithm=tuned"), combined);
  }

  // Records the fractions of inserts that are not sent, for two causes: the key is in the cache of
  // known keys, or a proxy merges equal inserts of a key that is not in the cache.
  void duplicates() {
    record_duplicates("cc.duplicates.known", "answered by the cache of known keys",
                      "duplicates_known: ", "");
    record_duplicates("cc.duplicates.merged", "merged by a proxy behind the cache",
                      "duplicates_merged: ", "");
    record_duplicates("cc.duplicates.uncached", "merged by a proxy, without the cache",
                      "duplicates_merged: ", kUncached);
  }

  void record_duplicates(const char* id, const std::string& what, const char* label,
                         const std::string& flags) {
    const JobOutput output =
        bench::run_job(kCores, GRAPPA_BENCH_CC + graph(sizes_.scale, sizes_.slow_trials) + " " +
                                   kCombined + flags);
    const Measurement inserts = output.number("set_inserts: ", 1);
    const Measurement removed = output.number(label, 1);
    bench::Figure figure = bench::count(
        {id, "set inserts of kahan " + what + ", " + of_scale(sizes_.scale), "of all inserts", ""},
        removed.value / inserts.value);
    figure.verified = inserts.verified && removed.verified;
    bench_->record(figure);
  }

  void figure9b() {
    for (const int cores : bench::plot::core_numbers()) {
      for (const std::string& form : bench::plot::kahan_forms()) point(form, cores);
    }
  }

  // Measures one point of a curve: kahan, compared with tuned on the same number of cores.
  void point(const std::string& form, int cores) {
    const bool cached = form != bench::plot::kUncachedForm;
    const std::string mode = cached ? form : "distributed";
    const int scale = sizes_.scale_of_curves, trials = sizes_.slow_trials;
    bench::compare_jobs(
        bench_,
        {bench::plot::cc_id(form, cores),
         "cc, kahan, " + form + ", " + std::to_string(cores) + " cores, " + of_scale(scale),
         "M edges/s", "tuned"},
        cc(cores, scale, trials,
           "--algorithm=kahan --combining=" + mode + (cached ? "" : kUncached)),
        cc(cores, scale, trials, "--algorithm=tuned"), sizes_.pairs_of_curves);
  }

  void compare(const bench::Question& question, const Side& subject, const Side& baseline) {
    bench::compare_jobs(bench_, question, subject, baseline, sizes_.pairs);
  }

  Bench* const bench_;
  const Sizes sizes_;
};

}  // namespace

int main(int argc, char* argv[]) {
  Bench bench(&argc, &argv, bench::Processes::One);
  ConnectedComponents(&bench).measure();
  return bench.finish();
}
