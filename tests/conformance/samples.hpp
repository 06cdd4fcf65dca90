#pragma once

/// Sample element types, values and cores of the conformance tests.

#include <Grappa.hpp>

#include <cstdint>
#include <vector>

namespace conformance {

using namespace Grappa;

/// 24 bytes, not a power of two: permitted in memory of one core and in messages.
struct Triple {
  int64_t a, b, c;
};
inline bool operator==(const Triple& x, const Triple& y) {
  return x.a == y.a && x.b == y.b && x.c == y.c;
}

/// 64 bytes, the size of a heap block.
struct Record {
  double weight;
  int64_t keys[7];
};
inline bool operator==(const Record& x, const Record& y) {
  bool same = x.weight == y.weight;
  for (int k = 0; k < 7; ++k) same = same && x.keys[k] == y.keys[k];
  return same;
}

/// The k-th value of a type; consecutive values differ.
template <class T>
struct Sample;
template <>
struct Sample<int64_t> {
  static int64_t value(int64_t k) { return 1000003 * k - 5; }
};
template <>
struct Sample<double> {
  static double value(int64_t k) { return 0.25 - 1.5 * static_cast<double>(k); }
};
template <>
struct Sample<bool> {
  static bool value(int64_t k) { return k % 2 == 1; }
};
template <>
struct Sample<char> {
  static char value(int64_t k) { return static_cast<char>('a' + k % 26); }
};
template <>
struct Sample<Triple> {
  static Triple value(int64_t k) { return Triple{k, -k, k * k}; }
};
template <>
struct Sample<Record> {
  static Record value(int64_t k) {
    return Record{0.5 * static_cast<double>(k), {k, k + 1, k + 2, k + 3, k + 4, k + 5, -k}};
  }
};

template <class T>
T sample(int64_t k) {
  return Sample<T>::value(k);
}

inline Core next_core() { return static_cast<Core>((mycore() + 1) % cores()); }
inline Core last_core() { return static_cast<Core>(cores() - 1); }

/// The calling core, the next core and the last core.
inline std::vector<Core> some_cores() { return {mycore(), next_core(), last_core()}; }

/// A global array of sample(0), sample(1), ... One delegate writes each element.
template <class T>
GlobalAddress<T> sample_array(int64_t n) {
  const GlobalAddress<T> array = global_alloc<T>(static_cast<size_t>(n));
  finish([array, n] {
    for (int64_t k = 0; k < n; ++k) delegate::write<async>(array + k, sample<T>(k));
  });
  return array;
}

/// Reads `n` elements of any memory by one future each.
template <class T>
std::vector<T> read_all(GlobalAddress<T> base, int64_t n) {
  std::vector<Future<T>> reads;
  for (int64_t k = 0; k < n; ++k) reads.push_back(delegate::read_future(base + k));
  std::vector<T> elements;
  for (Future<T>& read : reads) elements.push_back(read.get());
  return elements;
}

/// The `n` values sample(first), sample(first + 1), ...
template <class T>
std::vector<T> samples(int64_t n, int64_t first = 0) {
  std::vector<T> elements;
  for (int64_t k = 0; k < n; ++k) elements.push_back(sample<T>(first + k));
  return elements;
}

}  // namespace conformance
