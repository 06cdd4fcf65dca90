#pragma once

/// Values of structures that stand for numbers, for tests of linearizability.

#include <cstdint>
#include <string>

namespace linearizability {

template <class T>
T value_of(int64_t number);
template <>
inline int64_t value_of<int64_t>(int64_t number) {
  return number;
}
/// Strings of odd numbers are long, so they own memory.
template <>
inline std::string value_of<std::string>(int64_t number) {
  return std::to_string(number) + std::string(number % 2 == 0 ? 0 : 40, ' ');
}

inline int64_t number_of(int64_t value) { return value; }
inline int64_t number_of(const std::string& value) { return value.empty() ? 0 : std::stoll(value); }

}  // namespace linearizability
