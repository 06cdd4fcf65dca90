#pragma once

/// Shows the progress of a long step on a terminal.
///
///     Progress progress("building", nedge, "edges");
///     const Progress::Counter done = progress.counter();
///     forall(edges, nedge, [done](int64_t first, int64_t count, Edge* edge) {
///       ...
///       done.add(count);
///     });
///
/// Only core 0 prints. It estimates the progress of all cores from its own share of the work, so no
/// messages are sent, and the other cores only execute a comparison. The line
/// (observe/readable.hpp) is erased when the step ends. A step of less than a second is not shown.
/// Only one step is shown at a time.

#include "system/global/address.hpp"
#include "system/net/topology.hpp"
#include "system/observe/readable.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace Grappa {

class Progress {
 public:
  /// Loop bodies may capture a Counter. Core 0 must use it only while the Progress exists.
  class Counter {
   public:
    Counter() = default;  // for a step that is not shown

    void add(int64_t n) const {  // this core has completed `n` more pieces
      if (mycore() == 0 && shown_.raw_bits() != 0) shown_.pointer()->add(n);
    }

   private:
    friend class Progress;
    GlobalAddress<Progress> shown_ = nullptr;  // on core 0
  };

  /// Begins a step of `all` pieces of work over all cores. `unit` is the name of the pieces
  /// ("edges"). Core 0 has `share` pieces; -1 means an equal share.
  Progress(const std::string& step, int64_t all, const std::string& unit, int64_t share = -1);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  Counter counter() {
    Counter counter;
    if (line_ != nullptr) counter.shown_ = make_global(this);
    return counter;
  }

  void add(int64_t n) {  // like Counter::add
    done_ += n;
    if (done_ >= next_look_) look();
  }

 private:
  void look();

  std::unique_ptr<detail::ProgressLine> line_;  // null if the step is not shown
  double pieces_per_own_ = 0;                   // pieces of all cores per piece of this core
  int64_t between_looks_ = 1;                   // pieces of this core between looks at the clock
  int64_t next_look_ = INT64_MAX;
  int64_t done_ = 0;  // pieces that this core has completed
};

namespace detail {

/// A core's stderr may be a pipe, so the launcher sets GRAPPA_TERMINAL=1 if its own is a terminal.
bool stderr_is_terminal();

}  // namespace detail
}  // namespace Grappa
