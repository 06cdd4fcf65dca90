#pragma once

/// The functions of MPI, which is loaded when they are needed.
///
/// A program that is linked to libmpi loads it and its ten libraries at each start: 1.4 MB of
/// memory in each process, and half of the time that the dynamic linker takes. Most jobs run on one
/// host and call none of it. So no part of Grappa is linked to libmpi. This header includes mpi.h
/// and is not installed.

#include <mpi.h>

#ifndef OPEN_MPI
#error "Grappa needs Open MPI: MpiLibrary looks up Open MPI's own symbols"
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

/// MPI_Test is mpi.Test, and so on.
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

/// Filled in by load_mpi().
extern MpiLibrary mpi;

/// Ends the process with one line and status 2 if there is no libmpi.
void load_mpi();

}  // namespace detail
}  // namespace Grappa
