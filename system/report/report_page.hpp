#pragma once

/// The page that --report prints.
///
/// The page has a section for each possible cause of a slow job, in the order in which a user looks
/// for it. The first line of a section starts with its name. Empty sections are omitted. Columns
/// are the same on the whole page. Up to kCoresShown cores are shown side by side. For more cores
/// the page shows the minimum, median and maximum, with the cores that have them.

#include "system/report/report_numbers.hpp"

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

enum : size_t {
  kCoresShown = 8,    // side by side, in the width of a terminal
  kMetricsShown = 5,  // metrics of the program
  kPageColumns = 80
};

/// The page, in lines of at most kPageColumns columns.
std::string report_page(const ReportNumbers& numbers);

}  // namespace detail
}  // namespace Grappa
