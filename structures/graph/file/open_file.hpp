#pragma once

/// Reading and writing a file on one core: bytes at an offset, and the lines of a range. Also the
/// parts of a file that all cores read or write in parallel. From: any thread, unless stated
/// otherwise. Calls block in the kernel.

#include "structures/graph/edge.hpp"
#include "system/base/units.hpp"
#include "system/global/address.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Checks the metadata of a graph file. Returns "" if the file can be read, otherwise the reason.
/// If `fd` is negative, the reason contains the errno of open(2).
std::string why_unreadable(int fd);

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

/// Longer lines are rejected. A text file of edges has no such lines, but a binary file may. If a
/// range starts inside such a line, the problem is at the first byte of the range, so no core
/// searches a terabyte for the next newline.
constexpr size_t kMaxLineBytes = 64 * KiB;

/// Gets a line without its '\n'. Returns true, or sets `problem` and returns false.
typedef std::function<bool(const char* first, const char* last, std::string* problem)> LineBody;

/// Calls `body` for each line whose first byte is in the range from `first` to `last` - 1, even if
/// the line ends after the range. Buffers at most twice the longest line and two chunks of
/// `chunk_bytes`. Returns the first problem with the offset of its line. A file that ends before
/// `last` is a problem.
FileProblem for_each_line(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                          const LineBody& body, size_t max_line_bytes = kMaxLineBytes);

/// Calls `body` for each line of a text, which begins at `offset` of its file. Returns the first
/// problem with the offset of its line.
FileProblem for_each_line_of(const std::string& text, int64_t offset, const LineBody& body,
                             size_t max_line_bytes = kMaxLineBytes);

/// Returns the problem of a line that is longer than `max_line_bytes`.
FileProblem too_long_line(int64_t offset, size_t max_line_bytes);

/// Returns the number of the line at `offset`. The first line has number 1.
int64_t line_number_at(int fd, int64_t offset);

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

/// The part of a file that one core reads or writes. It is a symmetric object.
struct GraphPart {
  int64_t size = 0;      // edges that were read, or bytes or edges that will be written
  int64_t start = 0;     // sum of the sizes of the parts before this one
  VertexID max_id = -1;  // largest id of the edges
  FileProblem problem;
};

struct PartTotals {
  int64_t size = 0;
  int64_t largest_size = 0;  // size of the largest part
  VertexID max_id = -1;
  FileProblem problem;  // the first problem in the file
};

/// Returns the totals of all parts, and sets the start of each part. From: task. Suspends: until
/// done. Messages: 2 for each other core, and a few more if there is a problem.
PartTotals sum_parts(GlobalAddress<GraphPart> parts);

/// A text in the memory of one core, which any core can copy.
struct RemoteText {
  explicit RemoteText(const std::string& text)
      : first(make_global(text.data())), size(static_cast<int64_t>(text.size())) {}

  /// Returns a copy. From: task. Suspends: until done. Messages: those of memcpy.
  std::string fetch() const;

  GlobalAddress<const char> first;
  int64_t size;
};

/// Calls `body(path, part)` on every core and returns the totals. From: task. Suspends: until done.
template <class F>
PartTotals on_all_parts(GlobalAddress<GraphPart> parts, const std::string& path, F body) {
  const RemoteText path_here(path);
  on_all_cores([parts, path_here, body] { body(path_here.fetch(), parts.operator->()); });
  return sum_parts(parts);
}

/// Writes a file that make() has created: writes the header, and calls `body(path, part)` on every
/// core. Returns "" or the problem. From: task. Suspends: until done.
template <class F>
std::string write_parts(NewFile* file, const std::string& header, GlobalAddress<GraphPart> parts,
                        F body) {
  if (!write_fully(file->fd(), header.data(), int64_t(header.size()), 0)) {
    return with_errno("cannot be written");
  }
  return on_all_parts(parts, file->path(), body).problem.sentence;
}

/// Returns the first item of core `k`, if `n` items are distributed evenly over all cores.
inline int64_t share_begin(int64_t n, int64_t k) {
  const int64_t p = cores();
  return n / p * k + n % p * k / p;
}

/// Returns true if `fd` is open and has `bytes` bytes. Otherwise sets `problem` at offset `begin`.
bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem);

}}  // namespace Grappa::detail
