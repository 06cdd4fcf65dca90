/// How fast are breadth-first search and graph construction, compared with plain code on the same
/// processors?
///
/// The graphs are Kronecker graphs as in Graph500. The program bfs (apps/bfs) searches from 64
/// roots, or 16 if a search is slow. The figure is the harmonic mean of the traversed edges per
/// second. All searches are validated by the rules of Graph500. The baseline is another algorithm
/// of bfs, or the program raw_bfs_job: a direction-optimising search with OpenMP on the same number
/// of processors, with the same graph and roots, which is also validated. The lists of raw_bfs_job
/// are sorted by number, or by degree as in bfs. Each pair is two consecutive jobs.
///
/// `./grappa bench figures` draws the paper's figure 9a from the result (plot/pictures.hpp).

#include "bench/graph_jobs.hpp"
#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "bench/plot/pictures.hpp"

#include <cstdint>
#include <string>

namespace {

using bench::Bench;
using bench::JobOutput;
using bench::kMillion;
using bench::Measurement;
using bench::of_scale;
using bench::Side;

constexpr int kCores = 2;
const char* const kTeps = "harmonic_mean_TEPS: ";

struct Sizes {
  int scale;  // scale for most figures
  int larger, largest;
  int simple_scale;  // scale for slow algorithms and figure 9a
  int roots;
  int few_roots;  // number of roots for slow algorithms, the largest graph, and points of curves
  int pairs;
  int pairs_of_larger;  // also for the largest graph; construction takes most of the time
  int pairs_of_curves;
};
const Sizes kFull = {20, 22, 23, 20, 64, 16, 3, 1, 1};
const Sizes kQuick = {14, 15, 16, 13, 8, 4, 3, 3, 1};

class Graphs {
 public:
  explicit Graphs(Bench* bench) : bench_(bench), sizes_(bench->quick() ? kQuick : kFull) {}

  void measure() {
    against_raw("bfs.tuned20", sizes_.scale, sizes_.roots, sizes_.pairs);
    against_raw("bfs.tuned22", sizes_.larger, sizes_.roots, sizes_.pairs_of_larger);
    against_raw("bfs.tuned23", sizes_.largest, sizes_.few_roots, sizes_.pairs_of_larger);
    relabelled();
    forms();
    over_more_cores();
    build();
    memory();
    figure9a();
  }

 private:
  std::string graph(int scale, int roots) const {
    return " --scale=" + std::to_string(scale) + " --nbfs=" + std::to_string(roots);
  }

  Side bfs(int cores, int scale, int roots, const std::string& flags) const {
    return bench::job_side(cores, GRAPPA_BENCH_BFS + graph(scale, roots) + " " + flags, kTeps,
                           kMillion);
  }

  Side raw(int scale, int roots, const std::string& flags = "") const {
    return bench::program_side(GRAPPA_BENCH_RAW_BFS + graph(scale, roots) + " --builds=1 " + flags,
                               kTeps, kMillion);
  }

  void compare(const bench::Question& question, const Side& subject, const Side& baseline,
               int pairs = 0) {
    bench::compare_jobs(bench_, question, subject, baseline, pairs != 0 ? pairs : sizes_.pairs);
  }

  void against_raw(const char* id, int scale, int roots, int pairs) {
    if (bench::lacks_memory(bench_, id, scale)) return;
    compare({id, "bfs, tuned, " + of_scale(scale), "MTEPS", "OpenMP, 2 threads"},
            bfs(kCores, scale, roots, "--algorithm=tuned"), raw(scale, roots), pairs);
    compare({id + std::string(".ordered"), "bfs, tuned, " + of_scale(scale), "MTEPS",
             "OpenMP, 2 threads, lists ordered by degree as ours"},
            bfs(kCores, scale, roots, "--algorithm=tuned"), raw(scale, roots, "--order=degree"),
            pairs);
  }

  void relabelled() {
    compare({"bfs.relabelled", "bfs, tuned, labels by degree, " + of_scale(sizes_.scale), "MTEPS",
             "OpenMP, 2 threads, labels as they come"},
            bfs(kCores, sizes_.scale, sizes_.few_roots, "--algorithm=tuned --relabel"),
            raw(sizes_.scale, sizes_.few_roots));
  }

  void forms() {
    const int scale = sizes_.simple_scale;
    const Side tuned = bfs(kCores, scale, sizes_.roots, "--algorithm=tuned");
    const Side top_down = bfs(kCores, scale, sizes_.few_roots, "--algorithm=tuned --alpha=0");
    const Side queue =
        bfs(kCores, scale, sizes_.few_roots, "--algorithm=queue --combining=distributed");
    compare({"bfs.direction", "bfs, direction with a GlobalQueue, " + of_scale(scale), "MTEPS",
             "tuned"},
            bfs(kCores, scale, sizes_.roots, "--algorithm=direction --combining=distributed"),
            tuned);
    compare({"bfs.queue", "bfs by a GlobalQueue, " + of_scale(scale), "MTEPS", "tuned, top-down"},
            queue, top_down);
    compare({"bfs.queue_fc", "bfs by a GlobalQueue, " + of_scale(scale), "MTEPS",
             "the same without combining"},
            queue, bfs(kCores, scale, sizes_.few_roots, "--algorithm=queue --combining=none"));
    compare({"bfs.topdown", "bfs, tuned, top-down, " + of_scale(scale), "MTEPS",
             "OpenMP, 2 threads, top-down"},
            top_down, raw(scale, sizes_.few_roots, "--algorithm=topdown"));
  }

  void over_more_cores() {
    const Side two = bfs(kCores, sizes_.scale, sizes_.few_roots, "--algorithm=tuned");
    compare({"bfs.over4", "bfs, tuned, 4 cores as 2 locales, " + of_scale(sizes_.scale), "MTEPS",
             "2 cores"},
            bfs(4, sizes_.scale, sizes_.few_roots, "--algorithm=tuned --cores_per_locale=2"), two);
    compare({"bfs.over4.locales", "bfs, tuned, 4 cores as 4 locales, " + of_scale(sizes_.scale),
             "MTEPS", "2 cores"},
            bfs(4, sizes_.scale, sizes_.few_roots, "--algorithm=tuned --cores_per_locale=1"), two);
  }

  void build() {
    const int scale = sizes_.scale;
    const double edges = double(int64_t{16} << scale) / kMillion;
    const std::string grappa = GRAPPA_BENCH_BFS + graph(scale, 1);
    const std::string plain = GRAPPA_BENCH_RAW_BFS + graph(scale, 1) + " --builds=1";
    const auto rate = [edges](const Measurement& seconds) {
      return Measurement{edges / seconds.value, seconds.verified};
    };
    compare(
        {"graph.build", "building the lists of neighbours, " + of_scale(scale), "M edges/s",
         "OpenMP, 2 threads"},
        [grappa, rate] {
          return rate(bench::run_job(kCores, grappa).number("construction_time: ", 1));
        },
        [plain, rate] { return rate(bench::run_program(plain).number("construction_time: ", 1)); });
  }

  void memory() {
    const int scale = sizes_.scale;
    const double edges = double(int64_t{16} << scale);
    const JobOutput output = bench::run_job(kCores, GRAPPA_BENCH_BFS + graph(scale, 1));
    const auto record = [&](const bench::Question& question, const char* label) {
      const Measurement bytes = output.number(label, edges);
      bench::Figure figure = bench::count(question, bytes.value);
      figure.verified = bytes.verified;
      bench_->record(figure);
    };
    record({"graph.memory", "memory of a graph, " + of_scale(scale), "bytes an edge", ""},
           "graph_bytes: ");
    record({"graph.memory.peak", "memory during construction, including the input edges",
            "bytes an edge", ""},
           "construction_peak_bytes: ");
  }

  void figure9a() {
    for (const int cores : bench::plot::core_numbers()) {
      for (const std::string& form : bench::plot::bfs_forms()) {
        point(form, cores);
      }
    }
  }

  // Measures one point of a curve: the algorithm, compared with tuned on the same number of cores.
  void point(const std::string& form, int cores) {
    const size_t dot = form.find('.');
    const std::string flags =
        "--algorithm=" + form.substr(0, dot) + " --combining=" + form.substr(dot + 1);
    const int scale = sizes_.simple_scale - 2;
    compare({bench::plot::bfs_id(form, cores),
             "bfs, " + form + ", " + std::to_string(cores) + " cores, " + of_scale(scale), "MTEPS",
             "tuned"},
            bfs(cores, scale, sizes_.few_roots, flags),
            bfs(cores, scale, sizes_.few_roots, "--algorithm=tuned"), sizes_.pairs_of_curves);
  }

  Bench* const bench_;
  const Sizes sizes_;
};

}  // namespace

int main(int argc, char* argv[]) {
  Bench bench(&argc, &argv, bench::Processes::One);
  Graphs(&bench).measure();
  return bench.finish();
}
