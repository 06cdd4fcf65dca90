#include "system/report/job_report.hpp"

#include "system/observe/counters.hpp"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

/// Creates a counter or metric, which the registry of metrics keeps until the process ends.
const Metric* metric(const std::string& name, const char* unit = "", const char* meaning = "") {
  static std::map<std::string, Counter*> known;
  const auto place = known.emplace(name, nullptr).first;
  if (place->second == nullptr) {
    place->second = new Counter(place->first.c_str(), unit, meaning);
  }
  return place->second;
}

struct InventedJob {
  JobFacts facts;
  std::map<std::string, std::vector<uint64_t>> counters;  // values by core
  std::vector<MergedMetric> program;

  std::vector<ReportRow> table() const {
    std::vector<MergedMetric> metrics = program;
    for (const auto& counter : counters) {
      MergedMetric merged = {metric(counter.first), Reading(uint64_t{0}, Total::Sum), {}};
      for (const uint64_t value : counter.second) {
        merged.per_core.push_back(Reading(value, Total::Sum));
        merged.value.merge(merged.per_core.back());
      }
      metrics.push_back(merged);
    }
    return report_table(facts, metrics);
  }
  std::string page() const { return report_page(table()); }

  void set_to_0(const std::string& prefix) {
    for (auto& counter : counters) {
      if (counter.first.compare(0, prefix.size(), prefix) != 0) continue;
      counter.second.assign(counter.second.size(), 0);
    }
  }
};

/// Returns a job with values in each section. Core c of n runs for c / n of the time. Core 0 polls
/// for the rest.
InventedJob job_of(uint64_t cores) {
  InventedJob job;
  job.facts.program = "invented";
  job.facts.cores = cores;
  job.facts.locales = (cores + 15) / 16;
  job.facts.hosts = (cores + 31) / 32;
  job.facts.wall_seconds = 2.5;
  const auto each = [&](const char* name, uint64_t value, uint64_t more) {
    for (uint64_t core = 0; core < cores; ++core) job.counters[name].push_back(value + core * more);
  };
  const auto total = [&](const char* name, uint64_t value) {
    job.counters[name].assign(cores, 0);
    job.counters[name][0] = value;
  };
  for (uint64_t core = 0; core < cores; ++core) {
    const uint64_t running = 2000000000 * core / cores, rest = 2000000000 - running;
    const uint64_t polling = core == 0 ? rest : rest / 4;
    job.counters["tasking.running_ns"].push_back(running);
    job.counters["tasking.polling_ns"].push_back(polling);
    job.counters["tasking.idle_ns"].push_back(rest - polling);
  }
  each("message.messages", 1000000, 0);
  each("message.bytes", 24000000, 0);
  each("message.flushed_full", 710, 0);
  each("message.flushed_idle", 200, 0);
  each("message.flushed_aged", 87, 0);
  each("message.flushed_latency_critical", 2, 0);
  each("message.flushed_on_request", 1, 0);
  each("tasking.tasks", 20000, 0);
  each("tasking.workers", 1000, 1);
  each("runtime.resident", 40000000, 1000000);
  each("runtime.resident_most", 60000000, 1000000);
  total("steal.tasks", 2000);
  total("structures.operations", 2940000);
  total("structures.commits", 1200);
  total("structures.matched_pairs", 1000000);
  total("structures.duplicates", 210000);
  total("structures.known", 60000);
  total("structures.local", 420000);
  total("structures.summed", 180000);
  total("structures.master_messages", 1000);
  total("structures.owner_messages", 500);
  total("global.heap_bytes", 134217728);
  total("global.heap_high_water", 268435456);
  total("global.heap_resident", 100000000);
  total("global.heap_reserved", 28500000000);
  total("tasking.stack_resident", 12000000);
  total("net.buffer_bytes_used", 1100000);
  total("net.buffer_bytes", 33500000);
  each("runtime.own_memory", 20000000, 1000000);
  each("net.buffer_resident", 900000, 0);
  each("message.table_bytes", 500000, 0);
  each("message.table_resident", 300000, 0);
  each("runtime.malloc", 800000, 0);
  return job;
}

std::vector<std::string> lines_of(const std::string& page) {
  std::vector<std::string> lines;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Returns the rest of the line that begins with `label` (or section and label); empty if absent.
std::string after(const std::string& label, const std::string& page) {
  for (const std::string& line : lines_of(page)) {
    if (line.compare(0, label.size(), label) == 0) return line.substr(label.size());
  }
  return "";
}

std::string row(const std::string& label, const std::string& page) {
  return after(std::string(13, ' ') + label + " ", page);
}

/// Replaces each number by #, because the length and the first column of a number do not matter.
std::string masked(const std::string& page) {
  std::string text;
  for (const char c : page) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit) text += c;
    if (digit && (text.empty() || text.back() != '#')) text += '#';
  }
  return text;
}

const char kPageOfTwoCores[] = R"(job          program          invented
             cores                   2  in 1 locale on 1 host
             wall time          2.50 s

time         core                    0     1
             running                0%   50%
             polling              100%   12%
             idle                   0%   38%

messages     sent                2.0 M  800.0 k/s
             bytes             48.0 MB  19.2 MB/s, 24 B a message

aggregation  buffers sent        2.0 k  1.0 k messages, 24.0 kB each
             full                  71%  the next message did not fit
             idle                  20%  the core had no other work
             latency-critical      <1%  tasks waited for their messages
             aged                   9%  open for --flush_age_us microseconds
             on request            <1%  the receiver waited

tasks        run                40.0 k  16.0 k/s
             stolen              2.0 k  5% of them
             workers made        2.0 k  at most 1.0 k at once, on core 1

combining    operations          3.6 M  2.9 M in 1.2 k batches, 2.5 k each
             messages            1.5 k  2.3 k operations each
             matched               56%  pushes and pops that met on their core
             duplicates             6%  merged with an equal pending operation
             known                  2%  answered from keys known on the core
             local                 12%  on keys that belong to the core
             summed                 5%  combined in a partial sum of the core

memory       global heap      268.4 MB  at most, of 28.5 GB reserved
               at the end     134.2 MB  allocated, 100.0 MB in memory
             processes         41.0 MB  core 1; median 40.0 MB, least 40.0 MB
               at their peak   61.0 MB  core 1; median 60.0 MB, least 60.0 MB
             of a core         21.0 MB  core 1; median 20.0 MB, least 20.0 MB
               stacks          12.0 MB  core 0; median 0 B, least 0 B
               buffers        900.0 kB  core 0; median 900.0 kB, least 900.0 kB
               tables         300.0 kB  core 0; median 300.0 kB, least 300.0 kB
               global heap    100.0 MB  core 0; median 0 B, least 0 B
               malloc         300.0 kB  core 0; median 300.0 kB, least 300.0 kB
               rest            19.5 MB  core 1; median 0 B, least 0 B
             message buffers    1.1 MB  used by a core at most, of 33.5 MB

all counters, of each core: --report_json=FILE
)";

TEST(ReportPage, IsAlignedInSections) { EXPECT_EQ(kPageOfTwoCores, job_of(2).page()); }

TEST(ReportPage, NamesTheCoresOfMinimumAndMaximumIfThereAreMany) {
  const std::string page = job_of(64).page();
  const char kTable[] = R"(
time         of all cores            min    core  median     max    core
             running                  0%       0     48%     98%      63
             polling                 <1%      63     12%    100%       0
             idle                     0%       0     36%     74%       1
)";
  EXPECT_NE(std::string::npos, page.find(kTable)) << page;
  EXPECT_NE(std::string::npos, row("cores", page).find("64  in 4 locales on 2 hosts"));
  EXPECT_NE(std::string::npos, row("processes", page).find("103.0 MB  core 63; median 71.0 MB"));
}

TEST(ReportPage, FitsAScreen) {
  for (const uint64_t cores : {1, 2, 4, 8, 9, 64, 4096}) {
    const std::vector<std::string> lines = lines_of(job_of(cores).page());
    EXPECT_LE(lines.size(), 60u) << cores << " cores";
    for (const std::string& line : lines) {
      EXPECT_LE(line.size(), static_cast<size_t>(kPageColumns)) << line;
      EXPECT_EQ(std::string::npos, line.find("...")) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    }
  }
}

// Pages for different numbers of cores differ only in the tables of cores.
TEST(ReportPage, HasTheSameLinesOnAnyNumberOfCores) {
  const auto labels = [](uint64_t cores) {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(masked(job_of(cores).page()))) {
      found.push_back(line.substr(0, 29));
    }
    found.erase(found.begin() + 4);  // the head of the table
    return found;
  };
  const std::vector<std::string> of_two = labels(2);
  for (const uint64_t cores : {1, 4, 8, 9, 64}) EXPECT_EQ(of_two.size(), labels(cores).size());
  EXPECT_EQ(of_two[0], labels(64)[0]);
  for (size_t line = 8; line < of_two.size(); ++line) EXPECT_EQ(of_two[line], labels(64)[line]);
}

TEST(ReportPage, ShowsWhatFewLocalesHaveSentAsTables) {
  InventedJob job = job_of(48);
  job.facts.pairs = {{0, 0, 7, 700}, {0, 2, 1500, 61000}, {2, 1, 3, 64}};
  const char kTables[] = R"(
locales      buffers                to 0    to 1    to 2
               from 0                  7       0   1.5 k
               from 1                  0       0       0
               from 2                  0       3       0
             bytes                  to 0    to 1    to 2
               from 0              700 B       0 61.0 kB
               from 1                  0       0       0
               from 2                  0    64 B       0
)";
  EXPECT_NE(std::string::npos, job.page().find(kTables)) << job.page();
}

TEST(ReportPage, ShowsTheMeanAndTheLargestOfManyPairsOfLocales) {
  InventedJob job = job_of(256);
  job.facts.pairs = {{0, 0, 256, 25600}, {3, 15, 512, 76800}};
  const char kLines[] = R"(
locales      pairs                   2  with buffers, of 256
               mean              400 B  in 3.0 buffers
               largest         76.8 kB  in 512 buffers, from locale 3 to 15
)";
  EXPECT_NE(std::string::npos, job.page().find(kLines)) << job.page();
}

TEST(ReportPage, SharesOfACoreAddUp) {
  for (const uint64_t cores : {1, 2, 4, 8}) {
    const std::string page = job_of(cores).page();
    std::istringstream running(row("running", page)), polling(row("polling", page)),
        idle(row("idle", page));
    for (uint64_t core = 0; core < cores; ++core) {
      int a = -1, b = -1, c = -1;
      char sign;
      running >> a >> sign;
      polling >> b >> sign;
      idle >> c >> sign;
      EXPECT_NEAR(100, a + b + c, 1) << "core " << core << " of " << cores;
    }
  }
}

TEST(ReportPage, OmitsEmptySections) {
  InventedJob job = job_of(1);
  for (const char* unused : {"message.", "tasking.tasks", "steal.", "structures."}) {
    job.set_to_0(unused);
  }
  const std::string page = job.page();
  for (const char* section : {"messages ", "aggregation", "tasks", "combining", "program "}) {
    EXPECT_EQ("", after(section, page)) << section;
  }
  for (const char* section : {"job", "time", "memory"}) EXPECT_NE("", after(section, page));
  EXPECT_EQ(std::string::npos, page.find("\n\n\n"));
}

TEST(ReportPage, NeedsNoCountersOfCombining) {
  InventedJob job = job_of(1);
  for (auto counter = job.counters.begin(); counter != job.counters.end();) {
    const bool combining = counter->first.compare(0, 11, "structures.") == 0;
    counter = combining ? job.counters.erase(counter) : std::next(counter);
  }
  EXPECT_EQ("", after("combining", job.page()));
}

TEST(ReportPage, NamesTheFirstCoreThatSendsFarMoreThanOthers) {
  InventedJob job = job_of(4);
  EXPECT_EQ("", row("most by a core", job.page()));
  job.counters["message.messages"] = {1000, 9000000, 2000, 100};
  EXPECT_EQ("9.0 M  core 1; median 1.0 k, least 100", row("most by a core", job.page()).substr(5));
  job = job_of(6);
  job.counters["message.messages"] = {5, 1, 99, 1, 99, 7};
  EXPECT_EQ("99  core 2; median 5, least 1", row("most by a core", job.page()).substr(8))
      << "the lower of the two in the middle";
}

TEST(ReportPage, ReportsThatTheCountersWereReset) {
  InventedJob job = job_of(2);
  job.facts.was_reset = true;
  const std::string page = job.page();
  EXPECT_NE(std::string::npos, row("counted", page).find("2.00 s  since"));
  EXPECT_NE(std::string::npos, page.find("2.0 M  1.0 M/s\n")) << "since the reset";
}

TEST(ReportPage, HasTheMetricsOfTheProgramCutToTheWidthOfThePage) {
  InventedJob job = job_of(2);
  std::string umlauts;
  for (int k = 0; k < 50; ++k) umlauts += "\xc3\xa4";
  job.program = {{metric("cells_visited", "cells", "seen"), Reading(4096, Total::Sum), {}},
                 {metric("a_name_that_is_longer_than_most"), Reading(17, Total::Sum), {}},
                 {metric("untouched"), Reading(0, Total::Sum), {}},
                 {metric("mode"), Reading("xx" + umlauts), {}}};
  const std::string page = job.page();
  EXPECT_EQ("program      cells_visited        4096  cells seen",
            "program     " + after("program     ", page));
  EXPECT_EQ("17", row("a_name_that_is_longer_than_most", page));
  EXPECT_EQ("", row("untouched", page));
  const std::string mode = row("mode", page);
  EXPECT_EQ("\xc3\xa4...", mode.substr(mode.size() - 5)) << "not within a character";
  for (int more = 0; more < 9; ++more) {
    job.program.push_back({metric("another"), Reading(1, Total::Sum), {}});
  }
  EXPECT_NE(std::string::npos, row("more", job.page()).find("7  metrics"));
}

TEST(ReportJson, HasTheNumbersOfThePageUnrounded) {
  InventedJob job = job_of(4);
  job.counters["message.messages"][3] = 1000001;
  const nlohmann::json report = nlohmann::json::parse(report_json(job.table()));
  EXPECT_EQ("invented", report["job"]["program"]);
  EXPECT_TRUE(report["messages"]["sent"].is_number_integer());
  EXPECT_EQ(4000001, report["messages"]["sent"]);
  EXPECT_EQ(1000001, report["messages"]["sent_by_core"][3]);
  EXPECT_DOUBLE_EQ(4000001 / 2.5, report["messages"]["per_second"]);
  EXPECT_DOUBLE_EQ(75, report["time"]["running_percent"][3]);
  EXPECT_DOUBLE_EQ(71, report["aggregation"]["full_percent"]);
  EXPECT_DOUBLE_EQ(2940000 / 1200., report["combining"]["operations_each"]);
  EXPECT_EQ(300000, report["memory"]["malloc_bytes_by_core"][3]) << "without the tables";
  EXPECT_EQ(23000000 - 900000 - 300000 - 300000, report["memory"]["rest_bytes_by_core"][3]);
}

TEST(ReportJson, HasAllPairsOfLocalesThatHaveSentBuffers) {
  InventedJob job = job_of(2);
  job.facts.pairs = {{0, 1, 7, 700}, {1, 0, 8, 90}};
  const nlohmann::json report = nlohmann::json::parse(report_json(job.table()));
  EXPECT_EQ("[[0,1,7,700],[1,0,8,90]]", report["locales"]["pairs"].dump());
}

TEST(ReportJson, HasAllFieldsOfAJobWithoutNumbers) {
  InventedJob job = job_of(2);
  const nlohmann::json full = nlohmann::json::parse(report_json(job.table())).flatten();
  job.set_to_0("");
  job.facts.wall_seconds = 0;
  const nlohmann::json report = nlohmann::json::parse(report_json(job.table())).flatten();
  for (const auto& field : full.items()) {
    ASSERT_TRUE(report.contains(field.key())) << field.key();
    if (field.key().compare(0, 4, "/job") == 0 || field.key() == "/locales/pairs") continue;
    EXPECT_EQ(0, report[field.key()]) << field.key();
  }
}

}  // namespace
}  // namespace Grappa
