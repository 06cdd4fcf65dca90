#pragma once

/// Arrays as text, for messages and logs.

#include "system/base/check.hpp"
#include "system/global/locale_memory.hpp"
#include "system/parallel/bulk.hpp"

#include <cstdint>
#include <sstream>
#include <string>

namespace Grappa {
namespace util {

/// "name: [", the `n` elements as printed by <<, `width` per line, and "]".
template <class T>
std::string array_str(const std::string& name, const T* elements, int64_t n, int width = 10) {
  Grappa::detail::checked_count(n, "array_str");
  GRAPPA_CHECK(width > 0) << "array_str: width " << width << ", expected 1 or more per line";
  std::ostringstream text;
  text << name << ": [";
  for (int64_t k = 0; k < n; ++k) text << (k % width == 0 ? "\n  " : " ") << elements[k];
  text << "\n]";
  return text.str();
}

/// array_str for a global array. From: task. Suspends: until it has been read. Messages: as memcpy.
template <class T>
std::string array_str(const std::string& name, GlobalAddress<T> base, int64_t n, int width = 10) {
  Grappa::detail::checked_count(n, "array_str");
  const detail::ElementBuffer<T> elements(n);
  memcpy(elements.get(), base, n);
  return array_str(name, elements.get(), n, width);
}

}  // namespace util
}  // namespace Grappa
