#pragma once

/// The table of bench/gups in the global heap, and a summary of its contents.

#include <Grappa.hpp>

#include <cstdint>

namespace bench {

class GupsTable {
 public:
  /// Creates a table of 2^bits words over all cores, initially 0. From: task.
  explicit GupsTable(int bits);
  ~GupsTable();
  GupsTable(const GupsTable&) = delete;
  GupsTable& operator=(const GupsTable&) = delete;

  Grappa::GlobalAddress<int64_t> words() const { return words_; }
  int bits() const { return bits_; }

  struct Contents {
    uint64_t sum;
    uint64_t exclusive_or;
    bool operator==(const Contents& other) const {
      return sum == other.sum && exclusive_or == other.exclusive_or;
    }
  };

  /// Returns the summary of all words. From: task. Suspends: until all cores have read their words.
  Contents contents() const;

 private:
  Grappa::GlobalAddress<int64_t> words_;
  int bits_;
};

}  // namespace bench
