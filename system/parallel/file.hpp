#pragma once

/// Global arrays in files, read and written by all cores at once.
///
///     File file("ranks.bin");
///     save_array(file, false, ranks, nv);      // all elements, one behind the other, as in memory
///     save_array(file, false, degrees, nv);    // goes on behind them
///
/// A directory holds the same bytes in parts, one from each core, which many file systems take
/// faster. A part is named after the bytes that it holds, with as many zeros in front as keep `ls`
/// in their order, so that
///
///     cat DIRECTORY/*.part
///
/// is the file. Arrays may be read on another number of cores than they were written on. Every core
/// reads or writes a contiguous range, in large pieces, with calls that keep its processor until
/// they return. What is wrong with a file or a path is bad input: one line with the path, and where
/// in it, and status 2 (input_error). All cores need to see the same files.
///
/// From: task. Suspends: until done. Messages: those of memcpy, and about 4 more for each core.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"

#include <cstdint>
#include <string>

namespace Grappa {

struct File {
  explicit File(const std::string& file_path, bool of_parts = false)
      : path(file_path), is_directory(of_parts) {}

  std::string path;
  bool is_directory;
  int64_t offset = 0;  // in bytes, of the next array
};

namespace detail {

void read_file(File* file, uint64_t to, int64_t bytes);
void save_file(File* file, uint64_t from, int64_t bytes);

template <class T>
int64_t bytes_in_file(int64_t n) {
  static_assert(travels<T>::value,
                "elements are written as they are in memory, so they must be trivially copyable");
  checked_count(n, "read_array or save_array");
  return n * static_cast<int64_t>(sizeof(T));
}

}  // namespace detail

/// Reads `n` elements from file.offset on, and moves the offset behind them.
template <class T>
void read_array(File& file, GlobalAddress<T> array, int64_t n) {
  detail::read_file(&file, array.raw_bits(), detail::bytes_in_file<T>(n));
}

/// Writes `n` elements to file.offset, where the file ends with them, and moves the offset behind.
/// Makes the file or the directory; parts that it has from the offset on are replaced.
template <class T>
void save_array(File& file, bool as_directory, GlobalAddress<T> array, int64_t n) {
  file.is_directory = as_directory;
  detail::save_file(&file, array.raw_bits(), detail::bytes_in_file<T>(n));
}

}  // namespace Grappa
