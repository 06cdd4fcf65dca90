#pragma once

/// The table of the updates.

#include <Grappa.hpp>

#include <cstdint>

namespace gups {

using Grappa::GlobalAddress;

/// A table of 2^log_words words over all cores.
struct Table {
  GlobalAddress<int64_t> words;
  int log_words;

  int64_t size() const { return int64_t(1) << log_words; }
};

}  // namespace gups
