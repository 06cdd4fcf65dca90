#pragma once

/// How far a long step is, for who watches it on a terminal; in a pipe or a file nothing appears.
///
///     Progress progress("building", nedge, "edges");
///     const Progress::Counter done = progress.counter();
///     forall(edges, nedge, [done](int64_t first, int64_t count, Edge* edge) {
///       ...
///       done.add(count);
///     });
///
/// All cores count, and core 0 shows: what it has done of its own share stands for the whole, so no
/// message is sent and the other cores pay for a comparison. The line (progress_line.hpp) goes over
/// itself on stderr, and is wiped out when the step ends; nothing is shown of one that takes less
/// than a second. One step is shown at a time: those that begin meanwhile are silent.
///
/// Between a core and a terminal there is mpirun, which gives all cores pipes. So what starts the
/// job (launcher/) says by GRAPPA_TERMINAL=1 that its own stderr is a terminal; if it does not, the
/// core's own stderr counts.

#include "system/global/address.hpp"
#include "system/net/topology.hpp"
#include "system/observe/progress_line.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace Grappa {

class Progress {
 public:
  /// What bodies of loops capture: trivially copyable, and travels. Used on core 0 only as long as
  /// the Progress exists.
  class Counter {
   public:
    /// Of a step that nobody watches.
    Counter() = default;

    /// This core has done `n` more pieces.
    void add(int64_t n) const {
      if (mycore() == 0 && shown_.raw_bits() != 0) shown_.pointer()->add(n);
    }

   private:
    friend class Progress;
    explicit Counter(GlobalAddress<Progress> shown) : shown_(shown) {}

    GlobalAddress<Progress> shown_ = nullptr;  // of core 0
  };

  /// Begins a step called `step` of `all` pieces of work over all cores, each a `unit` ("edges").
  /// Core 0 has one share of as many as there are cores. On another core it stays silent.
  Progress(const std::string& step, int64_t all, const std::string& unit);

  /// The same if core 0 has `share` pieces of all.
  Progress(const std::string& step, int64_t all, const std::string& unit, int64_t share);

  /// Wipes the line out.
  ~Progress();

  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  Counter counter() { return line_ == nullptr ? Counter() : Counter(make_global(this)); }

  /// This core has done `n` more pieces. Writes a line now and then.
  void add(int64_t n) {
    done_ += n;
    if (done_ >= next_look_) look();
  }

 private:
  void look();

  std::unique_ptr<detail::ProgressLine> line_;  // null if silent
  double pieces_per_own_;                       // of all cores, for each of this core
  int64_t between_looks_;                       // at the clock, in pieces of this core
  int64_t next_look_;
  int64_t done_ = 0;  // by this core
};

namespace detail {

/// Whether a person watches what this process writes to stderr.
bool stderr_is_terminal();

}  // namespace detail

}  // namespace Grappa
