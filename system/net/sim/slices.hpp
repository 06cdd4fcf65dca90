#pragma once

/// Recorded time: the measured time of a core's slices, instead of a cost for each count of work.
///
/// A slice is what the program and the runtime do between two calls of the simulation. While the
/// simulation records, each slice is measured and written to a file of its core. A replay reads the
/// times from these files, so its events and its hash are those of the recorded run.
///
/// The processor may run other processes during a slice. Therefore the processor time of the
/// process limits the time of a long slice.

#include "system/net/sim/options.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

/// Creates the folder to record in, or checks the files to replay. Exits with status 2 if that
/// fails. Called before the cores are forked.
void prepare_slices(const SimOptions& options);

class Slices {
 public:
  Slices(const SimOptions& options, int core);

  /// The next slice starts.
  void start();

  /// Returns the picoseconds of the slice that ends.
  uint64_t end_ps();

  /// Writes what is recorded.
  void flush();

 private:
  uint64_t measure_ps();
  void write(uint64_t number);
  uint64_t read();

  const bool record_;
  const double ps_per_tick_;
  int file_ = -1;
  uint64_t overhead_ticks_ = 0;  // of an empty slice
  uint64_t start_ticks_ = 0;
  uint64_t checked_cpu_ns_ = 0;  // processor time at the last check
  size_t next_ = 0, size_ = 0;   // in bytes_
  unsigned char bytes_[1 << 16];
};

}}  // namespace Grappa::detail
