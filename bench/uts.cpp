/// How well do cores balance the search of an unbalanced tree, and what is the cost of its tasks?
///
/// Baseline for the speed-up: the same search on one core of the job, while the other cores are
/// idle and stealing is disabled. Baseline for the cost of tasks: a plain recursive search. The
/// trees are T1 (geometric) and T3 (binomial) of the Unbalanced Tree Search benchmark. Verified:
/// every search finds the published numbers of nodes and leaves.

#include <Grappa.hpp>

#include "apps/uts/uts_tree.hpp"
#include "bench/harness/bench.hpp"
#include "bench/raw_uts.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/options.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace {

// The shares of the cores in the last search, in descending order.
std::vector<double> shares;

void let_cores_steal(bool steal) {
  Grappa::on_all_cores([steal] { Grappa::detail::parallel_options().steal = steal; });
}

bench::Measurement nodes_per_second(const uts::PublishedTree& tree, const uts::Counts& counts,
                                    uint64_t start_ns) {
  const double ns = double(Grappa::detail::steady_ns() - start_ns);
  return {double(counts.nodes) / ns * 1000, counts.nodes == tree.counts.nodes &&
                                                counts.leaves == tree.counts.leaves &&
                                                counts.depth == tree.counts.depth};
}

bench::Measurement with_tasks(const uts::PublishedTree& tree, bool steal) {
  let_cores_steal(steal);
  const uint64_t start = Grappa::detail::steady_ns();
  const std::vector<uts::Counts> by_core = uts::search(tree.parameters);
  const bench::Measurement measured = nodes_per_second(tree, uts::total(by_core), start);
  shares.clear();
  for (const uts::Counts& counts : by_core) {
    shares.push_back(double(counts.nodes) / double(tree.counts.nodes));
  }
  std::sort(shares.rbegin(), shares.rend());
  // Without stealing, one core must have visited all nodes.
  return {measured.value, measured.verified && (steal || shares[0] == 1)};
}

bench::Measurement without_tasks(const uts::PublishedTree& published) {
  let_cores_steal(false);
  const uts::Tree tree(published.parameters);
  const uint64_t start = Grappa::detail::steady_ns();
  return nodes_per_second(published, raw::search(tree), start);
}

// Returns the nanoseconds of a call to the other core and back, which show the state of the link.
double ping_pong() {
  if (Grappa::cores() == 1) return 0;
  std::vector<double> calls;
  for (int k = 0; k < 101; ++k) {
    const uint64_t start = Grappa::detail::steady_ns();
    Grappa::delegate::call(1, [] {});
    calls.push_back(double(Grappa::detail::steady_ns() - start));
  }
  std::sort(calls.begin(), calls.end());
  return calls[calls.size() / 2];
}

void measure(bench::Bench* bench, const uts::PublishedTree& tree, const std::string& suffix) {
  const std::string name = tree.name;
  bench::PairOptions options;
  options.better = bench::Better::Higher;
  bench->compare(
      {"uts.serial" + suffix, name + " by tasks on one core", "Mnodes/s",
       "a plain recursive search"},
      [&tree] { return with_tasks(tree, false); }, [&tree] { return without_tasks(tree); },
      options);
  if (Grappa::cores() == 1) {
    bench->omit("uts.speedup" + suffix, "the job has one core");
    return;
  }
  options.ping_pong = ping_pong;
  bench->compare(
      {"uts.speedup" + suffix, name + " on " + std::to_string(Grappa::cores()) + " cores",
       "Mnodes/s", "the same on one core"},
      [&tree] { return with_tasks(tree, true); }, [&tree] { return with_tasks(tree, false); },
      options);
  with_tasks(tree, true);
  bench->record(bench::count({"uts.largest_share" + suffix,
                              "largest share of the nodes of " + name + " on one core", "1", ""},
                             shares[0]));
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    measure(&bench, uts::kPublishedTrees[0], "");     // T1
    measure(&bench, uts::kPublishedTrees[2], ".t3");  // T3
  });
  Grappa::finalize();
  return bench.finish();
}
