#pragma once

/// What to tell people whose stack has overflown.

#include "system/tasking/worker.hpp"

namespace Grappa {
namespace detail {

struct OverflowSentence {
  char text[320];
};

/// Says which worker it is, what it runs, and what helps. Allocates nothing and takes no lock: for
/// signal handlers too.
OverflowSentence overflow_sentence(const Worker& worker);

}  // namespace detail
}  // namespace Grappa
