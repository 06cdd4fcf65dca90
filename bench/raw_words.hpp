#pragma once

/// The baseline of bench/words.cpp: counts words with a hash table in each process, and exchanges
/// the counts through shared memory. Before a word is counted, its slot in the table is prefetched,
/// and then the word in that slot.

#include <cstddef>
#include <cstdint>
#include <string>

namespace raw {

/// The counts of all words: a word adds its count times the hash of its bytes to the checksum.
struct WordCounts {
  int64_t words, different;
  uint64_t checksum;
};

uint64_t word_checksum(const char* word, size_t bytes);

/// Counts the words of this core's part of the file in `table`, and writes the counts of words of
/// other cores to files in the directory `shared`. All cores call it with the same arguments.
class WordCounter {
 public:
  WordCounter(int core, int cores, const std::string& shared);
  ~WordCounter();
  WordCounter(const WordCounter&) = delete;
  WordCounter& operator=(const WordCounter&) = delete;

  void count(const std::string& path);

  /// Adds the counts of other cores. From: after all cores have counted.
  void merge();

  WordCounts counts() const;

 private:
  struct Table;
  std::string part(int from, int to) const;

  const int core_, cores_;
  const std::string shared_;
  Table* const table_;
};

}  // namespace raw
