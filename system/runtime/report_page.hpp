#pragma once

/// The page that --report prints.
///
/// A section for each thing a job can be slow by, in the order in which one looks: the first line
/// of a section has its name, and one with nothing to tell is left out. Columns are the same all
/// over the page. Cores stand beside each other up to kCoresShown, beyond that as their minimum,
/// median and maximum with the cores that have them.

#include "system/runtime/report_numbers.hpp"

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

enum : size_t {
  kCoresShown = 8,    // side by side, in the width of a terminal
  kMetricsShown = 5,  // of those that the program defines
  kPageColumns = 80
};

/// Lines of kPageColumns at most.
std::string report_page(const ReportNumbers& numbers);

}  // namespace detail
}  // namespace Grappa
