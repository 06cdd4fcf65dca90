#include "apps/gups/gups.hpp"

namespace gups {
namespace {

Grappa::Reducer<uint64_t, Grappa::ReducerType::Add> sum;
Grappa::Reducer<int64_t, Grappa::ReducerType::Add> wrong_words;
Grappa::Reducer<int64_t, Grappa::ReducerType::Min> first_wrong;
uint64_t exclusive_or;  // exclusive or of the words of this core

// Returns the exclusive or of 0 to n-1. The exclusive or of 4i to 4i+3 is 0.
uint64_t exclusive_or_of_numbers(int64_t n) {
  uint64_t result = 0;
  for (int64_t k = n / 4 * 4; k < n; ++k) result ^= uint64_t(k);
  return result;
}

}  // namespace

std::string wrong_sum(const Table& table, int64_t updates) {
  sum.reset();
  Grappa::forall(table.words, table.size(), [](int64_t& word) { sum += uint64_t(word); });
  const int64_t found = int64_t(uint64_t(sum));
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
  const uint64_t found = Grappa::reduce<uint64_t, Grappa::collective_bxor>(&exclusive_or);
  if (found == expected) return "";
  return "the exclusive or of all words is " + std::to_string(found) + " after " +
         std::to_string(updates) + " updates, expected " + std::to_string(expected);
}

std::string wrong_numbers(const Table& table) {
  wrong_words.reset();
  first_wrong.reset();
  Grappa::forall(table.words, table.size(), [](int64_t k, int64_t& word) {
    if (word == k) return;
    ++wrong_words;
    first_wrong << k;
  });
  const int64_t words = wrong_words, first = first_wrong;
  if (words == 0) return "";
  const int64_t value = Grappa::delegate::read(table.words + first);
  return std::to_string(words) + (words == 1 ? " word is" : " words are") +
         " not restored by making each update twice; the first is word " + std::to_string(first) +
         " with the value " + std::to_string(value);
}

}  // namespace gups
