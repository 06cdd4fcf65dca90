#pragma once

/// The command line of a job:
///
///     job [-n CORES] [--hosts HOST[:SLOTS],... | --hostfile FILE] [--shared] [--check]
///         [--world=shm|mpi] [--programs FOLDER] PROGRAM [ARGUMENT...]
///
/// A PROGRAM without a slash is a file of FOLDER, or without --programs one in PATH. The scripts in
/// front of the launcher pass these options on; only this parser checks them.

#include <string>
#include <vector>

namespace launcher {

struct Options {
  int cores = 0;  // 0: not given
  std::string hosts;
  std::string hostfile;
  bool shared = false;               // other jobs use the processors too: do not bind
  bool check = false;                // the cores run in checked mode
  bool over_mpi = false;             // by mpirun instead of by this program
  std::vector<std::string> command;  // the program's path, and its arguments
};

/// Refuses what is wrong with the command line, or with the program that it names.
Options parse_options(int argc, char* argv[]);

}  // namespace launcher
