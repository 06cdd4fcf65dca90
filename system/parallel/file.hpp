#pragma once

/// Global arrays in files. All cores read and write at the same time.
///
///     File file("ranks.bin");
///     save_array(file, false, ranks, nv);      // all elements, in order, as in memory
///     save_array(file, false, degrees, nv);    // appended
///
/// A directory has the same bytes in one part for each core, which many file systems write faster.
/// A part is named by its range of bytes, so `cat DIRECTORY/*.part` prints the whole file.
///
/// The number of cores may differ between writing and reading. All cores must see the same files.
/// An error of a file or a path is bad input (input_error), reported with path and position. From:
/// task. Suspends: until done. Messages: those of memcpy, and about 4 more for each core.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {

struct File {
  explicit File(const std::string& file_path, bool of_parts = false)
      : path(file_path), is_directory(of_parts) {}

  std::string path;
  bool is_directory;
  int64_t offset = 0;  // offset of the next array, in bytes
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

/// Bytes [begin, end) of the sequence that a directory holds.
struct FilePart {
  int64_t begin, end;
};

std::string part_path(const std::string& directory, FilePart part);  // with leading zeros

/// If `name`, without its directory, is the name of a part, sets `*part` and returns true.
bool parse_part_name(const std::string& name, FilePart* part);

/// Lists the parts in a directory, in order. Returns false and sets errno if it cannot be read.
bool list_parts(const std::string& directory, std::vector<FilePart>* parts);

/// The first byte of [begin, end) that is in none of the sorted `parts`; `end` if all bytes are.
int64_t first_missing(const std::vector<FilePart>& parts, int64_t begin, int64_t end);

}  // namespace detail

/// Reads `n` elements at file.offset, and sets the offset to the end of these elements.
template <class T>
void read_array(File& file, GlobalAddress<T> array, int64_t n) {
  detail::read_file(&file, array.raw_bits(), detail::bytes_in_file<T>(n));
}

/// Writes `n` elements at file.offset, and sets the offset to the end of these elements. The file
/// ends there afterwards. Creates the file or the directory if it does not exist. In a directory,
/// removes all parts after the old offset.
template <class T>
void save_array(File& file, bool as_directory, GlobalAddress<T> array, int64_t n) {
  file.is_directory = as_directory;
  detail::save_file(&file, array.raw_bits(), detail::bytes_in_file<T>(n));
}

}  // namespace Grappa
