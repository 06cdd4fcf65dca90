#pragma once

/// The command line of a job:
///
///     job [-n CORES] [--hosts HOST[:SLOTS],... | --hostfile FILE] [--shared] [--check]
///         [--world=shm|mpi] [--simulate=CLUSTER] [--programs FOLDER] PROGRAM [ARGUMENT...]
///
/// A PROGRAM without a slash is a file in FOLDER; if --programs is absent, a file in PATH. The
/// scripts that call the launcher pass these options through; only this parser checks them.

#include <string>
#include <vector>

namespace launcher {

struct Options {
  int cores = 0;  // 0: not given
  std::string hosts;
  std::string hostfile;
  bool shared = false;               // other jobs use the processors, too: do not bind cores
  bool check = false;                // the cores run in checked mode
  bool over_mpi = false;             // mpirun starts the job
  std::string simulate;              // the cluster to simulate; "": none
  std::vector<std::string> command;  // the path of the program and its arguments
};

/// Parses the command line. Refuses an invalid command line and a program that cannot be executed.
Options parse_options(int argc, char* argv[]);

}  // namespace launcher
