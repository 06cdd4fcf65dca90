#include "apps/gups/gups.hpp"

#include "apps/gups/gups_stream.hpp"

namespace gups {
namespace {

typedef GlobalAddress<int64_t> Word;

template <class Update>
void update_all(const Table& table, int64_t n, Grappa::Progress::Counter done, bool async_updates,
                Update update_word) {
  Grappa::forall(0, n, [table, update_word, done, async_updates](int64_t first, int64_t count) {
    for (int64_t k = first; k < first + count; ++k) {
      update_word(table.words + int64_t(word_of(k, table.log_words)), k);
    }
    charge_updates(count, table.size() / Grappa::cores(), async_updates);
    done.add(count);
  });
}

}  // namespace

void update(const Table& table, Mode mode, int64_t n, Grappa::Progress::Counter done) {
  switch (mode) {
    case Mode::Async:
      return update_all(table, n, done, true, [](Word word, int64_t) {
        Grappa::delegate::increment<Grappa::async>(word, 1);
      });
    case Mode::Blocking:
      return update_all(table, n, done, false,
                        [](Word word, int64_t) { Grappa::delegate::increment(word, 1); });
    case Mode::Xor:
      return update_all(table, n, done, true, [](Word word, int64_t k) {
        Grappa::delegate::call<Grappa::async>(word, [k](int64_t& w) { w ^= k; });
      });
  }
}

}  // namespace gups
