#pragma once

/// Decides when the network is due for a poll.
///
/// Reading the clock costs as much as a switch between workers. So switches are counted, and the
/// clock is read only when a *grant* of switches has been spent. The size of the next grant follows
/// from the rate of switches since the last poll. Invariants: the switches left do not exceed the
/// grant; a closed budget grants nothing.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {
namespace detail {

class PollBudget {
 public:
  /// A poll is due after `interval_ticks`, and after `switches_per_poll` switches at the latest.
  PollBudget(uint64_t interval_ticks, int switches_per_poll);

  /// The grant is spent: due() has to look at the clock.
  bool spent() const { return left_ <= 0; }

  /// One switch, or one task that started.
  void spend() { --left_; }

  /// True if a poll is due. If not, at least one more switch is granted.
  bool due() { return left_ <= 0 && clock_says_due(); }

  /// The interval is over at `now_ticks`, however many switches are left.
  bool interval_is_over(uint64_t now_ticks) const { return now_ticks - polled_ticks_ >= interval_; }

  /// Takes back what is left of the grant.
  void revoke();

  /// From now on due() is true at once, until open().
  void close();

  /// Grants the first switches at `now_ticks`, one of which is spent.
  void open(uint64_t now_ticks);

  /// A poll begins at `now_ticks`. Returns the ticks since the end of the last one.
  uint64_t poll_begins(uint64_t now_ticks);

  /// A poll ends at `now_ticks` that began `elapsed_ticks` after the last one. A handler may have
  /// suspended in it, so other polls may lie in between.
  void poll_ends(uint64_t now_ticks, uint64_t elapsed_ticks);

  /// The end of the last poll.
  uint64_t polled_ticks() const { return polled_ticks_; }

  /// Switches since the previous call or the last poll, without the latest one.
  uint32_t take_unnoted();

 private:
  /// The clock is read at least once in so many switches. Not measured.
  static constexpr int kMostGranted = 32;

  bool clock_says_due();
  int spent_of_grant() const { return granted_ - std::max(0, left_); }
  int grant(uint64_t fitting, int most) const {
    return static_cast<int>(
        std::max<uint64_t>(1, std::min(fitting, static_cast<uint64_t>(std::max(1, most)))));
  }

  int left_ = 0;      // switches until the clock is read
  int granted_ = 0;   // what left_ was when the clock was last read
  int switches_ = 0;  // since the last poll, without the current grant
  int noted_ = 0;     // switches since the last poll that take_unnoted() has returned
  bool closed_ = true;
  uint64_t polled_ticks_ = 0;
  const uint64_t interval_;  // ticks
  const int switches_per_poll_;
};

}  // namespace detail
}  // namespace Grappa
