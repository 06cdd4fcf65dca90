#include "system/report/report_page.hpp"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

/// A job with values in each section. Core c of n runs for c / n of the time, and core 0 polls for
/// the rest.
ReportNumbers job_of(uint64_t cores) {
  ReportNumbers numbers;
  numbers.job.program = "invented";
  numbers.job.cores = cores;
  numbers.job.locales = (cores + 15) / 16;
  numbers.job.hosts = (cores + 31) / 32;
  numbers.job.wall_seconds = 2.5;
  for (uint64_t core = 0; core < cores; ++core) {
    const double running = 2.0 * static_cast<double>(core) / static_cast<double>(cores);
    const double rest = 2.0 - running;
    numbers.times.push_back({running, core == 0 ? rest : rest / 4, core == 0 ? 0 : rest / 4 * 3});
    numbers.messages_of_core.push_back(1000000);
    numbers.workers_of_core.push_back(1000 + core);
    numbers.resident_of_core.push_back(40000000 + 1000000 * core);
    numbers.peak_of_core.push_back(60000000 + 1000000 * core);
  }
  numbers.messages = 1000000 * cores;
  numbers.message_bytes = 24000000 * cores;
  numbers.buffers.full = 710 * cores;
  numbers.buffers.idle = 200 * cores;
  numbers.buffers.aged = 87 * cores;
  numbers.buffers.latency_critical = 2 * cores;
  numbers.buffers.on_request = cores;
  numbers.tasks = 20000 * cores;
  numbers.tasks_stolen = 2000;
  numbers.operations = 3000000;
  numbers.commits = 1200;
  numbers.matched_pairs = 1000000;
  numbers.duplicates = 210000;
  numbers.known = 60000;
  numbers.structure_messages = 1500;
  numbers.heap_bytes = 134217728;
  numbers.heap_bytes_most = 268435456;
  numbers.heap_bytes_resident = 100000000;
  numbers.heap_bytes_reserved = 28500000000;
  numbers.stack_bytes = 12000000;
  numbers.buffer_bytes_used = 1100000;
  numbers.buffer_bytes = 33500000;
  return numbers;
}

std::vector<std::string> lines_of(const std::string& page) {
  std::vector<std::string> lines;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The rest of the line that begins with `label` (or section and label); empty if there is none.
std::string after(const std::string& label, const std::string& page) {
  for (const std::string& line : lines_of(page)) {
    if (line.compare(0, label.size(), label) == 0) return line.substr(label.size());
  }
  return "";
}

std::string row(const std::string& label, const std::string& page) {
  return after(std::string(13, ' ') + label + " ", page);
}

/// Replaces each number by #, because its length and its first column do not matter.
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
             idle                  20%  the core had nothing else to do
             latency-critical      <1%  tasks waited for their messages
             aged                   9%  open for --flush_age_us microseconds
             on request            <1%  the receiver waited

tasks        run                40.0 k  16.0 k/s
             stolen              2.0 k  5% of them
             workers made        2.0 k  at most 1.0 k at once, on core 1

combining    operations          3.0 M  in 1.2 k batches, 2.5 k each
             messages            1.5 k  2.0 k operations each
             matched               67%  pushes and pops that met on their core
             duplicates             7%  merged with an equal pending operation
             known                  2%  answered from keys known on the core

memory       global heap      268.4 MB  at most, of 28.5 GB reserved
               at the end     134.2 MB  allocated, 100.0 MB in memory
             processes         41.0 MB  core 1; median 40.0 MB, least 40.0 MB
               at their peak   61.0 MB  core 1; median 60.0 MB, least 60.0 MB
             stacks            12.0 MB
             message buffers    1.1 MB  used by a core at most, of 33.5 MB

all counters, of each core: --report_json=FILE or --metrics_json=FILE
)";

TEST(ReportPage, IsAlignedInSections) { EXPECT_EQ(kPageOfTwoCores, report_page(job_of(2))); }

TEST(ReportPage, NamesTheCoresOfMinimumAndMaximumIfThereAreMany) {
  const std::string page = report_page(job_of(64));
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
    const std::vector<std::string> lines = lines_of(report_page(job_of(cores)));
    EXPECT_LE(lines.size(), 45u) << cores << " cores";
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
    for (const std::string& line : lines_of(masked(report_page(job_of(cores))))) {
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

TEST(ReportPage, SharesOfACoreAddUp) {
  for (const uint64_t cores : {1, 2, 4, 8}) {
    const std::string page = report_page(job_of(cores));
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
  ReportNumbers numbers = job_of(1);
  numbers.messages = numbers.tasks = numbers.operations = 0;
  numbers.structure_messages = numbers.matched_pairs = numbers.duplicates = numbers.known = 0;
  numbers.buffers = ReportNumbers::Buffers();
  const std::string page = report_page(numbers);
  for (const char* section : {"messages ", "aggregation", "tasks", "combining", "program "}) {
    EXPECT_EQ("", after(section, page)) << section;
  }
  for (const char* section : {"job", "time", "memory"}) EXPECT_NE("", after(section, page));
  EXPECT_EQ(std::string::npos, page.find("\n\n\n"));
}

TEST(ReportPage, NamesACoreThatSendsFarMoreThanOthers) {
  ReportNumbers numbers = job_of(4);
  EXPECT_EQ("", row("most by a core", report_page(numbers)));
  numbers.messages_of_core = {1000, 9000000, 2000, 100};
  EXPECT_EQ("9.0 M  core 1; median 1.0 k, least 100",
            row("most by a core", report_page(numbers)).substr(5));
}

TEST(ReportPage, ReportsThatTheCountersWereReset) {
  ReportNumbers numbers = job_of(2);
  numbers.job.was_reset = true;
  const std::string page = report_page(numbers);
  EXPECT_NE(std::string::npos, row("counted", page).find("2.00 s  since"));
  EXPECT_NE(std::string::npos, page.find("2.0 M  1.0 M/s\n")) << "since the reset";
}

TEST(ReportPage, HasTheMetricsOfTheProgramCutToTheWidthOfThePage) {
  ReportNumbers numbers = job_of(2);
  std::string umlauts;
  for (int k = 0; k < 50; ++k) umlauts += "\xc3\xa4";
  numbers.program = {{"cells_visited", "4096", "cells", "seen"},
                     {"a_name_that_is_longer_than_most", "17", "", ""},
                     {"mode", "xx" + umlauts, "", ""}};
  const std::string page = report_page(numbers);
  EXPECT_EQ("program      cells_visited        4096  cells seen",
            "program     " + after("program     ", page));
  EXPECT_EQ("17", row("a_name_that_is_longer_than_most", page));
  const std::string mode = row("mode", page);
  EXPECT_EQ("\xc3\xa4...", mode.substr(mode.size() - 5)) << "not within a character";
  for (int more = 0; more < 9; ++more) numbers.program.push_back({"another", "1", "", ""});
  EXPECT_NE(std::string::npos, row("more", report_page(numbers)).find("7  metrics"));
}

TEST(Spread, NamesTheFirstCoresWithMinimumAndMaximum) {
  const CoreSpread<uint64_t> spread = spread_of(std::vector<uint64_t>{5, 1, 9, 1, 9, 7});
  EXPECT_EQ(1u, spread.min);
  EXPECT_EQ(5u, spread.median) << "the lower of the two in the middle";
  EXPECT_EQ(9u, spread.max);
  EXPECT_EQ(1u, spread.min_core);
  EXPECT_EQ(2u, spread.max_core);
}

}  // namespace
}  // namespace Grappa
