#pragma once

/// Texts of the user in messages. A message is one printable line, whatever bytes the text has.

#include <cstddef>
#include <string>

namespace Grappa { namespace detail {

/// Returns the first 40 characters of a text in double quotes, for a message. Escapes quotes,
/// backslashes and all bytes except printable ASCII.
std::string quoted(const char* first, const char* last);

/// Returns the text, usually a path, with escaped control characters, for a message. A text of more
/// than `most` bytes is cut there, and ends with "...".
std::string printable(const std::string& text, size_t most = std::string::npos);

}}  // namespace Grappa::detail
