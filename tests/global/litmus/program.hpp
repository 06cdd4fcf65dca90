#pragma once

/// Small parallel programs that tell memory models apart, and what they may do under sequential
/// consistency: the outcomes of all interleavings of their threads.
///
/// The programs are the usual ones of the literature. (J. Alglave, L. Maranget, M. Tautschnig,
/// "Herding Cats", ACM TOPLAS 36(2), 2014, has them all under these names.)

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace litmus {

/// One access of a thread.
struct Access {
  enum Kind { Read, Write };
  Kind kind;
  int word;
  int number;   // of the register that is read into, or the value that is written
  bool joined;  // with the next one: two writes that may take effect in either order
};

struct Program {
  std::string name;
  int words;      // all 0 at first
  int registers;  // each read into once
  std::vector<std::vector<Access>> threads;

  /// A word that is written once may be written by operations that depend on what was there.
  bool written_once(int word) const;
};

/// The values of all registers and, when all threads have ended, of all words; each below kValues.
typedef int Outcome;
enum { kValues = 4, kMostWords = 3 };

/// What a register, or a word at the end, contributes to an outcome if it has this value.
Outcome register_part(int number, int value);
Outcome word_part(const Program& program, int word, int value);

std::string to_text(const Program& program, Outcome outcome);

const std::vector<Program>& programs();

/// The number of the program with this name.
size_t program_named(const std::string& name);

/// The outcomes that sequential consistency allows.
std::set<Outcome> sequential_outcomes(const Program& program);

}  // namespace litmus
