#pragma once

/// Whether messages of this core to itself wait. If none waits and no handler runs, an operation
/// that is executed at once, instead of sent, overtakes no message and interrupts no handler.

#include "system/base/core_local.hpp"

#include <cstdint>

namespace Grappa { namespace detail {

/// The number of this core while its tasks may execute operations at once, otherwise negative. One
/// comparison with the owner of a word therefore decides.
extern GRAPPA_CORE_LOCAL(int64_t) the_at_once_core;

class OwnMessages {
 public:
  /// Permits execution at once while no message waits, or forbids it. At first it is forbidden.
  void permit(bool permitted);

  /// The number of buffers with such messages that are open, sent or being executed, and of entries
  /// of the overflow list.
  int64_t buffers() const { return buffers_; }

  /// Called when a buffer for this core is opened, and when it has been executed, or has been
  /// copied to an entry of the overflow list that exists.
  void opened();
  void closed();

  /// Called before and after handlers run, and when a handler suspends.
  void set_in_handler(bool in_handler);

  void reset() { *this = OwnMessages(); }

 private:
  void update();

  int64_t buffers_ = 0;
  bool permitted_ = false;
  bool in_handler_ = false;
};

extern OwnMessages the_own_messages;

}}  // namespace Grappa::detail
