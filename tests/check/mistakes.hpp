#pragma once

/// The parts that the sources of the program mistakes share.

#include <Grappa.hpp>

#include <vector>

struct Mistake {
  const char* name;
  void (*make)();
};

#define MISTAKE(name) \
  { #name, name }

/// Kinds of illegal captures (mistakes.cpp), and functions that take a closure
/// (passed_mistakes.cpp).
extern const std::vector<Mistake> kinds_of_captures;
extern const std::vector<Mistake> ways_to_pass;

/// The destination of closures: another core if the job has several.
inline Grappa::Core other() { return static_cast<Grappa::Core>(Grappa::cores() - 1); }
