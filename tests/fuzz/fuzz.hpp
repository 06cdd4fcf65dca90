#pragma once

/// A fuzz target: a function that accepts any bytes and aborts the program if a parser violates its
/// contract, and a corpus of valid inputs. The function has the name that libFuzzer calls;
/// driver.cpp contains a main function that does not need libFuzzer.

#include "structures/text/quoted.hpp"
#include "system/base/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fuzz {

/// Valid inputs, which the driver mutates.
std::vector<std::string> corpus();

/// Checks an error message of a parser: one printable line, and not too long.
inline void check_sentence(const std::string& sentence) {
  GRAPPA_CHECK(!sentence.empty()) << "no error message for a bad input";
  GRAPPA_CHECK(sentence.size() < 400) << "an error message of " << sentence.size() << " characters";
  for (const char c : sentence) {
    GRAPPA_CHECK(0x20 <= c && c <= 0x7e) << "byte " << int(c) << " in a sentence";
  }
}

}  // namespace fuzz
