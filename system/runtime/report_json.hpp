#pragma once

/// What --report_json writes.

#include "system/runtime/report_numbers.hpp"

#include <ostream>
#include <vector>

namespace Grappa {
namespace detail {

/// The numbers of the page, unrounded, under "report", and beside it what write_metrics_json
/// writes. Sections are all there, those without anything to tell too. docs/running.md lists the
/// fields.
void write_report_json(std::ostream& out, const ReportNumbers& numbers,
                       const std::vector<MergedMetric>& metrics);

}  // namespace detail
}  // namespace Grappa
