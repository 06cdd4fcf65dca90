#include "apps/nqueens/nqueens_report.hpp"

#include <cstddef>
#include <cstdio>

namespace nqueens {

void print_result(const RunResult& run, std::ostream& out) {
  const Share all = total(run.by_core);
  out << "queens: " << run.n << "\ntask_rows: " << run.task_rows << "\nsolutions: " << all.solutions
      << "\ntasks: " << all.tasks << "\ncores: " << run.by_core.size() << "\n";
  for (size_t core = 0; core < run.by_core.size(); ++core) {
    out << "core " << core << ": " << run.by_core[core].solutions << " solutions, "
        << run.by_core[core].tasks << " tasks\n";
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.6f", run.seconds);
  out << "seconds: " << seconds << "\nverified" << std::endl;
}

}  // namespace nqueens
