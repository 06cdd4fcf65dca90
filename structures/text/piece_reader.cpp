#include "structures/text/piece_reader.hpp"

#include "structures/text/line_reader.hpp"
#include "system/base/units.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace Grappa::detail {
namespace {

constexpr int64_t kCheckedBytes = int64_t{256 * MiB};  // decompressed after a bad line

}  // namespace

FileProblem PieceReader::next(size_t bytes, size_t max_line_bytes, TextPiece* piece) {
  size_t line_end = std::string::npos;
  for (bool more = true; more && line_end == std::string::npos;) {
    if (text_.size() > max_line_bytes && !has_newline_) {
      return too_long_line(offset_, max_line_bytes);
    }
    const size_t searched = has_newline_ ? 0 : text_.size();
    has_newline_ = false;  // all of text_ is searched below
    more = data_.read(bytes, &text_) > 0;
    line_end = std::string_view(text_).substr(searched).rfind('\n');
    if (line_end != std::string::npos) line_end += searched;
  }
  const size_t whole = line_end == std::string::npos ? text_.size() : line_end + 1;
  std::string rest = text_.substr(whole);
  text_.resize(whole);
  *piece = TextPiece{std::move(text_), offset_};
  text_ = std::move(rest);
  offset_ += int64_t(whole);
  return FileProblem();
}

void PieceReader::put_back(const TextPiece& piece, int64_t used) {
  offset_ = piece.offset + std::min(used, int64_t(piece.text.size()));
  text_.insert(0, piece.text, size_t(offset_ - piece.offset));
  has_newline_ = true;
}

void PieceReader::look_for_damage() {
  for (int64_t bytes = 0; bytes < kCheckedBytes; bytes += int64_t{1 * MiB}) {
    text_.clear();
    if (data_.read(size_t{1 * MiB}, &text_) == 0) return;
    yield();
  }
}

}  // namespace Grappa::detail
