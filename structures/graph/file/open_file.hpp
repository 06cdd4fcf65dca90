#pragma once

/// An open file of this core. The constructor opens the file without blocking (opening a FIFO would
/// block), and the destructor closes it. Whole ranges are read and written at offsets.
///
/// From: any thread. Calls block in the kernel.

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

class OpenFile {
 public:
  /// `flags` as for open(2). On failure, fd() is negative and errno is set.
  OpenFile(const std::string& path, int flags);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }  // negative if open(2) failed

  /// Some file systems report a full disk only here. On failure, returns false and sets errno.
  bool close();

 private:
  int fd_;
};

/// Returns the number of bytes read at `offset`: fewer than `bytes` only at the end of the file. On
/// failure, returns -1 and sets errno.
int64_t read_fully(int fd, char* to, int64_t bytes, int64_t offset);

/// On failure, returns false and sets errno.
bool write_fully(int fd, const char* from, int64_t bytes, int64_t offset);

/// The size of an open regular file; -1 for any other file.
int64_t file_bytes(int fd);

}  // namespace detail
}  // namespace Grappa
