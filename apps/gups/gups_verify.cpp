#include "apps/gups/gups.hpp"

namespace gups {
namespace {

// Results over the words of this core.
uint64_t sum;
uint64_t exclusive_or;

struct Wrong {
  int64_t words;
  int64_t first;  // the lowest wrong word, if there is one
} wrong;

uint64_t combine_bits(const uint64_t& a, const uint64_t& b) { return a ^ b; }

Wrong combine_wrong(const Wrong& a, const Wrong& b) {
  const bool take_a = b.words == 0 || (a.words != 0 && a.first < b.first);
  return Wrong{a.words + b.words, take_a ? a.first : b.first};
}

// Exclusive or of 0 to n-1. Four consecutive numbers that start at a multiple of four cancel out.
uint64_t exclusive_or_of_numbers(int64_t n) {
  uint64_t result = 0;
  for (int64_t k = n / 4 * 4; k < n; ++k) result ^= uint64_t(k);
  return result;
}

}  // namespace

std::string wrong_sum(const Table& table, int64_t updates) {
  Grappa::call_on_all_cores([] { sum = 0; });
  Grappa::forall(table.words, table.size(), [](int64_t& word) { sum += uint64_t(word); });
  const int64_t found = Grappa::sum_all_cores([] { return int64_t(sum); });
  if (found == updates) return "";
  return "the words of the table add up to " + std::to_string(found) + " after " +
         std::to_string(updates) + " updates";
}

void number_words(const Table& table) {
  Grappa::forall(table.words, table.size(), [](int64_t k, int64_t& word) { word = k; });
}

std::string wrong_exclusive_or(const Table& table, int64_t updates) {
  const uint64_t expected =
      exclusive_or_of_numbers(table.size()) ^ exclusive_or_of_numbers(updates);
  Grappa::call_on_all_cores([] { exclusive_or = 0; });
  Grappa::forall(table.words, table.size(), [](int64_t& word) { exclusive_or ^= uint64_t(word); });
  const uint64_t found = Grappa::reduce<uint64_t, combine_bits>(&exclusive_or);
  if (found == expected) return "";
  return "the exclusive or of all words is " + std::to_string(found) + " after " +
         std::to_string(updates) + " updates, expected " + std::to_string(expected);
}

std::string wrong_numbers(const Table& table) {
  Grappa::call_on_all_cores([] { wrong = Wrong{0, 0}; });
  Grappa::forall(table.words, table.size(), [](int64_t k, int64_t& word) {
    if (word != k) wrong = combine_wrong(wrong, Wrong{1, k});
  });
  const Wrong all = Grappa::reduce<Wrong, combine_wrong>(&wrong);
  if (all.words == 0) return "";
  const int64_t value = Grappa::delegate::read(table.words + all.first);
  return std::to_string(all.words) + (all.words == 1 ? " word is" : " words are") +
         " not restored by making each update twice; the first is word " +
         std::to_string(all.first) + " with the value " + std::to_string(value);
}

}  // namespace gups
