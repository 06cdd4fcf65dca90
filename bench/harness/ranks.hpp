#pragma once

/// The processes of a job while there is no World, before it starts and after it has ended: so that
/// process 0 can probe the machine while the others of its machine are neither starting nor
/// polling.
///
/// They meet at a socket without a name in any file system, whose connections last until a process
/// ends. With a launcher other than Open MPI's, and on other machines, nobody waits for anybody.

#include <string>
#include <vector>

namespace bench {

class Ranks {
 public:
  /// From what the launcher, or mpirun, has put into the environment; without it, a job of one
  /// process.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Returns when all others of this machine wait for release(), or will not come in time.
  /// From: process 0.
  void gather();

  /// Lets the others go on. From: process 0, after gather().
  void release();

  /// Returns when the others of this machine have ended. From: process 0, after release().
  void wait_until_gone();

  /// Returns true when released, and false if process 0 has ended instead. From: all but process 0.
  bool wait_for_release();

 private:
  int rank_;
  int size_;
  int here_;  // processes that meet, process 0 included; 1 if there is nobody to wait for
  std::string meeting_point_;
  std::vector<int> connections_;  // of process 0 to the others, of another one to process 0
};

}  // namespace bench
