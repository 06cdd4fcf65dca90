#pragma once

/// Keys of structures that stand for numbers, for tests of linearizability. Keys of variable length
/// have the number as their length, so one key is empty or has an empty part.

#include "tests/structures/place.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace linearizability {

template <class K>
K key_of(int64_t number);
template <>
inline int64_t key_of<int64_t>(int64_t number) {
  return number;
}
template <>
inline std::string key_of<std::string>(int64_t number) {
  return std::string(static_cast<size_t>(number), 'k');
}
template <>
inline std::vector<int32_t> key_of<std::vector<int32_t>>(int64_t number) {
  return std::vector<int32_t>(static_cast<size_t>(number), -7);
}
template <>
inline Place key_of<Place>(int64_t number) {
  return Place(key_of<std::string>(number), -7);
}

}  // namespace linearizability
