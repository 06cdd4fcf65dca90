#pragma once

/// Prints the report at the end of a job, as a page for users and as JSON for scripts.

#include "system/report/report_table.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

constexpr size_t kPageColumns = 80;

/// The page, in lines of at most kPageColumns columns. The first line of a section starts with the
/// name of the section.
std::string report_page(const std::vector<ReportRow>& table);

/// The unrounded numbers as a JSON object of sections. docs/running.md lists the fields.
std::string report_json(const std::vector<ReportRow>& table);

}  // namespace detail
}  // namespace Grappa
