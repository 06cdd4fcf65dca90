#include "apps/gups/gups_verify.hpp"

#include <algorithm>
#include <limits>

namespace gups {
namespace {

// Sums over the words of this core.
uint64_t sum;
uint64_t exclusive_or;
int64_t wrong;
int64_t lowest_wrong;

constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

// Exclusive or of 0 to n-1. Four consecutive numbers that start at a multiple of four cancel out.
uint64_t exclusive_or_of_numbers(int64_t n) {
  uint64_t result = 0;
  for (int64_t k = n / 4 * 4; k < n; ++k) result ^= uint64_t(k);
  return result;
}

uint64_t bits_of_all_words(const Table& table) {
  Grappa::on_all_cores([] { exclusive_or = 0; });
  Grappa::forall(table.words, table.size(), [](int64_t& word) { exclusive_or ^= uint64_t(word); });
  uint64_t all = 0;
  for (int core = 0; core < Grappa::cores(); ++core) {
    all ^= Grappa::delegate::call(Grappa::Core(core), [] { return exclusive_or; });
  }
  return all;
}

}  // namespace

std::string wrong_sum(const Table& table, int64_t updates) {
  Grappa::on_all_cores([] { sum = 0; });
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
  const uint64_t found = bits_of_all_words(table);
  if (found == expected) return "";
  return "the exclusive or of all words is " + std::to_string(found) + " after " +
         std::to_string(updates) + " updates, expected " + std::to_string(expected);
}

std::string wrong_numbers(const Table& table) {
  Grappa::on_all_cores([] {
    wrong = 0;
    lowest_wrong = kNone;
  });
  Grappa::forall(table.words, table.size(), [](int64_t k, int64_t& word) {
    if (word == k) return;
    ++wrong;
    lowest_wrong = std::min(lowest_wrong, k);
  });
  const int64_t all = Grappa::sum_all_cores([] { return wrong; });
  if (all == 0) return "";
  int64_t lowest = kNone;
  for (int core = 0; core < Grappa::cores(); ++core) {
    lowest =
        std::min(lowest, Grappa::delegate::call(Grappa::Core(core), [] { return lowest_wrong; }));
  }
  const int64_t value = Grappa::delegate::read(table.words + lowest);
  return std::to_string(all) + (all == 1 ? " word is" : " words are") +
         " not restored by making each update twice; the first is word " + std::to_string(lowest) +
         " with the value " + std::to_string(value);
}

}  // namespace gups
