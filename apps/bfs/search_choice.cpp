#include "apps/bfs/search_choice.hpp"

#include "apps/bfs/bfs_direction.hpp"
#include "apps/bfs/bfs_queue.hpp"
#include "apps/bfs/bfs_tuned.hpp"
#include "apps/common/flags.hpp"
#include "structures/combining.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "system/base/input_error.hpp"

DEFINE_string(
    algorithm, "tuned",
    "queue (the frontier is a GlobalQueue), direction (direction-optimising, the frontier is a "
    "GlobalQueue or a bitmap) or tuned (the fastest)");
DEFINE_double(alpha, 14,
              "bottom-up if the frontier has more than 1/alpha of the unexplored edges; 0: never");
DEFINE_double(beta, 24, "top-down again once the frontier has less than 1/beta of the vertices");

namespace bfs {

void check_search_flags() {
  if (FLAGS_algorithm != "queue" && FLAGS_algorithm != "direction" && FLAGS_algorithm != "tuned") {
    Grappa::input_error("--algorithm=" + Grappa::detail::printable(FLAGS_algorithm) +
                        " is unknown; give queue, direction or tuned");
  }
  Grappa::detail::default_combining();  // aborts the job if the flag is invalid
  apps::check_range("alpha", FLAGS_alpha, 0, 1e18);
  apps::check_range("beta", FLAGS_beta, 0, 1e18);
}

std::unique_ptr<Search> make_search(GlobalAddress<SearchGraph> g) {
  DirectionOptions direction;
  direction.alpha = FLAGS_alpha;
  direction.beta = FLAGS_beta;
  if (FLAGS_algorithm == "queue") return queue_search(g, Grappa::detail::default_combining());
  if (FLAGS_algorithm == "direction")
    return direction_search(g, Grappa::detail::default_combining(), direction);
  return tuned_search(g, direction);
}

std::string search_description() {
  if (FLAGS_algorithm == "tuned") return FLAGS_algorithm;
  return FLAGS_algorithm + ", combining " +
         Grappa::detail::name_of(Grappa::detail::default_combining());
}

double search_bytes_needed(int64_t nv) {
  // Two queues of ids, or the parents; also the bitmaps of every core.
  return 16.0 * double(nv) + double(nv) / 2 * double(Grappa::cores());
}

}  // namespace bfs
