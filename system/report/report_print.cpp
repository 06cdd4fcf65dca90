#include "system/report/report_table.hpp"

#include <nlohmann/json.hpp>

namespace Grappa::detail {
namespace {

/// Cuts a line to the width of the page, because texts of programs may be of any length.
std::string cut(const std::string& line) {
  if (line.size() <= kPageColumns) return line;
  size_t end = kPageColumns - 3;
  while ((line[end] & 0xc0) == 0x80) --end;  // not inside a UTF-8 character
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
  nlohmann::ordered_json report;
  for (const ReportRow& row : table) {
    if (row.field.empty()) continue;
    report[row.section][row.field] = nlohmann::ordered_json::parse(row.value);
  }
  return report.dump();
}

}  // namespace Grappa::detail
