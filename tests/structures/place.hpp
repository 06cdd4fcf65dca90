#pragma once

/// A key of variable length with a Serialize of the program, for tests of structures.

#include "system/message/serialize.hpp"

#include <cstdint>
#include <string>
#include <utility>

struct Place {
  std::string street;
  int32_t number;
  explicit Place(std::string its_street = "", int32_t its_number = 0)
      : street(std::move(its_street)), number(its_number) {}
};

template <>
struct Grappa::Serialize<Place> {
  static size_t size(const Place& place) { return sizeof place.number + place.street.size(); }
  static void write(Writer* to, const Place& place) {
    to->value(place.number);
    to->bytes(place.street.data(), place.street.size());
  }
  static Place read(Reader* from) {
    const auto number = from->value<int32_t>();
    const size_t n = from->left();
    return Place(std::string(from->bytes(n), n), number);
  }
};
