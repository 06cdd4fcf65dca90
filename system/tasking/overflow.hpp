#pragma once

/// The error message for a stack overflow.

#include "system/tasking/worker.hpp"

namespace Grappa {
namespace detail {

struct OverflowSentence {
  char text[320];
};

/// Names the worker, its task, and a remedy. Signal-safe: allocates nothing and takes no lock.
OverflowSentence overflow_sentence(const Worker& worker);

}  // namespace detail
}  // namespace Grappa
