#pragma once

/// The functions of MPI. libmpi is loaded on demand.
///
/// A program linked to libmpi loads libmpi and its ten libraries at each start. These libraries
/// take 1.4 MB per process and half of the dynamic linker's time. Most jobs run on one host and do
/// not call MPI, so Grappa is not linked to libmpi. This header includes mpi.h and is not
/// installed.

#include <mpi.h>

#ifndef OPEN_MPI
#error "Grappa requires Open MPI: MpiLibrary uses symbols that only Open MPI has"
#endif

namespace Grappa {
namespace detail {

#define GRAPPA_MPI_FUNCTIONS(FUNCTION) \
  FUNCTION(Allgather)                  \
  FUNCTION(Barrier)                    \
  FUNCTION(Cancel)                     \
  FUNCTION(Comm_dup)                   \
  FUNCTION(Comm_free)                  \
  FUNCTION(Comm_rank)                  \
  FUNCTION(Comm_size)                  \
  FUNCTION(Comm_split_type)            \
  FUNCTION(Finalize)                   \
  FUNCTION(Gather)                     \
  FUNCTION(Gatherv)                    \
  FUNCTION(Iallreduce)                 \
  FUNCTION(Init_thread)                \
  FUNCTION(Irecv)                      \
  FUNCTION(Isend)                      \
  FUNCTION(Test)                       \
  FUNCTION(Testsome)                   \
  FUNCTION(Wait)

/// Function pointers named without the prefix: MPI_Test is mpi.Test.
struct MpiLibrary {
#define GRAPPA_MPI_POINTER(name) decltype(&MPI_##name) name;
  GRAPPA_MPI_FUNCTIONS(GRAPPA_MPI_POINTER)
#undef GRAPPA_MPI_POINTER
  MPI_Comm world;        // MPI_COMM_WORLD
  MPI_Datatype byte;     // MPI_BYTE
  MPI_Datatype integer;  // MPI_INT
  MPI_Datatype uint64;   // MPI_UINT64_T
  MPI_Op sum;            // MPI_SUM
  MPI_Info no_info;      // MPI_INFO_NULL
};

/// Initialized by load_mpi().
extern MpiLibrary mpi;

/// Loads libmpi. If libmpi is missing, exits with status 2 and a message of one line.
void load_mpi();

}  // namespace detail
}  // namespace Grappa
