#include "structures/text/line_reader.hpp"

#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

constexpr size_t kChunkBytes = 4 * MiB;

// A temporary file without a name.
class TextFile {
 public:
  explicit TextFile(const std::string& text) : file_(std::tmpfile()), bytes_(text.size()) {
    std::fwrite(text.data(), 1, text.size(), file_);
    std::fflush(file_);
  }
  ~TextFile() { std::fclose(file_); }
  int fd() const { return fileno(file_); }
  int64_t bytes() const { return int64_t(bytes_); }

 private:
  std::FILE* file_;
  size_t bytes_;
};

typedef std::vector<std::string> Lines;

// Divides the file into `parts` equal ranges, and returns the lines of all ranges in order.
Lines read_in_parts(const TextFile& file, int64_t parts, size_t chunk_bytes) {
  Lines lines;
  for (int64_t k = 0; k < parts; ++k) {
    const FileProblem problem =
        for_each_line(file.fd(), file.bytes() * k / parts, file.bytes() * (k + 1) / parts,
                      chunk_bytes, [&lines](const char* first, const char* last, std::string*) {
                        lines.push_back(std::string(first, last));
                        return true;
                      });
    EXPECT_FALSE(problem.found()) << problem.sentence;
  }
  return lines;
}

TEST(Lines, GivesEachLineOnceWhereverTheFileIsCut) {
  for (const std::string text : {"one\ntwo\n\nthree three three\n\n", "one\ntwo\nno newline", "\n",
                                 "\n\n\n", "x", "a long first line\nb\nc\nd\n"}) {
    const TextFile file(text);
    const Lines whole = read_in_parts(file, 1, kChunkBytes);
    for (int64_t parts = 1; parts <= int64_t(text.size()) + 2; ++parts) {
      for (const size_t chunk_bytes : {1, 2, 3, 7, 64}) {
        ASSERT_EQ(read_in_parts(file, parts, chunk_bytes), whole)
            << text << " in " << parts << " parts and chunks of " << chunk_bytes;
      }
    }
  }
}

TEST(Lines, NeedsNoNewlineAtTheEndOfTheFile) {
  EXPECT_EQ(read_in_parts(TextFile("one\ntwo"), 1, 4), (Lines{"one", "two"}));
  EXPECT_EQ(read_in_parts(TextFile("one\ntwo\n"), 1, 4), (Lines{"one", "two"}));
}

TEST(Lines, ReportsTheOffsetOfALineThatTheBodyRejects) {
  const TextFile file("good\ngood\nbad\nbad\n");
  const FileProblem problem =
      for_each_line(file.fd(), 0, file.bytes(), kChunkBytes,
                    [](const char* first, const char*, std::string* sentence) {
                      *sentence = "it is bad";
                      return *first == 'g';
                    });
  EXPECT_EQ(problem.offset, 10);
  EXPECT_EQ(problem.sentence, "it is bad");
  EXPECT_EQ(line_number_at(file.fd(), problem.offset), 3);
}

bool keep_going(const char*, const char*, std::string*) { return true; }

// The error must not depend on the positions at which chunks and ranges end.
TEST(Lines, RefusesALineThatIsTooLong) {
  const size_t limit = kMaxLineBytes;
  const TextFile good("first\n" + std::string(limit, 'x') + "\nlast\n");
  const TextFile bad("first\n" + std::string(limit + 1, 'x') + "\nlast\n");
  for (const size_t chunk_bytes : {size_t(1000), limit, kChunkBytes}) {
    EXPECT_FALSE(for_each_line(good.fd(), 0, good.bytes(), chunk_bytes, keep_going).found());
    EXPECT_EQ(for_each_line(bad.fd(), 0, bad.bytes(), chunk_bytes, keep_going).offset, 6);
    EXPECT_FALSE(for_each_line(bad.fd(), 7, bad.bytes(), chunk_bytes, keep_going).found())
        << "the range starts inside a long line of another range";
  }
}

// The buffer grows with the line.
TEST(Lines, MayBeLongerIfTheCallerAllowsIt) {
  const size_t limit = 10 * kMaxLineBytes;
  for (const size_t length : {kMaxLineBytes + 1, limit, limit + 1}) {
    const TextFile file("first\n" + std::string(length, 'x') + "\nlast\n");
    for (const size_t chunk_bytes : {size_t(1000), kChunkBytes}) {
      std::vector<size_t> lengths;
      const auto take = [&lengths](const char* first, const char* last, std::string*) {
        lengths.push_back(size_t(last - first));
        return true;
      };
      const FileProblem problem =
          for_each_line(file.fd(), 0, file.bytes(), chunk_bytes, take, limit);
      EXPECT_EQ(problem.offset, length > limit ? 6 : -1);
      const std::vector<size_t> all = {5, length, 4};
      EXPECT_EQ(lengths, length > limit ? std::vector<size_t>{5} : all);
    }
  }
}

TEST(Lines, OfATextAreThoseOfAFile) {
  for (const std::string text : {"one\ntwo\n\nthree\n\n", "one\nno newline", "\n", "x", ""}) {
    Lines lines;
    const auto take = [&lines](const char* first, const char* last, std::string*) {
      lines.push_back(std::string(first, last));
      return true;
    };
    EXPECT_FALSE(for_each_line_of(text, 5, take).found());
    EXPECT_EQ(lines, read_in_parts(TextFile(text), 1, kChunkBytes)) << text;
  }
  const auto reject = [](const char* first, const char*, std::string* sentence) {
    *sentence = "it is bad";
    return *first == 'g';
  };
  EXPECT_EQ(for_each_line_of("good\nbad\nbad\n", 100, reject).offset, 105);
  EXPECT_EQ(for_each_line_of("1\n" + std::string(9, 'x'), 100, keep_going, 8).offset, 102);
}

// The file is sparse and contains 1 TiB of zeros. Reading half of the file would take minutes.
TEST(Lines, RefusesARangeInsideATooLongLineEarly) {
  const TextFile file("0 1\n");
  ASSERT_EQ(ftruncate(file.fd(), int64_t{1} << 40), 0);
  for (const int64_t first : {int64_t{5}, int64_t{1} << 39}) {
    const FileProblem problem =
        for_each_line(file.fd(), first, int64_t{1} << 40, kChunkBytes, keep_going);
    EXPECT_EQ(problem.offset, first);
    EXPECT_EQ(problem.sentence, "the line is longer than 65536 bytes; this is not a text file");
  }
}

// The rest of the line would take minutes to read.
TEST(Lines, ReadsNoMoreIfNoLineBeginsInTheRange) {
  const TextFile file("0 1\n");
  ASSERT_EQ(ftruncate(file.fd(), int64_t{1} << 40), 0);
  for (const int64_t last : {6, 1000, 60000}) {
    EXPECT_FALSE(for_each_line(file.fd(), 5, last, kChunkBytes, keep_going).found());
  }
}

TEST(Lines, ReportsATruncatedFile) {
  const TextFile file("one\ntwo\n");
  const TextFile cut("one\ntw");
  for (const size_t chunk_bytes : {1, 3, 100}) {
    for (const int64_t first : {0, 5, 8, 9, 30}) {
      EXPECT_EQ(for_each_line(file.fd(), first, 40, chunk_bytes, keep_going).sentence,
                "the file ends here: it was truncated while it was read");
    }
    EXPECT_EQ(for_each_line(file.fd(), 0, 40, chunk_bytes, keep_going).offset, 8);
    int lines = 0;
    const FileProblem problem =
        for_each_line(cut.fd(), 0, 8, chunk_bytes,
                      [&lines](const char*, const char*, std::string*) { return ++lines > 0; });
    EXPECT_EQ(problem.offset, 6);
    EXPECT_EQ(lines, 1) << "half a line may look like a complete line";
  }
}

TEST(Lines, ReportsAFileThatCannotBeRead) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // a pipe has no offsets
  const FileProblem problem = for_each_line(ends[0], 0, 10, kChunkBytes, keep_going);
  EXPECT_EQ(problem.offset, 0);
  EXPECT_EQ(problem.sentence, "cannot be read here: Illegal seek");
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace Grappa
