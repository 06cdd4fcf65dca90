#include "system/report/job_report.hpp"

#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/global/heap.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/net/transport.hpp"
#include "system/net/world.hpp"
#include "system/observe/json.hpp"
#include "system/tasking/scheduler.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include <errno.h>  // program_invocation_short_name
#include <sys/stat.h>

namespace Grappa::detail {
namespace {

Counter resident("runtime.resident", "bytes", "of the processes, in memory at the end of the job");
Counter own("runtime.own_memory", "bytes",
            "of the processes, in memory at the end of the job, with shares of shared pages");
Counter allocated("runtime.malloc", "bytes", "of blocks from malloc");
Counter resident_most("runtime.resident_most", "bytes", "of the processes, in memory at the peak");

std::string cut(const std::string& line) {
  if (line.size() <= kPageColumns) return line;
  size_t end = kPageColumns - 3;
  while ((line[end] & 0xc0) == 0x80) --end;  // do not cut a UTF-8 character
  return line.substr(0, end) + "...";
}

/// Returns what the locales have sent to each other, on core 0. Called by all cores.
std::vector<LocalePair> gather_pairs() {
  std::vector<LocalePair> mine;
  for (size_t to = 0; to < transport().traffic().size(); ++to) {
    const Transport::Traffic& sent = transport().traffic()[to];
    if (sent.buffers == 0) continue;
    mine.push_back({mylocale(), static_cast<Locale>(to), sent.buffers, sent.bytes});
  }
  std::map<std::pair<Locale, Locale>, LocalePair> sums;
  for (const std::string& text : world().gather_texts(std::string(
           reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(LocalePair)))) {
    for (size_t at = 0; at < text.size(); at += sizeof(LocalePair)) {
      LocalePair pair;
      std::memcpy(&pair, &text[at], sizeof pair);
      LocalePair& sum =
          sums.emplace(std::make_pair(pair.from, pair.to), LocalePair{pair.from, pair.to, 0, 0})
              .first->second;
      sum.buffers += pair.buffers;
      sum.bytes += pair.bytes;
    }
  }
  std::vector<LocalePair> pairs;
  pairs.reserve(sums.size());
  for (const auto& sum : sums) pairs.push_back(sum.second);
  return pairs;
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
  transport().count_pages();
  aggregator().count_tables();
  const ProcessMemory memory = process_memory();
  resident.set(memory.resident_bytes);
  resident_most.set(memory.peak_bytes);
  own.set(memory.own_bytes);
  allocated.set(memory.malloc_bytes);
  job.pairs = gather_pairs();
  const std::vector<MergedMetric> metrics = merge_metrics_together();
  if (mycore() == 0) {
    const std::vector<ReportRow> table = report_table(job, metrics);
    if (page_) std::fputs(report_page(table).c_str(), stdout);
    if (file_.wanted()) write_metrics_json(file_.stream(), metrics, report_json(table));
  }
  file_.close();
}

}  // namespace Grappa::detail
