/// forall_lines over several hostile files, plain and compressed. It visits the lines that a serial
/// reader finds, each once, or reports the first file that is damaged or has a bad line.

#include "structures/text/forall_lines.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/job_fuzz.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/serial_text.hpp"
#include "tests/structures/text/text_files.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <string>

using namespace Grappa;

namespace {

constexpr char kBad = '!';  // the body rejects lines that begin with it
constexpr size_t kMostText = size_t{64} << 20, kMostBytes = size_t{64} << 20;

int64_t lines_here = 0;  // that this core has visited
uint64_t sum_here = 0;   // of a hash of each of them

// FNV-1a.
uint64_t hash_of(const char* first, const char* last) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; first != last; ++first) hash = (hash ^ uint8_t(*first)) * 0x100000001b3;
  return hash;
}

// Lines of a few bytes, some of many. Long texts are divided between cores, tasks and pieces.
std::string some_text(SplitMix64* random) {
  const int64_t kind = random->below(40);
  const size_t bytes = size_t(random->below(kind < 32 ? 2000 : kind < 39 ? 100000 : 5000000));
  const std::string rare("\0\xff\r\t!", 5);
  const bool dos = random->below(4) == 0, bad_lines = random->below(3) == 0;
  std::string text;
  while (text.size() < bytes) {
    const int64_t which = random->below(400);
    const int64_t most = which == 0 ? int64_t(bytes) : which < 40 ? 1 : which < 60 ? 5000 : 60;
    std::string line(size_t(random->below(most)), char('a' + random->below(20)));
    for (int64_t left = random->below(3); left > 0 && !line.empty(); --left) {
      line[size_t(random->below(int64_t(line.size())))] = rare[size_t(random->below(4))];
    }
    if (bad_lines && random->below(100) == 0) line = kBad + line;
    text += line + (dos ? "\r\n" : "\n");
  }
  if (random->below(2) == 0 && !text.empty()) text.pop_back();
  return text;
}

std::string compressed(const std::string& text, const std::string& suffix, SplitMix64* random) {
  const size_t half = random->below(2) == 0 ? 0 : text.size() / 2;  // two members or frames
  std::string bytes;
  for (const std::string& part : {text.substr(0, half), text.substr(half)}) {
    if (part.empty() && half == 0 && !bytes.empty()) continue;
    bytes += suffix == ".gz" ? zipped(part, 1) : zstd_frame(part);
  }
  return bytes;
}

std::string some_file(const std::string& suffix, SplitMix64* random) {
  std::string bytes = some_text(random);
  if (!suffix.empty()) bytes = compressed(bytes, suffix, random);
  if (random->below(suffix.empty() ? 2 : 4) == 0) {
    for (int64_t left = 1 + random->below(3); left > 0; --left) {
      fuzz::mutate(&bytes, bytes, kMostBytes, random);
    }
  }
  return bytes;
}

// What the loop over the files must do.
struct Expected {
  std::string problem;  // the start of the message
  int64_t lines = 0;
  uint64_t sum = 0;
  bool too_large = false;

  void add(const std::string& path, const std::string& bytes) {
    std::string text;
    const fuzz::TextState state = fuzz::text_of(path, bytes, kMostText, &text);
    too_large |= state == fuzz::TextState::kTooLarge;
    if (!problem.empty()) return;
    if (state == fuzz::TextState::kDamaged) problem = path + ": ";
    int64_t number = 0;
    for (const std::string& line : fuzz::lines_of(text)) {
      ++number;
      if (problem.empty() && !line.empty() && line[0] == kBad) {
        problem = path + ":" + std::to_string(number) + ": bad";
      }
      ++lines;
      sum += hash_of(line.data(), line.data() + line.size());
    }
  }
};

}  // namespace

void fuzz::check_input(const std::string& folder, SplitMix64* random) {
  const std::string suffixes[] = {"", "", ".gz", ".zst"};
  Expected expected;
  const int64_t files = 1 + random->below(5);
  for (int64_t k = 0; k < files; ++k) {
    const std::string suffix = suffixes[random->below(4)];
    const std::string path = folder + "/f" + std::to_string(k) + suffix;
    const std::string bytes = some_file(suffix, random);
    write_file(path, bytes);
    expected.add(path, bytes);
  }
  if (expected.too_large) return;

  on_all_cores([] { lines_here = sum_here = 0; });
  const std::string problem = complaint([&folder] {
    forall_lines(folder + "/f*", [](const TextLine& line) {
      if (!line.empty() && *line.begin() == kBad) return line.reject("bad line " + line.quoted());
      ++lines_here;
      sum_here += hash_of(line.begin(), line.end());
    });
  });
  if (!expected.problem.empty()) {
    check_sentence(problem.substr(std::min(problem.size(), folder.size())));
    GRAPPA_CHECK(problem.compare(0, expected.problem.size(), expected.problem) == 0)
        << "got '" << problem << "', expected '" << expected.problem << "'";
    return;
  }
  GRAPPA_CHECK(problem.empty()) << problem;
  const int64_t lines = reduce<int64_t, collective_add>(&lines_here);
  const uint64_t sum = reduce<uint64_t, collective_add>(&sum_here);
  GRAPPA_CHECK(lines == expected.lines) << lines << " lines, expected " << expected.lines;
  GRAPPA_CHECK(sum == expected.sum) << "the lines have wrong bytes";
}
