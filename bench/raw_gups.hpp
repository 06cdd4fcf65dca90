#pragma once

/// Random updates of a table that is spread over processes, by hand: the baseline of
/// delegate::increment<async> and its kin. Of Grappa it has nothing.
///
/// Updates travel through an Exchange, those of a process to its own part of the table included.
/// The owner prefetches the words of the updates to come. The table has huge pages. An update of 8
/// bytes is the place of a word to which 1 is added, one of 16 bytes has the value to add beside
/// it.

#include "apps/gups/gups_stream.hpp"
#include "bench/raw_exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace raw {

/// Updates between the one that is applied and the one whose word is prefetched. On one core of a
/// Zen 4 anything from 8 to 128 does as well: 115 million updates a second of 2^27 words, 870 of
/// 2^20 (best of 20).
constexpr ptrdiff_t kPrefetchDistance = 96;

/// This process's part of the table: 2^log_words zeros at first, in memory before they are used.
class Table {
 public:
  explicit Table(int log_words);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  uint64_t* words() const { return words_; }
  int log_words() const { return log_words_; }

  /// Of all words.
  uint64_t sum() const;

 private:
  int log_words_;
  size_t bytes_;
  void* mapped_;
  uint64_t* words_;
};

/// Adds 1.
struct AddOne {
  uint64_t word;  // of the owner's part

  AddOne() = default;
  AddOne(uint64_t place, int64_t) : word(place) {}
  uint64_t value() const { return 1; }
};

/// Adds the number of the update.
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
    __builtin_prefetch(words + ahead->word, 1);
  }
  for (; ahead != end; ++ahead, ++next) {
    __builtin_prefetch(words + ahead->word, 1);
    words[next->word] += next->value();
  }
  for (; next != end; ++next) words[next->word] += next->value();
}

/// Makes updates 0 ... n-1 of the tables of 2^log_processes processes, an equal part in each. All
/// processes call it together, each with its own part of the table. Returns when all updates have
/// been applied everywhere.
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
