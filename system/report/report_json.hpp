#pragma once

/// Writes the file of --report_json.

#include "system/report/report_numbers.hpp"

#include <ostream>
#include <vector>

namespace Grappa {
namespace detail {

/// Writes the unrounded numbers of the page under "report", and then the output of
/// write_metrics_json. No section is omitted. docs/running.md lists the fields.
void write_report_json(std::ostream& out, const ReportNumbers& numbers,
                       const std::vector<MergedMetric>& metrics);

}  // namespace detail
}  // namespace Grappa
