#pragma once

/// A file of this core: opened without waiting for anybody (a FIFO would), closed at the end of the
/// block, read and written at offsets, whole ranges at a time.
///
/// From: any. Calls keep their processor until the kernel has answered.

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

class OpenFile {
 public:
  /// `flags` as for open(2). Whether that went well is told by fd().
  OpenFile(const std::string& path, int flags);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }  // negative if it could not be opened; errno says why

  /// Some file systems say only now that there was no room. False and errno on failure.
  bool close();

 private:
  int fd_;
};

/// Bytes read at `offset`: fewer than asked for only at the end of the file. -1 and errno on
/// failure.
int64_t read_fully(int fd, char* to, int64_t bytes, int64_t offset);

/// False and errno on failure.
bool write_fully(int fd, const char* from, int64_t bytes, int64_t offset);

/// Size of a regular file that is open; -1 if it has none that can be told.
int64_t file_bytes(int fd);

}  // namespace detail
}  // namespace Grappa
