#pragma once

/// A file of this core: bytes and lines are read, and bytes are written, at offsets.
///
/// From: any thread. Calls block in the kernel.

#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace Grappa {
namespace detail {

class OpenFile {
 public:
  /// Opens the file without blocking (opening a FIFO would block). `flags` as for open(2). On
  /// failure, fd() is negative and errno is set.
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

/// Returns the number of bytes read at `offset`: fewer than `bytes` only at the end of the file. On
/// failure, returns -1 and sets errno.
int64_t read_fully(int fd, char* to, int64_t bytes, int64_t offset);

/// On failure, returns false and sets errno.
bool write_fully(int fd, const char* from, int64_t bytes, int64_t offset);

/// The size of an open regular file; -1 for any other file.
int64_t file_bytes(int fd);

/// Returns why the open file `fd` cannot be read as a graph, without reading its contents; "" if it
/// can. Must be called right after open(2): if `fd` is negative, the message contains errno.
std::string why_unreadable(int fd);

/// The problem of a file that a core cannot read to the end that it had at the start of the read.
constexpr const char* kFileEndsEarly = "the file ends here: it was truncated while it was read";

/// Returns "WHAT: " and the text of errno.
std::string with_errno(const std::string& what);

/// A problem in a file: an offset and a message. Only the problem with the smallest offset is
/// reported, so the report does not depend on the number of cores.
struct FileProblem {
  FileProblem(int64_t its_offset = -1, const std::string& its_sentence = "", bool of_file = false)
      : offset(its_offset), sentence(its_sentence), whole_file(of_file) {}

  int64_t offset;        // byte of the file where the bad line, record or access begins
  std::string sentence;  // one printable line; empty if there is no problem
  bool whole_file;       // the offset only orders problems; the message omits it

  bool found() const { return offset >= 0; }
};

inline FileProblem problem_of_file(int64_t offset, const std::string& sentence) {
  return FileProblem(offset, sentence, true);
}

/// Longer lines are rejected: a text file of edges has no such lines, but a binary file may. If a
/// range starts inside a line and this line continues for more than kMaxLineBytes, the range
/// rejects the line at the first byte of the range. So it never searches a terabyte for the next
/// newline. The range with the start of the line rejects the line at a smaller offset.
constexpr size_t kMaxLineBytes = 64 * KiB;

/// A function that gets a line without its '\n'. If the function returns false, the function must
/// set `problem`.
typedef std::function<bool(const char* first, const char* last, std::string* problem)> LineBody;

/// Calls `body` for each line whose first byte is in the range from `first` to `last` - 1, even if
/// the line ends after the range. If ranges cover a file without overlap, each line is therefore in
/// exactly one range. Reads the file in chunks of `chunk_bytes`, and never buffers more than a
/// chunk and a line. The loop stops at the first problem, and returns the problem with the offset
/// of its line. If the file ends before `last`, the file was truncated during the read, which is a
/// problem.
FileProblem for_each_line(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                          const LineBody& body);

/// Returns the number of the line (from 1) that contains the byte at `offset`.
int64_t line_number_at(int fd, int64_t offset);

/// A file that replaces PATH when it is complete: NewFile creates a temporary file in the same
/// directory and renames it. If NewFile is destroyed before the rename, it removes the temporary
/// file. A symbolic link is followed, and its target is replaced. The permissions of the old file
/// are kept. Only regular files are replaced.
class NewFile {
 public:
  /// Checks that `path` may be replaced; problem() returns the result.
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The last error, with errno as text; "" if there was none.
  const std::string& problem() const { return problem_; }

  /// Creates and opens the empty temporary file. Returns false on an error.
  bool make();

  const std::string& path() const { return path_; }  // the temporary path
  int fd() const { return file_->fd(); }

  /// Renames the temporary file to the path. On an error, returns false and keeps the old file.
  bool put_in_place();

 private:
  bool fail(const char* what);

  std::string target_;
  std::string path_;
  std::string problem_;
  unsigned mode_ = 0;  // mode of the replaced file, or 0 for a new file
  std::unique_ptr<OpenFile> file_;
};

}  // namespace detail
}  // namespace Grappa
