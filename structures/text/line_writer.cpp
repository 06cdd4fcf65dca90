#include "structures/text/line_writer.hpp"

#include "structures/text/quoted.hpp"
#include "system/base/input_error.hpp"
#include "system/base/units.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <memory>

#include <fcntl.h>

namespace Grappa::detail {
namespace {

constexpr size_t kFullBytes = 1 * MiB;  // one reservation and one write; not measured

}  // namespace

class LinePart {
 public:
  void open(GlobalAddress<PartedFile> file);
  void append_line(const char* line, int64_t bytes);
  void append_all(const std::vector<std::string>& texts);
  void declare_bytes() const;
  void write_at_declared();
  void flush();

  // Returns the problem, to the core of the file. Closes the file.
  void close();

 private:
  void write(const std::string& text, int64_t offset);
  void fail();

  GlobalAddress<PartedFile> file_ = nullptr;
  std::unique_ptr<OpenFile> open_;
  std::string text_;  // not yet written
  std::string problem_;
};

void LinePart::open(GlobalAddress<PartedFile> file) {
  file_ = file;
  const RemoteText path =
      delegate::call(file_, [](const PartedFile& all) { return RemoteText(all.file_->path()); });
  open_.reset(new OpenFile(path.fetch(), O_WRONLY));
  if (open_->fd() < 0) fail();
}

void LinePart::fail() {
  if (problem_.empty()) {
    problem_ = with_errno("cannot be written on core " + std::to_string(mycore()));
  }
}

void LinePart::append_line(const char* line, int64_t bytes) {
  text_.append(line, size_t(bytes));
  text_ += '\n';
  if (text_.size() >= kFullBytes) flush();
}

void LinePart::append_all(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) text_ += text;
}

// Other tasks append to a new text meanwhile.
void LinePart::flush() {
  std::string text;
  text.swap(text_);
  const auto bytes = int64_t(text.size());
  if (bytes == 0 || !problem_.empty()) return;
  write(text, delegate::call(file_, [bytes](PartedFile& all) {
          const int64_t offset = all.bytes_;
          all.bytes_ += bytes;
          return offset;
        }));
}

void LinePart::write(const std::string& text, int64_t offset) {
  if (!problem_.empty()) return;
  if (!write_fully(open_->fd(), text.data(), int64_t(text.size()), offset)) fail();
}

void LinePart::declare_bytes() const {
  const auto bytes = int64_t(text_.size());
  const Core core = mycore();
  delegate::call(
      file_, unchecked([bytes, core](PartedFile& all) { all.part_bytes_[size_t(core)] = bytes; }));
}

void LinePart::write_at_declared() {
  const Core core = mycore();
  const int64_t offset = delegate::call(
      file_, [core](const PartedFile& all) { return all.part_bytes_[size_t(core)]; });
  write(text_, offset);
  text_.clear();
  if (!problem_.empty()) delegate::call(file_, [](PartedFile& all) { all.failed_ = true; });
}

void LinePart::close() {
  if (open_->fd() >= 0 && !open_->close()) fail();
  if (problem_.empty()) return;
  const RemoteText problem(problem_);
  delegate::call(file_, unchecked([problem](PartedFile& all) {
                   const std::string sentence = problem.fetch();
                   if (all.problem_.empty() || sentence < all.problem_) all.problem_ = sentence;
                 }));
}

PartedFile::PartedFile(const std::string& path)
    : path_(path), file_(new NewFile(path)), part_bytes_(size_t(cores())) {
  if (!file_->problem().empty() || !file_->make()) fail(file_->problem());
  const GlobalAddress<LinePart> parts = parts_ = symmetric<LinePart>();
  const GlobalAddress<PartedFile> here = make_global(this);
  on_all_cores(unchecked([parts, here] { parts->open(here); }));
}

PartedFile::~PartedFile() {
  GRAPPA_CHECK(parts_.raw_bits() == 0)
      << path_ << ": close() must be called before the LineWriter is destroyed";
}

// input_error() does not run destructors.
void PartedFile::fail(const std::string& problem) {
  const std::string sentence = printable(path_) + ": " + problem;
  file_.reset();
  input_error(sentence);
}

bool PartedFile::write_in_order() {
  const GlobalAddress<LinePart> parts = parts_;
  on_all_cores([parts] { parts->declare_bytes(); });
  for (int64_t& bytes : part_bytes_) {
    const int64_t offset = bytes_;
    bytes_ += bytes;
    bytes = offset;
  }
  on_all_cores([parts] { parts->write_at_declared(); });
  return !failed_;
}

void PartedFile::close() {
  GRAPPA_CHECK(parts_.raw_bits() != 0) << path_ << ": close() of a closed LineWriter";
  const GlobalAddress<LinePart> parts = parts_;
  on_all_cores([parts] {
    parts->flush();
    parts->close();
  });
  global_free(parts);
  parts_ = nullptr;
  if (problem_.empty() && !file_->put_in_place()) problem_ = file_->problem();
  if (!problem_.empty()) fail(problem_);
}

void append_line(GlobalAddress<LinePart> parts, const char* line, int64_t bytes) {
  parts->append_line(line, bytes);
}

void append_texts(GlobalAddress<LinePart> parts, const std::vector<std::string>& texts) {
  parts->append_all(texts);
}

}  // namespace Grappa::detail
