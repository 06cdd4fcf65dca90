#pragma once

/// A serial reader of text files, as the model of fuzz tests. It shares no code with the library.

#include <cstddef>
#include <string>
#include <vector>

namespace fuzz {

enum class TextState { kGood, kDamaged, kTooLarge };

/// Decompresses the bytes of a file, whose suffix selects the compression. kTooLarge: the text has
/// more than `most_bytes`.
TextState text_of(const std::string& path, const std::string& bytes, size_t most_bytes,
                  std::string* text);

/// The lines without their '\n'. The last line may lack the '\n'.
std::vector<std::string> lines_of(const std::string& text);

bool ends_with(const std::string& text, const std::string& end);

}  // namespace fuzz
