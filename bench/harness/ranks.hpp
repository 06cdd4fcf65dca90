#pragma once

/// Synchronizes the processes of a job before the World is created and after it is destroyed.
/// Process 0 can then probe the machine while the other processes of the node neither start nor
/// poll.
///
/// The processes connect through an abstract socket; a connection lasts until one of its processes
/// ends. If the launcher is not that of Open MPI, no process waits. On other nodes, no process
/// waits.

#include <string>
#include <vector>

namespace bench {

class Ranks {
 public:
  /// Reads the environment that the launcher or mpirun has set. Without it, there is one process.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Returns when all other processes of this node wait for release(), or after a timeout.
  /// From: process 0.
  void gather();

  /// Lets the other processes continue. From: process 0, after gather().
  void release();

  /// Returns when the other processes of this node have ended. From: process 0, after release().
  void wait_until_gone();

  /// Returns true after a release, and false if process 0 has ended. From: all except process 0.
  bool wait_for_release();

 private:
  int rank_;
  int size_;
  int here_;  // number of synchronized processes, including process 0; 1 if there are no others
  std::string meeting_point_;
  std::vector<int> connections_;  // process 0: to all others; other processes: to process 0
};

}  // namespace bench
