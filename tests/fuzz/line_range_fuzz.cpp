/// A file is cut at any offsets into ranges. Each range gives the lines that begin in the range.
/// All ranges together give each line once, in order, up to the first line that is too long.

#include "structures/text/line_reader.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

using namespace Grappa;
using namespace Grappa::detail;

namespace {

struct Line {
  int64_t offset;
  std::string text;
};
typedef std::vector<Line> Lines;

// The first three bytes select the cuts and the chunk size; the rest is the file. Each byte 0xff is
// repeated many times, which makes some lines too long.
constexpr size_t kHead = 3;
constexpr size_t kMany = kMaxLineBytes / 2 + 1;

std::string file_of(const uint8_t* data, size_t size) {
  std::string text;
  int many = 0;
  for (size_t k = 0; k < size; ++k) {
    text.append(data[k] == 0xff && ++many <= 4 ? size_t(kMany) : size_t(1), char(data[k]));
  }
  return text;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(Line{int64_t(at), text.substr(at, end - at)});
    at = end + 1;
  }
  return lines;
}

void check_range(int fd, const Lines& lines, int64_t first, int64_t last, size_t chunk) {
  auto expected = std::find_if(lines.begin(), lines.end(),
                               [first](const Line& line) { return line.offset >= first; });
  const FileProblem problem =
      for_each_line(fd, first, last, chunk, [&](const char* begin, const char* end, std::string*) {
        GRAPPA_CHECK(expected != lines.end() && expected->offset < last)
            << "a line outside [" << first << ", " << last << ")";
        GRAPPA_CHECK(expected->text.size() == size_t(end - begin) &&
                     std::equal(begin, end, expected->text.begin()))
            << "the line at " << expected->offset << " is wrong";
        ++expected;
        return true;
      });
  // If a range begins inside a line and contains too much of the line, the range rejects the line.
  const bool inside = expected != lines.begin() && std::prev(expected)->offset < first;
  if (inside && first < last) {
    const Line& line = *std::prev(expected);
    const int64_t end = std::min(last, line.offset + int64_t(line.text.size()));
    const bool too_long = end - first > int64_t{kMaxLineBytes};
    if (too_long) GRAPPA_CHECK(problem.found() && problem.offset == first) << problem.offset;
    if (too_long) return;
  }
  const bool more = expected != lines.end() && expected->offset < last;
  GRAPPA_CHECK(more == problem.found()) << problem.sentence;
  if (!more) return;
  fuzz::check_sentence(problem.sentence);
  GRAPPA_CHECK(problem.offset == expected->offset) << problem.offset;
  GRAPPA_CHECK(expected->text.size() > kMaxLineBytes) << problem.sentence;
  const int64_t number = expected - lines.begin() + 1;
  GRAPPA_CHECK(line_number_at(fd, problem.offset) == number) << number;
}

}  // namespace

std::vector<std::string> fuzz::corpus() {
  return {std::string("\x00\x10\x05one\ntwo\nthree three\n", 23), "\x40\x80\x01\n\n\na\nb",
          "\x20\x30\xff"
          "1 2\n\xff\xff\n3 4\n",
          "\x7f\x01\x10"
          "0 1\r\n2 3\r\nno newline",
          "\x01\xfe\x03\xff\n\xff\xff\xff"};
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < kHead) return 0;
  const std::string text = file_of(data + kHead, size - kHead);
  const int64_t bytes = int64_t(text.size());
  static const int fd = ::fileno(std::tmpfile());
  GRAPPA_CHECK(::ftruncate(fd, bytes) == 0 && ::pwrite(fd, text.data(), text.size(), 0) == bytes);
  const Lines lines = lines_of(text);
  int64_t cuts[] = {0, bytes * data[0] / 255, bytes * data[1] / 255, bytes};
  std::sort(cuts, cuts + 4);
  const size_t chunk = data[2] == 255 ? 4 * KiB : data[2] + size_t(1);
  for (int k = 0; k < 3; ++k) check_range(fd, lines, cuts[k], cuts[k + 1], chunk);
  return 0;
}
