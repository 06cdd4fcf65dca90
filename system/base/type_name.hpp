#pragma once

/// Readable type names, for example of the closure of a task in a report. Needs no run-time type
/// information.

#include <cstddef>
#include <cstring>

namespace Grappa {
namespace detail {

/// Returns the compiler's name of this function, which contains the name of the type T.
template <class T>
const char* type_signature() {
  return __PRETTY_FUNCTION__;
}

/// Finds the type name in a signature: returns its first byte and sets `length`. Allocates no
/// memory, so signal handlers may call it.
inline const char* type_name_in(const char* signature, size_t* length) {
  const char* name = std::strstr(signature, "T = ");
  name = name == nullptr ? signature : name + 4;
  *length = std::strlen(name);
  if (*length > 0 && name[*length - 1] == ']') --*length;
  return name;
}

}  // namespace detail
}  // namespace Grappa
