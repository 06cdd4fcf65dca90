#include "system/report/job_report.hpp"

#include "system/base/mapping.hpp"
#include "system/global/heap.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/report/merged_metrics.hpp"
#include "system/report/report_table.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstdio>
#include <set>
#include <vector>

#include <errno.h>  // program_invocation_short_name

namespace Grappa::detail {
namespace {

Counter resident("runtime.resident", "bytes", "of the processes, in memory at the end of the job");
Counter resident_most("runtime.resident_most", "bytes", "of the processes, in memory at the peak");

/// The number of machines of the job. --cores_per_locale does not change it.
uint64_t hosts() {
  const std::vector<Core> first_cores = world().all_gather(topology().machine_first);
  return std::set<Core>(first_cores.begin(), first_cores.end()).size();
}

/// Sets the counters that are not updated while the job runs.
void count_what_there_is() {
  scheduler().turn_to(Activity::Running);  // adds the time so far to the counters
  scheduler().pool().count_stacks();
  heap().count_pages();
  const ProcessMemory memory = process_memory();
  resident.set(memory.resident_bytes);
  resident_most.set(memory.peak_bytes);
}

}  // namespace

JobReport::JobReport(const ReportOptions& options)
    : begin_ns_(steady_ns()), page_(options.page), file_("--report_json", options.report_json) {}

void JobReport::write() {
  if (!page_ && !file_.wanted()) return;
  JobFacts job;
  job.wall_seconds = static_cast<double>(steady_ns() - begin_ns_) * 1e-9;
  job.program = program_invocation_short_name;
  job.cores = static_cast<uint64_t>(cores());
  job.locales = static_cast<uint64_t>(locales());
  job.hosts = hosts();
  job.was_reset = metric_resets() != 0;
  count_what_there_is();
  const std::vector<MergedMetric> metrics = merge_metrics_together();
  if (mycore() == 0) {
    const std::vector<ReportRow> table = report_table(job, metrics);
    if (page_) std::fputs(report_page(table).c_str(), stdout);
    if (file_.wanted()) write_metrics_json(file_.stream(), metrics, report_json(table));
  }
  file_.close();
}

}  // namespace Grappa::detail
