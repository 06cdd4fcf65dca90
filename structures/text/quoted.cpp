#include "structures/text/quoted.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa::detail {
namespace {

// Appends the character, or its code if it cannot be printed.
void append(char c, bool can_be_printed, std::string* text) {
  static const char kDigits[] = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  if (can_be_printed) return text->push_back(c);
  *text += {'\\', 'x', kDigits[code / 16], kDigits[code % 16]};
}

}  // namespace

std::string quoted(const char* first, const char* last) {
  constexpr int64_t kShown = 40;
  const char* shown = last - first > kShown ? first + kShown : last;
  std::string text = "\"";
  for (const char* at = first; at != shown; ++at) {
    if (*at == '"' || *at == '\\') text += '\\';
    append(*at, 0x20 <= *at && *at <= 0x7e, &text);
  }
  return text + (shown == last ? "\"" : "...\"");
}

std::string printable(const std::string& text, size_t most) {
  const auto inside_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
  };
  size_t length = std::min(text.size(), most);
  while (length < text.size() && length > 0 && inside_character(text[length])) --length;
  std::string shown;
  for (size_t k = 0; k < length; ++k) {
    append(text[k], static_cast<unsigned char>(text[k]) >= 0x20 && text[k] != 0x7f, &shown);
  }
  return length < text.size() ? shown + "..." : shown;
}

}  // namespace Grappa::detail
