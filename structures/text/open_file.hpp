#pragma once

/// Reading and writing a file on one core, at any offset. Errors are values, so that all cores can
/// compare them. From: any thread, unless stated otherwise. Calls block in the kernel.

#include "system/global/address.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace Grappa { namespace detail {

class OpenFile {
 public:
  /// Calls open(2) with `flags`, without blocking. On failure, fd() is negative and errno is set.
  OpenFile(const std::string& path, int flags);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }

  /// Some file systems report a full disk only here. On failure, returns false and sets errno.
  bool close();

 private:
  int fd_;
};

/// Reads `bytes` bytes, or fewer at the end of the file, and returns the number. On failure,
/// returns -1 and sets errno.
int64_t read_fully(int fd, char* to, int64_t bytes, int64_t offset);

/// On failure, returns false and sets errno.
bool write_fully(int fd, const char* from, int64_t bytes, int64_t offset);

/// Returns the size of an open regular file, or -1 for any other file.
int64_t file_bytes(int fd);

/// Checks the metadata of a file. Returns "" if all cores can read the file, otherwise the reason.
/// If `fd` is negative, the reason contains the errno of open(2).
std::string why_unreadable(int fd, bool may_be_empty = false);

constexpr const char* kFileEndsEarly = "the file ends here: it was truncated while it was read";

/// Returns "WHAT: " and the text of errno.
std::string with_errno(const std::string& what);

/// An error in a file. Only the error with the smallest offset is reported, on any number of cores.
struct FileProblem {
  FileProblem(int64_t its_offset = -1, const std::string& its_sentence = "", bool of_file = false)
      : offset(its_offset), sentence(its_sentence), whole_file(of_file) {}

  int64_t offset;        // offset in the file of the bad line, record or access
  std::string sentence;  // one printable line; empty if there is no problem
  bool whole_file;       // the message omits the offset, which only orders problems

  bool found() const { return offset >= 0; }
};
inline FileProblem problem_of_file(int64_t offset, const std::string& sentence) {
  return FileProblem(offset, sentence, true);
}

/// A temporary file in the directory of `path`. When the file is complete, it replaces `path`, or
/// its target if `path` is a symbolic link. The destructor removes the temporary file. The
/// permissions of the old file are kept. Only regular files are replaced.
class NewFile {
 public:
  /// Checks that `path` may be replaced, otherwise sets problem().
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The last error, with the text of errno, or "" if there was no error.
  const std::string& problem() const { return problem_; }

  /// Creates and opens the empty temporary file. On an error, returns false.
  bool make();

  const std::string& path() const { return path_; }  // the temporary path
  int fd() const { return file_->fd(); }

  /// Renames the temporary file to the path. On an error, returns false and keeps the old file.
  bool put_in_place();

 private:
  bool fail(const char* what);

  std::string target_, path_, problem_;
  unsigned mode_ = 0;  // mode of the replaced file, or 0 for a new file
  std::unique_ptr<OpenFile> file_;
};

/// A text in the memory of one core, which any core can copy.
struct RemoteText {
  explicit RemoteText(const std::string& text) : RemoteText(text.data(), text.size()) {}
  RemoteText(const char* bytes, size_t n)
      : first(make_global(bytes)), size(static_cast<int64_t>(n)) {}

  /// Returns a copy. From: task. Suspends: until done. Messages: those of memcpy.
  std::string fetch() const;

  GlobalAddress<const char> first;
  int64_t size;
};

/// Returns the first item of core `k`, if `n` items are distributed evenly over all cores.
inline int64_t share_begin(int64_t n, int64_t k) {
  const int64_t p = cores();
  return n / p * k + n % p * k / p;
}

/// Returns true if `fd` is open and has `bytes` bytes. Otherwise sets `problem` at offset `begin`.
bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem);

}}  // namespace Grappa::detail
