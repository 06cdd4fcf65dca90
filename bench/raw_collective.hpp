#pragma once

/// The barriers and sums of MPI among the processes of a job. A waiting process spins. All
/// processes call these functions together.

#include <cstddef>

namespace raw {

/// Creates the communicator of the other functions. Must be called once before them.
void prepare_collectives();

void barrier();
double sum(double value);
void sum_inplace(double* values, size_t n);

}  // namespace raw
