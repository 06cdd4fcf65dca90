#pragma once

/// The name of a type for people: what a task was, in a report about it. No run-time type
/// information is needed.

#include <cstddef>
#include <cstring>

namespace Grappa {
namespace detail {

/// What the compiler calls this function; the type's name is part of it.
template <class T>
const char* type_signature() {
  return __PRETTY_FUNCTION__;
}

/// A signature's part that names the type: the first byte, and how many there are. Allocates
/// nothing, so a signal handler may use it.
inline const char* type_name_in(const char* signature, size_t* length) {
  const char* name = std::strstr(signature, "T = ");
  name = name == nullptr ? signature : name + 4;
  *length = std::strlen(name);
  if (*length > 0 && name[*length - 1] == ']') --*length;
  return name;
}

}  // namespace detail
}  // namespace Grappa
