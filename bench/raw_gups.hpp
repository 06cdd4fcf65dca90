#pragma once

/// Hand-written code for random updates of a table that is distributed over processes. It is the
/// baseline of delegate::increment<async> and similar calls. The code is independent of Grappa.
///
/// All updates are sent through an Exchange, including updates of a process to its own part of the
/// table. The owner prefetches the words of later updates. The table has huge pages. An update of 8
/// bytes is the index of a word to which 1 is added; an update of 16 bytes also has the value to
/// add.

#include "apps/gups/gups_stream.hpp"
#include "bench/raw_exchange.hpp"
#include "system/base/compiler.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace raw {

/// The distance between the update that is applied and the update whose word is prefetched. On one
/// core of a Zen 4, all values from 8 to 128 are equally fast: 115 million updates per second of
/// 2^27 words, and 870 million of 2^20 words (best of 20).
constexpr ptrdiff_t kPrefetchDistance = 96;

/// This process's part of the table: 2^log_words words, initially 0, in resident memory.
class Table {
 public:
  explicit Table(int log_words);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  uint64_t* words() const { return words_; }
  int log_words() const { return log_words_; }

  /// Returns the sum of all words.
  uint64_t sum() const;

 private:
  int log_words_;
  size_t bytes_;
  void* mapped_;
  uint64_t* words_;
};

/// An update that adds 1.
struct AddOne {
  uint64_t word;  // index within the owner's part

  AddOne() = default;
  AddOne(uint64_t place, int64_t) : word(place) {}
  uint64_t value() const { return 1; }
};

/// An update that adds the number of the update.
struct AddNumber {
  uint64_t word;
  uint64_t number;

  AddNumber() = default;
  AddNumber(uint64_t place, int64_t k) : word(place), number(static_cast<uint64_t>(k)) {}
  uint64_t value() const { return number; }
};

template <class Update>
void apply(uint64_t* words, const Update* next, const Update* end) {
  const Update* ahead = next;
  for (const Update* const stop = std::min(next + kPrefetchDistance, end); ahead != stop; ++ahead) {
    GRAPPA_PREFETCH(words + ahead->word);
  }
  for (; ahead != end; ++ahead, ++next) {
    GRAPPA_PREFETCH(words + ahead->word);
    words[next->word] += next->value();
  }
  for (; next != end; ++next) words[next->word] += next->value();
}

/// Makes updates 0 to n-1 of the tables of 2^log_processes processes. Each process makes an equal
/// part of the updates. All processes must call this function together, each with its own part of
/// the table. Returns when all updates have been applied everywhere.
template <class Update>
void update(Exchange* exchange, Table* table, int log_processes, int64_t n) {
  const int log_words = table->log_words();
  const int bits = log_words + log_processes;
  const uint64_t mask = (uint64_t(1) << log_words) - 1;
  uint64_t* const words = table->words();
  const int64_t me = exchange->me(), all = exchange->processes();
  const auto make = [bits, log_words, mask](int64_t k, Update* update) {
    const uint64_t place = gups::word_of(k, bits);
    *update = Update(place & mask, k);
    return static_cast<int>(place >> log_words);
  };
  exchange->run(n * me / all, n * (me + 1) / all, to_many<Update>(make),
                [words](const Update* begin, const Update* end) { apply(words, begin, end); });
}

}  // namespace raw
