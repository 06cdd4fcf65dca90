#pragma once

/// Writes lines to a new text file, on all cores in parallel.
///
///     LineWriter out("pairs.txt");                       // in any order
///     const LineWriter::Lines lines = out.lines();
///     forall(pairs, n, [lines](Pair& pair) { lines.write(text_of(pair)); });
///     out.close();
///
///     write_lines("ranks.txt", nv, [ranks](int64_t v, std::string* text) {   // in order
///       *text += std::to_string(delegate::read(ranks + v)) + "\n";
///     });
///
/// A temporary file in the same directory gets the lines, and replaces the file at the end. So a
/// job that fails leaves the old file. An error, such as a full disk, is bad input (input_error).
/// All cores must see the same directory.

#include "structures/text/open_file.hpp"
#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/message/closure_check.hpp"
#include "system/parallel/forall.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// The part of a core in writing a file. It is a symmetric object.
class LinePart;

/// A new file, and the part of each core. From: the task that made it.
class PartedFile {
 public:
  explicit PartedFile(const std::string& path);
  ~PartedFile();
  PartedFile(const PartedFile&) = delete;
  PartedFile& operator=(const PartedFile&) = delete;

  GlobalAddress<LinePart> parts() const { return parts_; }

  /// Writes the text that each core has appended, in the order of the cores, after all earlier
  /// text. Returns false if a write has failed on a core. Suspends: until done. Messages: those of
  /// 2 on_all_cores, and 4 for each core, plus 2 for each core on which a write has failed.
  bool write_in_order();

  /// Writes the remaining text, and puts the file in place. An error is bad input, after the
  /// temporary file has been removed.
  void close();

 private:
  friend class LinePart;

  [[noreturn]] void fail(const std::string& problem);

  std::string path_;
  std::unique_ptr<NewFile> file_;
  GlobalAddress<LinePart> parts_ = nullptr;
  int64_t bytes_ = 0;                // of the file
  std::vector<int64_t> part_bytes_;  // by core, in write_in_order()
  bool failed_ = false;              // a core has failed in write_in_order()
  std::string problem_;
};

/// Appends a line, or texts, to the part of this core. Suspends: append_line, if the part is full.
void append_line(GlobalAddress<LinePart> parts, const char* line, int64_t bytes);
void append_texts(GlobalAddress<LinePart> parts, const std::vector<std::string>& texts);

// Not measured.
constexpr int64_t kLinesPerTask = 64;                   // iterations that append to one string
constexpr int64_t kLinesPerRound = int64_t{64} * 1024;  // of one core; they are in memory together

}  // namespace detail

/// Writes lines of any core, in any order.
class LineWriter {
 public:
  /// Bodies may capture it. It must be used only until close().
  class Lines {
   public:
    /// Writes the bytes and a '\n'. The line is not mixed with other lines. From: task. Suspends:
    /// when the buffer of the core is full. Messages: 2 for each full buffer, of 1 MiB.
    void write(const char* line, int64_t bytes) const { detail::append_line(parts_, line, bytes); }
    void write(const std::string& line) const {
      write(line.data(), static_cast<int64_t>(line.size()));
    }

   private:
    friend class LineWriter;
    explicit Lines(GlobalAddress<detail::LinePart> parts) : parts_(parts) {}
    GlobalAddress<detail::LinePart> parts_;
  };

  /// Creates the temporary file. From: task. Suspends: until all cores have opened it.
  explicit LineWriter(const std::string& path) : file_(path) {}

  Lines lines() const { return Lines(file_.parts()); }

  /// Writes the buffers of all cores, and puts the file at its path. All writes must have ended.
  /// The destructor of a writer that is not closed aborts the job. From: the task that made it.
  /// Suspends: until done.
  void close() { file_.close(); }

 private:
  detail::PartedFile file_;
};

/// Writes the text that `body(i, &text)` appends, for i = 0 ... n - 1 in this order. The body
/// appends whole lines with their '\n', or nothing, and may suspend. It runs on any core. A core
/// keeps the text of 65,536 iterations in memory, briefly twice. After a failed write, only the
/// iterations that have started run. From: task. Suspends: until done. Messages: those of 2
/// on_all_cores and a few for each core; and for each 65,536 iterations of a core, those of 3
/// on_all_cores and 4 for each core.
template <class F>
void write_lines(const std::string& path, int64_t n, F body) {
  static_assert(detail::is_callable<F, int64_t, std::string*>::value,
                "the body of write_lines takes (int64_t i, std::string* text)");
  detail::check_closure(body);
  GRAPPA_CHECK(n >= 0) << "write_lines: invalid number of iterations " << n << ", expected >= 0";
  detail::PartedFile file(path);
  const GlobalAddress<detail::LinePart> parts = file.parts();
  const int64_t round = detail::kLinesPerRound * cores();
  for (int64_t first = 0; first < n; first += round) {
    const int64_t count = std::min(round, n - first);
    const auto format = [parts, first, count, body] {
      constexpr int64_t kEach = detail::kLinesPerTask;
      const int64_t begin = first + detail::share_begin(count, mycore());
      const int64_t end = first + detail::share_begin(count, mycore() + 1);
      std::vector<std::string> texts(static_cast<size_t>((end - begin + kEach - 1) / kEach));
      F mine(body);
      forall_here<1>(0, static_cast<int64_t>(texts.size()), [&texts, &mine, begin, end](int64_t k) {
        std::string* const text = &texts[static_cast<size_t>(k)];
        const int64_t last = std::min(begin + (k + 1) * detail::kLinesPerTask, end);
        for (int64_t i = begin + k * detail::kLinesPerTask; i < last; ++i) mine(i, text);
      });
      detail::append_texts(parts, texts);
    };
    on_all_cores(unchecked(format));
    if (!file.write_in_order()) break;
  }
  file.close();
}

}  // namespace Grappa
