#pragma once

/// Loops over the lines of text files, on all cores in parallel.
///
///     forall_lines("logs/*.txt", [words](const TextLine& line) { count_words(words, line); });
///
/// Every core reads an equal share of the bytes of all files, cut at the ends of lines. A file with
/// the suffix `.gz` or `.zst` is decompressed by one core, which hands pieces of the text to the
/// other cores. Each core decompresses at most one such file at a time.
///
/// A line may contain any bytes except '\n', and the last line of a file needs no '\n'. A '\r'
/// before the '\n' is part of the line. A line has at most kMaxTextLineBytes bytes.
///
/// All cores must see the same files, and the files must not change during the loop. An error of a
/// file is bad input (input_error). Among several errors, the first in the order of the files is
/// reported: an error of the file itself, or the first line that is bad. The report is the same on
/// any number of cores, except if the cores see different files, or if compressed data are damaged
/// more than 256 MiB of text after a bad line. Then the bad line may be reported.

#include "structures/text/open_file.hpp"
#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/base/units.hpp"
#include "system/global/address.hpp"
#include "system/message/closure_check.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace Grappa {

class TextLine;

constexpr int64_t kMaxTextLineBytes = int64_t{64 * detail::MiB};

namespace detail {

/// The text to which lines belong. It is on the stack of the task that visits the lines.
class LineSource {
 public:
  LineSource(const char* first, int64_t offset) : first_(first), offset_(offset) {}

  /// Records the first problem, as a printable sentence. The lines after it are not visited.
  void reject(const char* line, const std::string& sentence);
  void reject_long(const char* line);

  bool rejected() const { return problem_offset_ >= 0; }
  int64_t problem_offset() const { return problem_offset_; }
  const std::string& sentence() const { return sentence_; }

 private:
  const char* const first_;
  const int64_t offset_;  // of first_ in its file
  int64_t problem_offset_ = -1;
  std::string sentence_;
};

/// Calls the body for the lines in [first, last), until it rejects a line.
typedef void (*VisitLines)(void* body, const char* first, const char* last, LineSource* source);

/// The loop on one core. It is a symmetric object.
class LineLoop;

/// The files of a loop, and the loop on each core. From: the task that calls forall_lines.
class LineLoops {
 public:
  /// Lists the files. A path that cannot be read is bad input.
  explicit LineLoops(const std::string& paths);

  /// Sets the body of the executing core. Suspends: until the files have been fetched.
  static void prepare(GlobalAddress<const LineLoops> loops, VisitLines visit,
                      const std::shared_ptr<void>& body);

  /// Runs the prepared loops, and frees them. A problem is bad input.
  void run();

 private:
  friend class LineLoop;

  struct Problem {
    int64_t file = 0;  // index
    FileProblem found;
    Core core = 0;  // the order of problems that are equal but for the core
    void note(int64_t its_file, const FileProblem& its_problem, Core its_core);
  };

  std::string paths_;  // each followed by a zero byte
  std::vector<int64_t> file_bytes_;
  GlobalAddress<LineLoop> on_each_core_;
  Problem problem_;
};

}  // namespace detail

/// A line in memory, without its '\n'. Valid until the body returns.
class TextLine {
 public:
  TextLine(const char* first, const char* last, detail::LineSource* source)
      : first_(first), last_(last), source_(source) {}

  const char* begin() const { return first_; }
  const char* end() const { return last_; }
  int64_t size() const { return last_ - first_; }
  bool empty() const { return first_ == last_; }
  std::string str() const { return std::string(first_, last_); }

  /// The first 40 characters of the line in double quotes, for a sentence. All bytes except
  /// printable ASCII are escaped.
  std::string quoted() const;

  /// Declares that the line is bad input. After the loop, the job fails with the message
  /// "FILE:LINE: sentence", unless an earlier line is bad, too. The body should return. Control
  /// characters are escaped, and the sentence ends after 1,000 bytes.
  void reject(const std::string& sentence) const { source_->reject(first_, sentence); }

 private:
  const char* first_;
  const char* last_;
  detail::LineSource* source_;
};

namespace detail {

template <class F>
void visit_lines(void* body, const char* first, const char* last, LineSource* source) {
  F& each = *static_cast<F*>(body);
  while (first != last && !source->rejected()) {
    const void* const newline = std::memchr(first, '\n', static_cast<size_t>(last - first));
    const char* const end = newline == nullptr ? last : static_cast<const char*>(newline);
    if (GRAPPA_UNLIKELY(end - first > kMaxTextLineBytes)) return source->reject_long(first);
    each(TextLine(first, end, source));
    first = end == last ? last : end + 1;
  }
}

}  // namespace detail

/// Runs `body(line)` for each line of the files, in any order. `paths` is a path, or a pattern with
/// `*`, `?` and `[...]` for the names of several files, as in a shell. A core runs the lines of 4
/// KiB of text in one task, and many such tasks at the same time, so the body may suspend. The loop
/// returns when all bodies, and all work that they have started, have ended. The body is copied to
/// each core as bytes, and the lines of a core share this copy. After a bad line, later files may
/// not be read. A core that decompresses a file holds 64 MiB of its text, and one more piece; a
/// line that is longer than a piece is a piece. From: task. Suspends: until the loop has ended.
/// Messages: those of 3 on_all_cores; 2 for each core, which then fetches the list of the files
/// from this core by 2 memcpy; and for each piece of a compressed file 2 and those of memcpy.
template <class F>
void forall_lines(const std::string& paths, F body) {
  static_assert(detail::is_callable<F, const TextLine&>::value,
                "the body of forall_lines takes (const TextLine&)");
  detail::check_closure(body);
  detail::LineLoops loops(paths);
  const GlobalAddress<const detail::LineLoops> here = make_global(&loops);
  const auto prepare = [here, body] {
    detail::LineLoops::prepare(here, &detail::visit_lines<F>, std::make_shared<F>(body));
  };
  on_all_cores(unchecked(prepare));
  loops.run();
}

}  // namespace Grappa
