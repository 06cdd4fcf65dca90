#pragma once

/// Litmus programs are small parallel programs that distinguish memory models. This module computes
/// their outcomes under sequential consistency: the outcomes of all interleavings of the threads.
///
/// The programs and their names are from J. Alglave, L. Maranget, M. Tautschnig, "Herding Cats",
/// ACM TOPLAS 36(2), 2014.

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
  int number;   // for a read, the register number; for a write, the value
  bool joined;  // this write and the next write may take effect in either order
};

struct Program {
  std::string name;
  int words;      // number of words, all 0 initially
  int registers;  // number of registers, each the target of one read
  std::vector<std::vector<Access>> threads;

  /// True if only one access writes the word. In this case, an operation that depends on the old
  /// value may perform the write.
  bool written_once(int word) const;
};

/// The final values of all registers and words; each value is below kValues.
typedef int Outcome;
enum { kValues = 4, kMostWords = 3 };

/// The part of an outcome that a register or word with this final value adds.
Outcome register_part(int number, int value);
Outcome word_part(const Program& program, int word, int value);

std::string to_text(const Program& program, Outcome outcome);

const std::vector<Program>& programs();

/// The index of the program with this name.
size_t program_named(const std::string& name);

/// The outcomes that sequential consistency allows.
std::set<Outcome> sequential_outcomes(const Program& program);

}  // namespace litmus
