#pragma once

/// Both sides of bench/gups in the processes of one job: updates of a table in the global heap, and
/// the hand-written baseline. Each measurement has the rate in million updates per second and core,
/// and the information whether the table is correct. The measured time is from the first update
/// until all updates have been applied on all cores.

#include <Grappa.hpp>

#include "apps/gups/gups_stream.hpp"
#include "bench/gups_table.hpp"
#include "bench/harness/pairs.hpp"
#include "bench/raw_gups.hpp"
#include "bench/raw_side.hpp"

#include <cstdint>

namespace bench {

/// Returns the base-2 logarithm of the number of cores, or -1 if the number is not a power of two.
int log_cores();

/// Returns 0 + 1 + ... + n-1.
inline uint64_t sum_of_numbers(int64_t n) { return uint64_t(n) * uint64_t(n - 1) / 2; }

inline double million_updates(int64_t n, double ns) {
  return double(n) / ns * 1000 / double(Grappa::cores());
}

/// Updates 0 to n-1 of a global table, and the expected contents of the table.
class GupsSubject {
 public:
  /// From: task.
  explicit GupsSubject(int bits) : table_(bits), contents_{0, 0} {}

  /// Runs `body(update)` for all updates. All updates must add `added` to the sum of the table.
  template <class Body>
  Measurement adds(int64_t n, uint64_t added, Body body) {
    const double ns = time_ns(n, body);
    const uint64_t sum = contents_.sum + added;
    contents_ = table_.contents();
    return {million_updates(n, ns), contents_.sum == sum};
  }

  /// Runs `body(update)` twice for all updates. `body` combines a word with the number of the
  /// update by exclusive or, so the second run restores the table.
  template <class Body>
  Measurement flips(int64_t n, Body body) {
    uint64_t all_numbers = 0;
    for (int64_t k = 0; k < n; ++k) all_numbers ^= uint64_t(k);
    const double once = time_ns(n, body);
    const bool changed = table_.contents().exclusive_or == (contents_.exclusive_or ^ all_numbers);
    const double again = time_ns(n, body);
    return {million_updates(2 * n, once + again), changed && table_.contents() == contents_};
  }

  Grappa::GlobalAddress<int64_t> words() const { return table_.words(); }
  int bits() const { return table_.bits(); }

 private:
  template <class Body>
  static double time_ns(int64_t n, const Body& body) {
    const uint64_t start = Grappa::detail::steady_ns();
    Grappa::forall(0, n, body);
    return double(Grappa::detail::steady_ns() - start);
  }

  GupsTable table_;
  GupsTable::Contents contents_;
};

/// Runs the updates of the subject that is measured with all table sizes and links.
inline Measurement increment_words(GupsSubject* subject, int64_t n) {
  const auto words = subject->words();
  const int bits = subject->bits();
  return subject->adds(n, uint64_t(n), [words, bits](int64_t first, int64_t count) {
    for (int64_t k = first; k < first + count; ++k) {
      Grappa::delegate::increment<Grappa::async>(words + int64_t(gups::word_of(k, bits)), 1);
    }
    gups::charge_updates(count, (int64_t(1) << bits) / Grappa::cores(), true);
  });
}

/// The hand-written baseline, with a table of 2^log_words words in each process.
class GupsBaseline {
 public:
  /// From: the main task, after prepare_raw_side(). At most one object of each size may exist.
  explicit GupsBaseline(int log_words);
  ~GupsBaseline();
  GupsBaseline(const GupsBaseline&) = delete;
  GupsBaseline& operator=(const GupsBaseline&) = delete;

  Measurement add_one(int64_t n);     // updates of 8 bytes
  Measurement add_number(int64_t n);  // updates of 16 bytes

 private:
  template <class Update>
  Measurement update(int64_t n, uint64_t added);

  const int log_words_;
  uint64_t sum_ = 0;  // expected sum of the whole table
};

}  // namespace bench
