/// Any file is read as gzip or zstd data, in pieces. The pieces are consecutive and have whole
/// lines. Damage gives a message. Data of a text that are not mutated give the text.

#include "structures/text/piece_reader.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/structures/text/text_files.hpp"

#include <cstdio>

#include <unistd.h>

using namespace Grappa;
using namespace Grappa::detail;

namespace {

constexpr size_t kHead = 2;             // the format, and the bytes of a piece
constexpr int64_t kMostText = 1 << 20;  // a small file may have a large text
constexpr size_t kMostLine = size_t{1} << 16;

int file_with(const std::string& bytes) {
  static const int fd = ::fileno(std::tmpfile());
  GRAPPA_CHECK(::ftruncate(fd, 0) == 0);
  GRAPPA_CHECK(write_fully(fd, bytes.data(), int64_t(bytes.size()), 0));
  return fd;
}

// Returns the text up to its end, a problem, or kMostText bytes.
std::string read_all(const std::string& bytes, Compression compression, size_t piece_bytes,
                     bool* complete) {
  PieceReader reader(file_with(bytes), compression);
  std::string text;
  *complete = false;
  while (int64_t(text.size()) < kMostText) {
    TextPiece piece;
    const FileProblem problem = reader.next(piece_bytes, kMostLine, &piece);
    if (problem.found()) {
      fuzz::check_sentence(problem.sentence);
      GRAPPA_CHECK(problem.offset == int64_t(text.size())) << problem.offset;
      return text;
    }
    if (piece.text.empty()) break;
    GRAPPA_CHECK(piece.offset == int64_t(text.size())) << piece.offset;
    GRAPPA_CHECK(text.empty() || text.back() == '\n') << "a piece begins inside a line";
    text += piece.text;
  }
  if (reader.damage().found()) fuzz::check_sentence(reader.damage().sentence);
  GRAPPA_CHECK(reader.used_bytes() <= int64_t(bytes.size())) << reader.used_bytes();
  *complete = !reader.damage().found();
  return text;
}

void check_round_trip(const std::string& text, size_t piece_bytes) {
  bool complete = false;
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const bool gzip = compression == Compression::kGzip;
    const std::string bytes = gzip ? zipped(text) : zstd_frame(text);
    GRAPPA_CHECK(read_all(bytes, compression, piece_bytes, &complete) == text && complete);
    if (bytes.size() < 2) continue;
    read_all(bytes.substr(0, bytes.size() - 1), compression, piece_bytes, &complete);
    GRAPPA_CHECK(!complete) << "a truncated file is complete";
  }
}

}  // namespace

std::vector<std::string> fuzz::corpus() {
  return {"g\x05" + zipped("one\ntwo\nthree\n"), "z\x05" + zstd_frame("one\ntwo\nthree\n"),
          "g\x40" + zipped("a\nb") + zipped("") + zipped("c\n") + std::string(3, '\0'),
          "z\x01" + zstd_frame("a\nb") + zstd_frame("") + zstd_frame("c\n")};
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < kHead) return 0;
  const Compression compression = data[0] % 2 == 1 ? Compression::kGzip : Compression::kZstd;
  const size_t piece_bytes = data[1] + size_t{1};
  const std::string bytes(reinterpret_cast<const char*>(data) + kHead, size - kHead);
  bool complete = false;
  read_all(bytes, compression, piece_bytes, &complete);
  check_round_trip(bytes, piece_bytes);
  return 0;
}
