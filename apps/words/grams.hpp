#pragma once

/// The words of a line, and sequences of consecutive words (n-grams).

#include <Grappa.hpp>

#include <cstdint>
#include <deque>
#include <string>

namespace words {

constexpr int64_t kMostGramBytes = 1 << 20;  // a key of a GlobalMap

inline bool is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/// Removes the next word from [*at, last) and returns it. If no word is left, returns an empty
/// view. Words are separated by white space, as for the program wc.
inline Grappa::StringView next_word(const char** at, const char* last) {
  while (*at != last && is_space(**at)) ++*at;
  const char* const first = *at;
  while (*at != last && !is_space(**at)) ++*at;
  return Grappa::StringView(first, static_cast<size_t>(*at - first));
}

/// Calls visit(StringView) for each word of the text. Returns their number.
template <class Visit>
int64_t for_each_word(const char* first, const char* last, const Visit& visit) {
  int64_t words = 0;
  while (true) {
    const Grappa::StringView word = next_word(&first, last);
    if (word.empty()) return words;
    visit(word);
    ++words;
  }
}

/// Calls visit(StringView) for each sequence of `n` consecutive words of the text, with one space
/// between two words. Returns the number of sequences.
template <class Visit>
int64_t for_each_gram(const char* first, const char* last, int64_t n, const Visit& visit) {
  if (n == 1) return for_each_word(first, last, visit);
  int64_t grams = 0;
  std::string gram;
  std::deque<size_t> lengths;  // of the words in `gram`
  for_each_word(first, last, [&](Grappa::StringView word) {
    if (static_cast<int64_t>(lengths.size()) == n) {
      gram.erase(0, lengths.front() + 1);
      lengths.pop_front();
    }
    if (!lengths.empty()) gram += ' ';
    gram.append(word.data(), word.size());
    lengths.push_back(word.size());
    if (static_cast<int64_t>(lengths.size()) < n) return;
    visit(Grappa::StringView(gram));
    ++grams;
  });
  return grams;
}

}  // namespace words
