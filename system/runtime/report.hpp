#pragma once

/// The counters of a run, added up over all cores.

#include <string>

namespace Grappa {

/// One line for each counter that is not zero anywhere: name, sum, unit, meaning. Called by all
/// cores together, outside of run; the text is the same on all.
std::string counters_report();

}  // namespace Grappa
