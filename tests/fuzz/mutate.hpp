#pragma once

/// The mutations of fuzz tests.

#include "tests/harness/random.hpp"

#include <cstddef>
#include <string>

namespace fuzz {

/// Changes the text once: inserts a byte or a token, repeats or removes a part, truncates the text,
/// joins it with a part of `other`, or flips a bit. The text has at most `most_bytes` then.
void mutate(std::string* text, const std::string& other, size_t most_bytes,
            Grappa::SplitMix64* random);

}  // namespace fuzz
