#pragma once

/// The counters of a run, those of all cores put together: their sum, or their maximum.

#include <string>

namespace Grappa {

/// One line for each counter that is not zero anywhere: name, value, unit, meaning. Called by all
/// cores together, outside of run; the text is the same on all.
std::string counters_report();

}  // namespace Grappa
