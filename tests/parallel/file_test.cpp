#include "system/parallel/file.hpp"

#include "system/base/input_error.hpp"
#include "system/parallel/file.hpp"
#include "tests/harness/failing_disk.hpp"

#include <Grappa.hpp>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace Grappa;

/// Creates a directory for the test, and removes it at the end.
class FileTest : public testing::Test {
 protected:
  FileTest() : folder_(testing::TempDir() + "grappa_file_XXXXXX") {
    if (::mkdtemp(&folder_[0]) == nullptr) ADD_FAILURE() << "no directory for the test";
  }
  ~FileTest() override {
    for (const std::string& name : {path("file"), path("other")}) ::unlink(name.c_str());
    for (const std::string& part : parts()) ::unlink(part.c_str());
    ::rmdir(path("parts").c_str());
    ::rmdir(folder_.c_str());
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::vector<std::string> parts() const {
    std::vector<detail::FilePart> found;
    detail::list_parts(path("parts"), &found);
    std::vector<std::string> paths;
    for (const auto& part : found) paths.push_back(detail::part_path(path("parts"), part));
    return paths;
  }

  static std::string contents(const std::string& name) {
    std::ifstream file(name);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  /// The message that is printed when `body` fails because of bad input.
  template <class F>
  static std::string complaint(F body) {
    const auto before = detail::input_error_hook;
    detail::input_error_hook = [](const char* line) { throw std::runtime_error(line); };
    std::string text;
    try {
      body();
    } catch (const std::runtime_error& error) {
      text = error.what();
    }
    detail::input_error_hook = before;
    const size_t program = text.find(": ");
    return program == std::string::npos ? text : text.substr(program + 2);
  }

 private:
  std::string folder_;
};

int64_t word_of(int64_t i) { return i * 7919 - 3; }

/// Returns an array of `n` words. Each word has been written by its owner.
GlobalAddress<int64_t> new_words(int64_t n) {
  auto words = global_alloc<int64_t>(static_cast<size_t>(n));
  forall(words, n, [](int64_t i, int64_t& word) { word = word_of(i); });
  return words;
}

void expect_words(GlobalAddress<int64_t> words, int64_t n, int64_t first = 0) {
  forall(words, n, [first](int64_t i, int64_t& word) { EXPECT_EQ(word_of(first + i), word); });
}

std::string bytes_of_words(int64_t n) {
  std::string bytes;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t word = word_of(i);
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  return bytes;
}

TEST_F(FileTest, HasTheElementsInOrder) {
  const int64_t n = 10007;
  auto words = new_words(n);
  File file(path("file"));
  save_array(file, false, words, n);
  EXPECT_EQ(n * 8, file.offset);
  EXPECT_TRUE(bytes_of_words(n) == contents(path("file")));
  global_free(words);
}

TEST_F(FileTest, ReadsWhatWasSaved) {
  for (const int64_t n : {0, 1, 511, 512, 513, 100000}) {
    auto words = new_words(n), again = global_alloc<int64_t>(static_cast<size_t>(n));
    for (const bool as_directory : {false, true}) {
      memset(again, 0, n);
      const std::string name = path(as_directory ? "parts" : "file");
      File out(name), in(name, as_directory);
      save_array(out, as_directory, words, n);
      read_array(in, again, n);
      EXPECT_EQ(n * 8, in.offset);
      expect_words(again, n);
    }
    global_free(again);
    global_free(words);
  }
}

TEST_F(FileTest, OfPartsIsTheFileWhenConcatenated) {
  const int64_t n = 50000;
  auto words = new_words(n);
  File file(path("parts"));
  save_array(file, true, words, n);
  std::string all;
  for (const std::string& part : parts()) all += contents(part);
  EXPECT_EQ(static_cast<size_t>(cores()), parts().size()) << "each core has written one";
  EXPECT_TRUE(bytes_of_words(n) == all);
  global_free(words);
}

TEST_F(FileTest, IsReadFromPartsOfAnySize) {
  ASSERT_EQ(0, ::mkdir(path("parts").c_str(), 0777));
  const std::string bytes = bytes_of_words(9000);
  int64_t begin = 0;
  for (const int64_t length : {1, 4095, 13, 30000, 8, 37883}) {
    std::ofstream(detail::part_path(path("parts"), {begin, begin + length}))
        << bytes.substr(static_cast<size_t>(begin), static_cast<size_t>(length));
    begin += length;
  }
  ASSERT_EQ(9000 * 8, begin);
  auto words = global_alloc<int64_t>(9000);
  File file(path("parts"), true);
  read_array(file, words, 9000);
  expect_words(words, 9000);
  global_free(words);
}

TEST_F(FileTest, HasSeveralArraysInOrder) {
  auto words = new_words(5000), again = global_alloc<int64_t>(5000);
  for (const bool as_directory : {false, true}) {
    const std::string name = path(as_directory ? "parts" : "file");
    File out(name), in(name, as_directory);
    save_array(out, as_directory, words, 1000);
    save_array(out, as_directory, words + 1000, 4000);
    read_array(in, again, 5000);
    expect_words(again, 5000);
    in.offset = 1000 * 8;
    read_array(in, again, 4000);
    expect_words(again, 4000, 1000);
    EXPECT_EQ(out.offset, in.offset);
  }
  global_free(again);
  global_free(words);
}

TEST_F(FileTest, EndsWithTheArrayThatIsSaved) {
  auto words = new_words(3000);
  for (const bool as_directory : {false, true}) {
    const std::string name = path(as_directory ? "parts" : "file");
    File large(name), small(name), in(name, as_directory);
    save_array(large, as_directory, words, 3000);
    save_array(small, as_directory, words, 10);
    const std::string left = complaint([&] { read_array(in, words, 11); });
    EXPECT_EQ(as_directory
                  ? name + ": byte 80: is not in any part\n"
                  : name + ": has 80 bytes, expected an array of 88 bytes from byte 0 on\n",
              left);
  }
  global_free(words);
}

TEST_F(FileTest, TakesArraysOfOneCoreAndPartsOfLinearArrays) {
  auto words = new_words(2000);
  auto mine = delegate::call(static_cast<Core>(cores() - 1),
                             [] { return make_global(locale_alloc<int64_t>(1000)); });
  File out(path("file")), in(path("file"));
  save_array(out, false, words + 13, 1000);
  read_array(in, mine, 1000);
  delegate::call(mine, [](int64_t* first) {
    for (int64_t k = 0; k < 1000; ++k) EXPECT_EQ(word_of(13 + k), first[k]);
    locale_free(first);
  });
  global_free(words);
}

TEST_F(FileTest, ThatCannotBeReadIsBadInput) {
  auto words = global_alloc<int64_t>(10);
  const auto reading = [words](const std::string& name, bool of_parts) {
    return complaint([&] {
      File file(name, of_parts);
      read_array(file, words, 10);
    });
  };
  EXPECT_EQ(path("none") + ": cannot be opened: No such file or directory\n",
            reading(path("none"), false));
  EXPECT_EQ(path("none") + ": cannot be read: No such file or directory\n",
            reading(path("none"), true));
  EXPECT_EQ(path("") + ": is a directory, expected a file\n", reading(path(""), false));
  EXPECT_EQ("/dev/null: is not a regular file, so cores cannot share it\n",
            reading("/dev/null", false));
  EXPECT_EQ("/no?ne: cannot be opened: No such file or directory\n", reading("/no\033ne", false));
  global_free(words);
}

TEST_F(FileTest, ThatCannotBeWrittenIsBadInput) {
  auto words = global_alloc<int64_t>(10);
  const std::string name = path("none") + "/file";
  for (const bool as_directory : {false, true}) {
    EXPECT_EQ(name + (as_directory ? ": cannot be created" : ": cannot be written") +
                  ": No such file or directory\n",
              complaint([&] {
                File file(name);
                save_array(file, as_directory, words, 10);
              }));
  }
  global_free(words);
}

TEST_F(FileTest, OfAPartThatIsTooShortNamesTheByte) {
  const int64_t n = 4096 * cores();
  auto words = new_words(n);
  File out(path("parts")), in(path("parts"), true);
  save_array(out, true, words, n);
  for (const std::string& part : parts()) ASSERT_EQ(0, ::truncate(part.c_str(), 1000));
  const std::string core = cores() == 1 ? "" : " on core 0";
  EXPECT_EQ(path("parts") + ": byte 1000: the file ends here" + core + "\n",
            complaint([&] { read_array(in, words, n); }))
      << "the first error";
  global_free(words);
}

TEST_F(FileTest, RefusesToSaveIntoTheMiddleOfAPart) {
  auto words = new_words(100);
  File out(path("parts"));
  save_array(out, true, words, 100);
  out.offset = 8;
  EXPECT_NE(std::string::npos, complaint([&] {
                                 save_array(out, true, words, 1);
                               }).find("has bytes before and after byte 8"));
  expect_words(words, 100);
  global_free(words);
}

/// The number of words for which the part of each core has 4,096 words.
int64_t words_of_all() { return 4096 * cores(); }

TEST_F(FileTest, OnAFullDiskNamesTheByteIfWriteOrCloseFails) {
  const int64_t n = words_of_all();
  auto words = new_words(n);
  const std::string core = cores() == 1 ? "" : " on core 0";
  for (const bool as_directory : {false, true}) {
    const std::string name = path(as_directory ? "parts" : "file");
    const auto saving = [&](int call, int before) {
      return complaint([&] {
        File file(name);
        with_failing(call, before, ENOSPC, [&] { save_array(file, as_directory, words, n); });
      });
    };
    const std::string refusal = "cannot be written" + core + ": No space left on device\n";
    EXPECT_EQ(name + ": byte 0: " + refusal, saving(kWriteCall, 0));
    // Core 0 first truncates a single file and closes it. So the close after the write is its
    // second close.
    EXPECT_EQ(name + ": byte 0: " + refusal, saving(kCloseCall, as_directory ? 0 : 1));
    if (!as_directory) {
      EXPECT_EQ(name + ": cannot be written: No space left on device\n", saving(kCloseCall, 0));
    }
    EXPECT_EQ("", saving(kWriteCall, 1000)) << "the disk has space again";
    File file(name, as_directory);
    read_array(file, words, n);
    expect_words(words, n);
  }
  global_free(words);
}

TEST_F(FileTest, OnAFailingDiskNamesTheByteThatCannotBeRead) {
  const int64_t n = words_of_all();
  auto words = new_words(n);
  const std::string core = cores() == 1 ? "" : " on core 0";
  for (const bool as_directory : {false, true}) {
    const std::string name = path(as_directory ? "parts" : "file");
    File out(name);
    save_array(out, as_directory, words, n);
    const auto reading = [&](int call) {
      return complaint([&] {
        File in(name, as_directory);
        with_failing(call, 0, EIO, [&] { read_array(in, words, n); });
      });
    };
    EXPECT_EQ(name + ": byte 0: cannot be read" + core + ": Input/output error\n",
              reading(kReadCall));
    EXPECT_EQ(name + ": byte 0: cannot be opened" + core + ": Input/output error\n",
              reading(kOpenCall));
  }
  global_free(words);
}

TEST_F(FileTest, ContinuesAfterASignalHasInterruptedIt) {
  const int64_t n = words_of_all();
  auto words = new_words(n);
  File out(path("file")), in(path("file"));
  EXPECT_TRUE(with_failing(kWriteCall, 0, EINTR, [&] { save_array(out, false, words, n); }));
  forall(words, n, [](int64_t& word) { word = 0; });
  EXPECT_TRUE(with_failing(kReadCall, 0, EINTR, [&] { read_array(in, words, n); }));
  expect_words(words, n);
  global_free(words);
}

/// Saves and reads `n` elements in the middle of a larger array.
template <class T>
void save_and_read(const std::string& name, bool as_directory, int64_t n) {
  const auto all = global_alloc<T>(static_cast<size_t>(n) + 8);
  forall(all, n + 8, [](int64_t i, T& element) { element = static_cast<T>(i); });
  File out(name), in(name, as_directory);
  save_array(out, as_directory, all + 5, n);
  EXPECT_EQ(as_directory, out.is_directory);
  forall(all, n + 8, [](T& element) { element = T(); });
  read_array(in, all + 5, n);
  EXPECT_EQ(n * int64_t{sizeof(T)}, in.offset);
  forall(all, n + 8, [n](int64_t i, T& element) {
    EXPECT_TRUE(element == (5 <= i && i < 5 + n ? static_cast<T>(i) : T())) << i;
  });
  global_free(all);
}

struct Line {
  Line() = default;
  explicit Line(int64_t all) {
    for (int64_t& word : words) word = all;
  }
  bool operator==(const Line& other) const { return words[0] == other.words[0]; }
  int64_t words[8] = {};
};

TEST_F(FileTest, HoldsElementsOfAnySize) {
  save_and_read<char>(path("file"), false, 5000);
  save_and_read<char>(path("parts"), true, 5000);
  save_and_read<Line>(path("file"), false, 300);
}

TEST_F(FileTest, IsSavedByATaskOfAnyCore) {
  auto words = new_words(500);
  static char name[4096];  // at the same address on all cores
  path("file").copy(name, sizeof name - 1);
  const auto there = make_global(name, 0);
  delegate::call(static_cast<Core>(cores() - 1), [words, there] {
    Grappa::memcpy(name, there, sizeof name);
    File file(name);
    save_array(file, false, words, 500);
  });
  EXPECT_TRUE(bytes_of_words(500) == contents(path("file")));
  global_free(words);
}

}  // namespace
