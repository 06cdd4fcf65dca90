#pragma once

/// Types of a program that have a Serialize.

#include "system/message/serialize.hpp"

#include <cstdint>
#include <string>
#include <vector>

struct Road {
  std::string name;
  std::vector<int32_t> lanes;
};

/// A value of no bytes, which is not copied as bytes.
struct Unit {
  std::string text;
};

template <>
struct Grappa::Serialize<Road> {
  static size_t size(const Road& road) { return serialized_size(road.name, road.lanes); }
  static void write(Writer* to, const Road& road) { to->values(road.name, road.lanes); }
  static Road read(Reader* from) {
    Road road;
    from->values(&road.name, &road.lanes);
    return road;
  }
};

template <>
struct Grappa::Serialize<Unit> {
  static size_t size(const Unit&) { return 0; }
  static void write(Writer*, const Unit&) {}
  static Unit read(Reader*) { return Unit(); }
};
