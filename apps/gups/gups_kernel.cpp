#include "apps/gups/gups_kernel.hpp"

#include "apps/gups/gups_stream.hpp"

namespace gups {
namespace {

namespace delegate = Grappa::delegate;

struct AddAsync {
  void operator()(GlobalAddress<int64_t> word, int64_t) const {
    delegate::increment<Grappa::async>(word, 1);
  }
};

struct AddBlocking {
  void operator()(GlobalAddress<int64_t> word, int64_t) const { delegate::increment(word, 1); }
};

struct FlipBits {
  void operator()(GlobalAddress<int64_t> word, int64_t k) const {
    delegate::call<Grappa::async>(word, [k](int64_t& w) { w ^= k; });
  }
};

template <class Update>
void update_all(const Table& table, int64_t n, Grappa::Progress::Counter done, Update update_word) {
  Grappa::forall(0, n, [table, update_word, done](int64_t first, int64_t count) {
    for (int64_t k = first; k < first + count; ++k) {
      update_word(table.words + int64_t(word_of(k, table.log_words)), k);
    }
    done.add(count);
  });
}

}  // namespace

void update(const Table& table, Mode mode, int64_t n, Grappa::Progress::Counter done) {
  switch (mode) {
    case Mode::Async: update_all(table, n, done, AddAsync()); break;
    case Mode::Blocking: update_all(table, n, done, AddBlocking()); break;
    case Mode::Xor: update_all(table, n, done, FlipBits()); break;
  }
}

}  // namespace gups
