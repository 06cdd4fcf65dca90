#pragma once

/// Async updates of own words, in bench/gups: is the choice between executing at once and sending
/// (system/global/own_words.hpp) as good as the better of the two?

#include <Grappa.hpp>

#include "bench/harness/pairs.hpp"

#include <cstdint>

namespace bench {

/// The order in which a core updates its words. In Local order, most updates are in the cache line
/// of the update before.
enum class OwnOrder { Local, Random };

enum class OwnWay {
  Chosen,  // increment<async>
  AtOnce,  // an owner check and an addition
  Sent,    // call<async>, which always sends a message
};

/// A table of which each core has 2^log_words words, in its own memory.
class OwnUpdates {
 public:
  /// From: task.
  explicit OwnUpdates(int log_words);
  ~OwnUpdates();
  OwnUpdates(const OwnUpdates&) = delete;
  OwnUpdates& operator=(const OwnUpdates&) = delete;

  /// Adds 1 to `n` words in all, each core to its own words. Verifies the sum of all words.
  Measurement update(OwnOrder order, OwnWay way, int64_t n);

  /// Returns the better of the two fixed ways, each with half of the updates.
  Measurement best_fixed(OwnOrder order, int64_t n);

 private:
  const int log_words_;
  uint64_t sum_ = 0;  // expected sum of all words
};

}  // namespace bench
