#pragma once

/// The life of MPI, and the few blocking collectives that starting and ending a job needs. No task
/// may run while one of these waits. mpi.h stays out of all headers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace Grappa {

/// Starts MPI; a program that was not started by mpirun becomes a job of one core.
void mpi_start(int* argc, char** argv[]);
void mpi_finish();

void mpi_barrier();

/// A sum over all cores during which this core goes on receiving messages: others may not be able
/// to take part before it has.
class MpiSum {
 public:
  /// Every core begins the sums of one sequence in the same order.
  enum class Sequence { Phases, Votes };

  /// Adds up the `n` numbers at `values`, in place; they stay where they are until done() is true.
  MpiSum(uint64_t* values, size_t n, Sequence sequence = Sequence::Phases);
  ~MpiSum();
  MpiSum(const MpiSum&) = delete;
  MpiSum& operator=(const MpiSum&) = delete;
  bool done();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The smallest over all cores.
uint64_t mpi_min(uint64_t value);

/// The texts of all cores, in the order of the cores, on core 0; nothing on the others.
std::vector<std::string> mpi_gather_texts(const std::string& mine);

/// This core's `bytes` bytes from every core, in the order of the cores.
std::vector<char> mpi_all_gather(const void* mine, size_t bytes);

}  // namespace Grappa
