#include "system/report/job_report.hpp"

#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/global/heap.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"
#include "system/observe/json.hpp"
#include "system/tasking/scheduler.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>

#include <errno.h>  // program_invocation_short_name
#include <sys/stat.h>

namespace Grappa::detail {
namespace {

Counter resident("runtime.resident", "bytes", "of the processes, in memory at the end of the job");
Counter resident_most("runtime.resident_most", "bytes", "of the processes, in memory at the peak");

std::string cut(const std::string& line) {
  if (line.size() <= kPageColumns) return line;
  size_t end = kPageColumns - 3;
  while ((line[end] & 0xc0) == 0x80) --end;  // do not cut a UTF-8 character
  return line.substr(0, end) + "...";
}

}  // namespace

std::string report_page(const std::vector<ReportRow>& table) {
  constexpr size_t kSectionColumns = 13;
  std::string page, last_section;
  for (const ReportRow& row : table) {
    if (row.line.empty()) continue;
    const bool first = row.section != last_section;
    if (first && !page.empty()) page += "\n";
    std::string line = first ? row.section : "";
    line.resize(kSectionColumns, ' ');
    page += cut(line + row.line) + "\n";
    last_section = row.section;
  }
  return page + "\nall counters, of each core: --report_json=FILE\n";
}

std::string report_json(const std::vector<ReportRow>& table) {
  Json report;
  for (const ReportRow& row : table) {
    if (row.field.empty()) continue;
    report[row.section][row.field] = Json::parse(row.value);
  }
  return report.dump();
}

OutputFile::OutputFile(const char* flag, const std::string& path) : flag_(flag), path_(path) {
  if (!wanted()) return;
  errno = 0;
  if (mycore() == 0) stream_.open(path, std::ios::app);
  check(mycore() != 0 || stream_.is_open(), "cannot be written");
  const std::string problem = mycore() == 0 ? take_output_file(flag, path) : "";
  errno = 0;
  check(problem.empty(), problem);
}

void OutputFile::begin() {
  if (!wanted() || mycore() != 0) return;
  struct stat status;
  if (::stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    stream_.close();
    stream_.open(path_, std::ios::trunc);
  }
}

void OutputFile::close() {
  if (!wanted()) return;
  errno = 0;
  if (mycore() == 0) stream_.close();
  check(stream_.good(), "could not be written completely");
}

/// Only core 0 knows the result, but all cores must exit with the same status.
void OutputFile::check(bool good, const std::string& what) const {
  const int cause = errno;
  if (world().min(good ? 1 : 0) == 1) return;
  std::string sentence = std::string("flag ") + flag_ + ": \"" + path_ + "\" " + what;
  if (cause != 0) sentence += std::string(": ") + std::strerror(cause);
  input_error(sentence);
}

void JobReport::write() {
  if (!page_ && !file_.wanted()) return;
  JobFacts job;
  job.wall_seconds = static_cast<double>(steady_ns() - begin_ns_) * 1e-9;
  job.program = program_invocation_short_name;
  job.cores = static_cast<uint64_t>(cores());
  job.locales = static_cast<uint64_t>(locales());
  const std::vector<Core> first_cores = world().all_gather(topology().machine_first);
  job.hosts = std::set<Core>(first_cores.begin(), first_cores.end()).size();
  job.was_reset = metric_resets() != 0;
  scheduler().turn_to(Activity::Running);  // adds the time so far to the counters
  scheduler().pool().count_stacks();
  heap().count_pages();
  const ProcessMemory memory = process_memory();
  resident.set(memory.resident_bytes);
  resident_most.set(memory.peak_bytes);
  const std::vector<MergedMetric> metrics = merge_metrics_together();
  if (mycore() == 0) {
    const std::vector<ReportRow> table = report_table(job, metrics);
    if (page_) std::fputs(report_page(table).c_str(), stdout);
    if (file_.wanted()) write_metrics_json(file_.stream(), metrics, report_json(table));
  }
  file_.close();
}

}  // namespace Grappa::detail
