#include "bench/graph_jobs.hpp"

#include "apps/common/memory.hpp"
#include "bench/jobs.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/units.hpp"

#include <cstdint>

namespace bench {

Side job_side(int cores, const std::string& program, const std::string& label, double unit) {
  return [cores, program, label, unit] { return run_job(cores, program).number(label, unit); };
}

Side program_side(const std::string& program, const std::string& label, double unit) {
  return [program, label, unit] { return run_program(program).number(label, unit); };
}

void compare_jobs(Bench* bench, const Question& question, const Side& subject, const Side& baseline,
                  int pairs) {
  PairOptions options;
  options.better = Better::Higher;
  options.pairs = options.quick_pairs = pairs;
  options.max_repeats = 2 * pairs;  // a job takes a long time
  options.ping_pong = bench->ping_pong();
  bench->compare(question, subject, baseline, options);
}

bool lacks_memory(Bench* bench, const std::string& id, int scale) {
  const int64_t nv = int64_t{1} << scale, nedge = nv * 16;
  constexpr size_t kVertexBytes = 16;
  const double needed = Grappa::detail::tuple_bytes_needed(nedge) +
                        Grappa::detail::graph_bytes_to_build(nv, nedge, kVertexBytes) +
                        double(Grappa::detail::GiB);
  const double available = apps::available_bytes();
  if (needed <= available) return false;
  bench->omit(id, "needs " + Grappa::detail::human_bytes(needed) + " of memory; " +
                      Grappa::detail::human_bytes(available) + " are available");
  return true;
}

std::string of_scale(int scale) { return "scale " + std::to_string(scale); }

}  // namespace bench
