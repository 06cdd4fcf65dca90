#include "structures/text/forall_lines.hpp"

#include "structures/text/line_reader.hpp"
#include "structures/text/piece_reader.hpp"
#include "structures/text/quoted.hpp"
#include "system/base/input_error.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/spawn.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/completion_event.hpp"
#include "system/sync/semaphore.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <tuple>

#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

// None of these is measured.
constexpr size_t kBlockBytes = 4 * MiB;           // of a plain file, read at a time
constexpr int64_t kTaskBytes = int64_t{4 * KiB};  // lines of a task
// Text of one compressed file that has been dealt to other cores, but not returned.
constexpr int64_t kDealtBytes = int64_t{64 * MiB};
constexpr int64_t kPiecesPerTaker = 2;  // one is visited while the next one is fetched
constexpr int64_t kLeastPieceBytes = int64_t{64 * KiB}, kMostPieceBytes = int64_t{1 * MiB};
constexpr size_t kMostSentenceBytes = 1000;  // of a rejected line

// Deals the pieces of a compressed file to the other cores, or to this core if it is alone. A core
// that returns a piece gets another piece, so a slow core does not delay the others. It is on the
// core that decompresses.
class Dealer {
 public:
  Dealer() : bytes_(kDealtBytes), takers_(kPiecesPerTaker * std::max(cores() - 1, 1)) {
    for (int64_t turn = 0; turn < kPiecesPerTaker; ++turn) {
      for (int k = 1; k <= std::max(cores() - 1, 1); ++k) {
        free_takers_.push_back(Core((mycore() + k) % cores()));
      }
    }
  }

  // Bytes of a piece, unless a line is longer. If there are many cores, kDealtBytes is less than
  // kPiecesPerTaker pieces for each of them.
  static int64_t piece_bytes() {
    const int64_t pieces = kPiecesPerTaker * std::max(cores() - 1, 1);
    return std::clamp(kDealtBytes / pieces, kLeastPieceBytes, kMostPieceBytes);
  }

  // Returns the core that gets a piece of `bytes` bytes. Suspends: while too many bytes are dealt,
  // or all cores have enough pieces.
  Core deal(int64_t bytes) {
    bytes_.decrement(units(bytes));
    takers_.decrement();
    const Core taker = free_takers_.front();
    free_takers_.pop_front();
    return taker;
  }

  void take_back(Core taker, int64_t bytes, bool rejected) {
    rejected_ |= rejected;
    free_takers_.push_back(taker);
    bytes_.increment(units(bytes));
    takers_.increment();
  }

  void wait_for_all() { bytes_.decrement(kDealtBytes); }
  bool rejected() const { return rejected_; }  // a line is bad

 private:
  static int64_t units(int64_t bytes) { return std::min(bytes, kDealtBytes); }

  CountingSemaphore bytes_;       // that may be dealt
  CountingSemaphore takers_;      // one unit for each element of free_takers_
  std::deque<Core> free_takers_;  // a core occurs once for each piece that it may get
  bool rejected_ = false;
};

struct DealtPiece {
  Core from;
  Dealer* dealer;    // on core `from`
  TextPiece* piece;  // on core `from`
  RemoteText text;
  int64_t offset;  // of the text
};

bool has_wildcard(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
}

// Returns the sorted paths that match. A path of an existing file is no pattern.
std::vector<std::string> matching_paths(const std::string& pattern) {
  if (!has_wildcard(pattern) || ::access(pattern.c_str(), F_OK) == 0) return {pattern};
  glob_t found = {};
  const int status = ::glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  const std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (status == GLOB_NOMATCH) input_error(printable(pattern) + ": no file has such a name");
  if (status != 0) input_error(printable(pattern) + ": a directory cannot be read");
  return paths;
}

}  // namespace

class LineLoop {
 public:
  void prepare(GlobalAddress<const LineLoops> loops, VisitLines visit,
               const std::shared_ptr<void>& body);

  void run(const Progress::Counter& done);
  void report(GlobalAddress<LineLoops> loops) const;

 private:
  struct File {
    std::string path;
    int64_t bytes;
  };

  void read_range(size_t file, int64_t first, int64_t last);
  bool is_needless(size_t file) const { return bad_file_ < file; }
  void note(size_t file, const FileProblem& problem);
  void decompress(size_t file);
  void deal(size_t file, PieceReader* reader);
  void take(size_t file, const DealtPiece& dealt);
  FileProblem visit_text(const char* first, const char* last, int64_t offset);

  std::vector<File> files_;
  VisitLines visit_ = nullptr;
  std::shared_ptr<void> body_;
  Progress::Counter done_;
  size_t bad_file_ = SIZE_MAX;  // the first file that is bad, as far as this core knows
  LineLoops::Problem problem_;
};

void LineSource::reject(const char* line, const std::string& sentence) {
  if (rejected()) return;
  problem_offset_ = offset_ + (line - first_);
  sentence_ = printable(sentence, kMostSentenceBytes);
}

void LineSource::reject_long(const char* line) {
  reject(line, too_long_line(0, size_t(kMaxTextLineBytes)).sentence);
}

void LineLoops::Problem::note(int64_t its_file, const FileProblem& its_problem, Core its_core) {
  if (!its_problem.found()) return;
  // Damage of a file may be the cause of a bad line, so it comes first.
  const auto order = [](int64_t index, const FileProblem& problem, Core on) {
    return std::make_tuple(index, problem.whole_file ? -1 : problem.offset, on);
  };
  if (found.found() && order(file, found, core) <= order(its_file, its_problem, its_core)) return;
  file = its_file;
  found = its_problem;
  core = its_core;
}

LineLoops::LineLoops(const std::string& paths) {
  for (const std::string& path : matching_paths(paths)) {
    const OpenFile file(path, O_RDONLY);
    const std::string unusable = why_unreadable(file.fd(), true);
    if (!unusable.empty()) input_error(printable(path) + ": " + unusable);
    paths_ += path + '\0';
    file_bytes_.push_back(file_bytes(file.fd()));
  }
  on_each_core_ = symmetric<LineLoop>();
}

void LineLoops::prepare(GlobalAddress<const LineLoops> loops, VisitLines visit,
                        const std::shared_ptr<void>& body) {
  const GlobalAddress<LineLoop> mine =
      delegate::call(loops, [](const LineLoops& all) { return all.on_each_core_; });
  mine->prepare(loops, visit, body);
}

void LineLoop::prepare(GlobalAddress<const LineLoops> loops, VisitLines visit,
                       const std::shared_ptr<void>& body) {
  struct Table {
    RemoteText paths, bytes;
  };
  const Table table = delegate::call(loops, [](const LineLoops& all) {
    const auto* const bytes = reinterpret_cast<const char*>(all.file_bytes_.data());
    return Table{RemoteText(all.paths_),
                 RemoteText(bytes, all.file_bytes_.size() * sizeof(int64_t))};
  });
  const std::string paths = table.paths.fetch(), bytes = table.bytes.fetch();
  for (size_t at = 0, k = 0; at < paths.size(); at = paths.find('\0', at) + 1, ++k) {
    int64_t its_bytes;
    std::memcpy(&its_bytes, bytes.data() + k * sizeof its_bytes, sizeof its_bytes);
    files_.push_back(File{paths.c_str() + at, its_bytes});
  }
  visit_ = visit;
  body_ = body;
}

void LineLoops::run() {
  {
    int64_t plain = 0, compressed = 0, of_core_0 = 0;
    const char* path = paths_.c_str();
    for (int64_t k = 0, number = 0; k < int64_t(file_bytes_.size()); ++k) {
      const int64_t bytes = file_bytes_[size_t(k)];
      const bool whole = is_compressed(path);
      (whole ? compressed : plain) += bytes;
      if (whole && number++ % cores() == 0) of_core_0 += bytes;
      path += std::strlen(path) + 1;
    }
    of_core_0 += share_begin(plain, 1);
    Progress progress("reading", plain + compressed, "bytes", of_core_0);
    const GlobalAddress<LineLoop> loops = on_each_core_;
    on_all_cores([loops, done = progress.counter()] { loops->run(done); });
  }
  const GlobalAddress<LineLoop> loops = on_each_core_;
  const GlobalAddress<LineLoops> here = make_global(this);
  on_all_cores(unchecked([loops, here] { loops->report(here); }));
  global_free(on_each_core_);
  if (!problem_.found.found()) return;
  const char* path = paths_.c_str();
  for (int64_t k = 0; k < problem_.file; ++k) path += std::strlen(path) + 1;
  const OpenFile file(path, O_RDONLY);
  const std::string line =
      problem_.found.whole_file
          ? ""
          : ":" + std::to_string(text_line_number(path, file.fd(), problem_.found.offset));
  input_error(printable(path) + line + ": " + problem_.found.sentence);
}

void LineLoop::run(const Progress::Counter& done) {
  done_ = done;
  int64_t plain_bytes = 0, compressed = 0;
  std::vector<size_t> mine;  // compressed files
  for (size_t k = 0; k < files_.size(); ++k) {
    if (!is_compressed(files_[k].path)) {
      plain_bytes += files_[k].bytes;
    } else if (compressed++ % cores() == mycore()) {
      mine.push_back(k);
    }
  }
  if (!mine.empty()) {
    spawn([this, mine] {
      for (const size_t k : mine) decompress(k);
    });
  }
  const int64_t begin = share_begin(plain_bytes, mycore());
  const int64_t end = share_begin(plain_bytes, mycore() + 1);
  int64_t at = 0;  // bytes of the files before this one
  for (size_t k = 0; k < files_.size() && at < end; ++k) {
    if (is_compressed(files_[k].path)) continue;
    const int64_t first = std::max<int64_t>(begin - at, 0);
    const int64_t last = std::min(end - at, files_[k].bytes);
    at += files_[k].bytes;
    if (first < last) read_range(k, first, last);
  }
}

void LineLoop::note(size_t file, const FileProblem& problem) {
  problem_.note(int64_t(file), problem, mycore());
  if (problem.found()) bad_file_ = std::min(bad_file_, file);
}

void LineLoop::read_range(size_t file, int64_t first, int64_t last) {
  if (is_needless(file)) return;
  const OpenFile open(files_[file].path, O_RDONLY);
  FileProblem problem;
  if (same_file(open.fd(), files_[file].bytes, first, &problem)) {
    const auto take = [this](const char* begin, const char* end, int64_t offset) {
      done_.add(end - begin);
      return visit_text(begin, end, offset);
    };
    problem = for_each_block(open.fd(), first, last, kBlockBytes, kMaxTextLineBytes, take);
  }
  note(file, problem);
}

void LineLoop::decompress(size_t file) {
  if (is_needless(file)) return;
  const OpenFile open(files_[file].path, O_RDONLY);
  FileProblem problem;
  if (same_file(open.fd(), files_[file].bytes, 0, &problem)) {
    PieceReader reader(open.fd(), compression_of(files_[file].path));
    deal(file, &reader);
  }
  note(file, problem);
}

void LineLoop::deal(size_t file, PieceReader* reader) {
  const int64_t bytes = Dealer::piece_bytes();
  Dealer dealer;
  FileProblem problem;
  while (!dealer.rejected() && !is_needless(file)) {
    std::unique_ptr<TextPiece> piece(new TextPiece);
    const int64_t used = reader->used_bytes();
    problem = reader->next(size_t(bytes), kMaxTextLineBytes, piece.get());
    done_.add(reader->used_bytes() - used);
    if (problem.found() || piece->text.empty()) break;
    const Core taker = dealer.deal(int64_t(piece->text.size()));
    const DealtPiece dealt = {mycore(), &dealer, piece.get(), RemoteText(piece->text),
                              piece->offset};
    static_cast<void>(piece.release());  // take() has the piece freed
    spawnRemote(taker, unchecked([this, file, dealt] { take(file, dealt); }));
    yield();  // serves the cores that fetch their pieces
  }
  dealer.wait_for_all();
  if (dealer.rejected()) bad_file_ = std::min(bad_file_, file);
  if (problem.found() || dealer.rejected()) reader->look_for_damage();
  const FileProblem damage = reader->damage();
  note(file, damage.found() ? problem_of_file(0, damage.sentence) : problem);
}

void LineLoop::take(size_t file, const DealtPiece& dealt) {
  const std::string text = dealt.text.fetch();
  const FileProblem problem = visit_text(text.data(), text.data() + text.size(), dealt.offset);
  note(file, problem);
  const bool rejected = problem.found();
  Dealer* const dealer = dealt.dealer;
  TextPiece* const piece = dealt.piece;
  const Core taker = mycore();
  delegate::call<async>(dealt.from, unchecked([dealer, piece, taker, rejected] {
                          const auto bytes = int64_t(piece->text.size());
                          delete piece;
                          dealer->take_back(taker, bytes, rejected);
                        }));
}

// Visits whole lines, in several tasks. Returns the first problem.
FileProblem LineLoop::visit_text(const char* first, const char* last, int64_t offset) {
  FileProblem problem;
  CompletionEvent visited;
  for (const char *at = first, *end; at != last; at = end) {
    const char* const least = at + std::min(kTaskBytes, last - at) - 1;
    const void* const newline = std::memchr(least, '\n', size_t(last - least));
    end = newline ? static_cast<const char*>(newline) + 1 : last;
    spawn(&visited, [this, at, end, its_offset = offset + (at - first), &problem] {
      if (problem.found() && problem.offset < its_offset) return;
      LineSource source(at, its_offset);
      visit_(body_.get(), at, end, &source);
      if (!source.rejected()) return;
      if (problem.found() && problem.offset < source.problem_offset()) return;
      problem = {source.problem_offset(), source.sentence()};
    });
  }
  visited.wait();
  return problem;
}

void LineLoop::report(GlobalAddress<LineLoops> loops) const {
  if (!problem_.found.found()) return;
  const RemoteText sentence(problem_.found.sentence);
  const int64_t file = problem_.file, offset = problem_.found.offset;
  const bool whole_file = problem_.found.whole_file;
  const Core core = mycore();
  delegate::call(loops, unchecked([sentence, file, offset, whole_file, core](LineLoops& all) {
                   all.problem_.note(file, {offset, sentence.fetch(), whole_file}, core);
                 }));
}

}  // namespace Grappa::detail

std::string Grappa::TextLine::quoted() const { return detail::quoted(first_, last_); }
