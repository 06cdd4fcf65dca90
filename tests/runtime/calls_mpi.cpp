/// A program that calls MPI itself, for worlds_test.sh.

#include <Grappa.hpp>

#include <cstdio>
#include <mpi.h>

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Grappa::run([rank] { std::printf("rank %d is core %d\n", rank, int(Grappa::mycore())); });
  return Grappa::finalize();
}
