#include "bench/raw_collective.hpp"

#include <mpi.h>

namespace raw {
namespace {

MPI_Comm all = MPI_COMM_NULL;

}  // namespace

void prepare_collectives() { MPI_Comm_dup(MPI_COMM_WORLD, &all); }

void barrier() { MPI_Barrier(all); }

double sum(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, all);
  return value;
}

void sum_inplace(double* values, size_t n) {
  MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, all);
}

}  // namespace raw
