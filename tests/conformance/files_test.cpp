/// Reference section "Files": saving and reading global arrays in a file or a directory of parts.

#include "tests/conformance/samples.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <dirent.h>
#include <unistd.h>

using namespace conformance;

namespace {

/// Creates a folder for each test and removes it after the test.
class Files : public testing::Test {
 protected:
  Files() : folder_(testing::TempDir() + "grappa_files_XXXXXX") {
    if (::mkdtemp(&folder_[0]) == nullptr) ADD_FAILURE() << "cannot create a folder for the test";
  }
  ~Files() override {
    for (const std::string& name : names(path("parts"))) std::remove(path("parts/" + name).c_str());
    for (const std::string& name : names(folder_)) std::remove(path(name).c_str());
    std::remove(folder_.c_str());
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  static std::vector<std::string> names(const std::string& folder) {
    std::vector<std::string> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(folder.c_str()), &::closedir);
    if (stream == nullptr) return found;
    while (const dirent* entry = ::readdir(stream.get())) {
      if (entry->d_name[0] != '.') found.push_back(entry->d_name);
    }
    return found;
  }

  /// Reads the elements of a file without the library.
  template <class T>
  static std::vector<T> elements(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    std::vector<T> found(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(found.data()));
    EXPECT_EQ(0u, bytes.size() % sizeof(T));
    return found;
  }

  /// Saves and reads arrays of several lengths.
  template <class T>
  void there_and_back(bool as_directory) {
    const std::string name = path(as_directory ? "parts" : "file");
    for (const int64_t n : {0, 1, 13, 3000}) {
      const auto saved = sample_array<T>(n);
      File to(name);
      save_array(to, as_directory, saved, n);
      EXPECT_EQ(as_directory, to.is_directory);
      EXPECT_EQ(n * static_cast<int64_t>(sizeof(T)), to.offset);
      if (!as_directory) {
        EXPECT_TRUE(samples<T>(n) == elements<T>(name)) << n << " elements";
      }

      const auto read = global_alloc<T>(static_cast<size_t>(n));
      File from(name, as_directory);
      read_array(from, read, n);
      EXPECT_EQ(to.offset, from.offset);
      EXPECT_TRUE(samples<T>(n) == read_all(read, n)) << n << " elements";
      global_free(saved);
      global_free(read);
    }
  }

 private:
  std::string folder_;
};

TEST_F(Files, FileSaved) {
  there_and_back<int64_t>(false);
  there_and_back<double>(false);
  there_and_back<char>(false);
  there_and_back<Record>(false);
}

TEST_F(Files, DirectorySaved) {
  there_and_back<int64_t>(true);
  there_and_back<char>(true);
  there_and_back<Record>(true);
  EXPECT_LE(1u, names(path("parts")).size());
}

TEST_F(Files, ReadArray) {
  // Reads a file of another program into the middle of an array, and into memory of one core.
  std::vector<Triple> triples;
  for (int64_t k = 0; k < 50; ++k) triples.push_back(sample<Triple>(k));
  std::ofstream(path("triples"), std::ios::binary)
      .write(reinterpret_cast<const char*>(triples.data()), 50 * sizeof(Triple));

  File file(path("triples"));
  const auto there = make_global(
      delegate::call(last_core(), [] { return locale_alloc<Triple>(20); }), last_core());
  file.offset = 10 * sizeof(Triple);
  read_array(file, there, 20);
  EXPECT_EQ(samples<Triple>(20, 10), read_all(there, 20));
  delegate::call(last_core(), [there] { locale_free(there.pointer()); });

  const auto words = sample_array<int64_t>(100);
  File again(path("triples"), false);
  read_array(again, words + 3, 90);
  for (int64_t k = 0; k < 90; ++k) {
    const Triple& triple = triples[static_cast<size_t>(k / 3)];
    EXPECT_EQ(k % 3 == 0   ? triple.a
              : k % 3 == 1 ? triple.b
                           : triple.c,
              delegate::read(words + 3 + k));
  }
  EXPECT_EQ(sample<int64_t>(2), delegate::read(words + 2));
  EXPECT_EQ(sample<int64_t>(93), delegate::read(words + 93));
  global_free(words);
}

TEST_F(Files, SaveArray) {
  // Saves two arrays in one file, the second array after the first.
  const auto words = sample_array<int64_t>(60);
  const auto reals = sample_array<double>(60);
  File file(path("both"));
  save_array(file, false, words, 60);
  save_array(file, false, reals + 5, 7);
  EXPECT_EQ(67 * 8, file.offset);
  const std::vector<int64_t> all = elements<int64_t>(path("both"));
  const std::vector<double> as_reals = elements<double>(path("both"));
  ASSERT_EQ(67u, all.size());
  for (int64_t k = 0; k < 60; ++k) EXPECT_EQ(sample<int64_t>(k), all[static_cast<size_t>(k)]);
  for (int64_t k = 0; k < 7; ++k) {
    EXPECT_EQ(sample<double>(5 + k), as_reals[static_cast<size_t>(60 + k)]);
  }
  global_free(words);
  global_free(reals);
}

TEST_F(Files, SaveArrayFromAnyCore) {
  const auto words = sample_array<int64_t>(500);
  const std::string name = path("far");
  const auto there = make_global(&name);
  delegate::call(last_core(), [words, there] {
    // A string is not trivially copyable, so its owner reads each character.
    std::string copy;
    for (size_t k = 0;; ++k) {
      const char next = delegate::call(there, [k](const std::string& s) { return s.c_str()[k]; });
      if (next == 0) break;
      copy += next;
    }
    File file(copy);
    save_array(file, false, words, 500);
  });
  EXPECT_EQ(samples<int64_t>(500), elements<int64_t>(name));
  global_free(words);
}

}  // namespace
