#pragma once

/// Barriers and sums as MPI has them, among the processes of a benchmark's job. Who waits in one
/// spins. Called by all processes together.

#include <cstddef>

namespace raw {

/// Before the first of the others, once: a communicator that carries nothing else.
void prepare_collectives();

void barrier();
double sum(double value);
void sum_inplace(double* values, size_t n);

}  // namespace raw
