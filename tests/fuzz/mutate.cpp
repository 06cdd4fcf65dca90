#include "tests/fuzz/mutate.hpp"

#include <vector>

namespace {

using Grappa::SplitMix64;

size_t place_in(const std::string& text, SplitMix64* random) {
  return static_cast<size_t>(random->below(static_cast<int64_t>(text.size()) + 1));
}

/// Tokens that parsers of numbers and lines often handle wrongly.
std::string token(SplitMix64* random) {
  static const std::vector<std::string> tokens = {"\n",
                                                  "\r\n",
                                                  "\r",
                                                  " ",
                                                  "\t",
                                                  "0",
                                                  "1",
                                                  "-1",
                                                  "-",
                                                  "+",
                                                  "1e308",
                                                  "#",
                                                  "%",
                                                  "nan",
                                                  "inf",
                                                  "0x1",
                                                  ".5",
                                                  "\"",
                                                  "\\",
                                                  "\x7f\xff",
                                                  "4294967296",
                                                  std::string(1, '\0'),
                                                  std::string(4, '\xff'),
                                                  std::string(8, '\x80'),
                                                  "9223372036854775807",
                                                  "9223372036854775808",
                                                  "-9223372036854775808",
                                                  "99999999999999999999999999",
                                                  std::string(70, '7')};
  return tokens[static_cast<size_t>(random->below(static_cast<int64_t>(tokens.size())))];
}

}  // namespace

void fuzz::mutate(std::string* text, const std::string& other, size_t most_bytes,
                  SplitMix64* random) {
  const size_t at = place_in(*text, random), length = place_in(*text, random) / 4;
  switch (random->below(8)) {
    case 0: text->erase(at, length); break;
    case 1: text->insert(at, token(random)); break;
    case 2: text->insert(at, *text, place_in(*text, random), length); break;
    case 3: *text = text->substr(0, at) + other.substr(place_in(other, random)); break;
    case 4: text->insert(at, 1, static_cast<char>(random->below(256))); break;
    case 5: text->resize(at); break;
    default:
      if (at == text->size()) break;
      (*text)[at] = static_cast<char>((*text)[at] ^ 1 << random->below(8));
  }
  if (text->size() > most_bytes) text->resize(most_bytes);
}
