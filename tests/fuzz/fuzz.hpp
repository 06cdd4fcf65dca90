#pragma once

/// What a fuzz target is: a function that takes any bytes and ends the program if a parser breaks
/// its word on them, and valid inputs to begin with. The function has the name that libFuzzer
/// calls; driver.cpp has a main that needs no libFuzzer.

#include "system/base/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fuzz {

/// Valid inputs, which the driver mutates.
std::vector<std::string> corpus();

/// A parser's sentence is one line of a terminal: printable, and not too long.
inline void check_sentence(const std::string& sentence) {
  GRAPPA_CHECK(!sentence.empty()) << "no sentence about a bad input";
  GRAPPA_CHECK(sentence.size() < 400) << "a sentence of " << sentence.size() << " characters";
  for (const char c : sentence) {
    GRAPPA_CHECK(0x20 <= c && c <= 0x7e) << "byte " << int(c) << " in a sentence";
  }
}

}  // namespace fuzz
