#include "bench/gups_own.hpp"

#include "bench/gups_updates.hpp"

#include <algorithm>
#include <memory>

namespace bench {
namespace {

using Grappa::GlobalAddress;

std::unique_ptr<raw::Table> own_table;  // the words of this core
uint64_t own_sum;

template <OwnOrder order>
int64_t own_word(int64_t k, int log_words) {
  if (order == OwnOrder::Random) return int64_t(gups::word_of(k, log_words));
  const int64_t near = k / 2 + int64_t(gups::word_of(k, 3));
  return near & ((int64_t(1) << log_words) - 1);
}

struct AddOne {
  void operator()(uint64_t& word) const { ++word; }
};

template <OwnWay way>
void add_one(GlobalAddress<uint64_t> word) {
  if (way == OwnWay::Chosen) {
    Grappa::delegate::increment<Grappa::async>(word, 1);
  } else if (way == OwnWay::AtOnce && word.core() == Grappa::mycore()) {
    ++*word.pointer();
  } else {
    Grappa::delegate::call<Grappa::async>(word, AddOne());
  }
}

template <OwnOrder order, OwnWay way>
double time_ns(int64_t n, int log_words) {
  const uint64_t start = Grappa::detail::steady_ns();
  Grappa::forall(0, n, [log_words](int64_t first, int64_t count) {
    uint64_t* const words = own_table->words();
    for (int64_t k = first; k < first + count; ++k) {
      add_one<way>(Grappa::make_global(words + own_word<order>(k, log_words)));
    }
  });
  return double(Grappa::detail::steady_ns() - start);
}

template <OwnOrder order>
double time_ns(OwnWay way, int64_t n, int log_words) {
  return way == OwnWay::Chosen   ? time_ns<order, OwnWay::Chosen>(n, log_words)
         : way == OwnWay::AtOnce ? time_ns<order, OwnWay::AtOnce>(n, log_words)
                                 : time_ns<order, OwnWay::Sent>(n, log_words);
}

}  // namespace

OwnUpdates::OwnUpdates(int log_words) : log_words_(log_words) {
  Grappa::on_all_cores([log_words] { own_table.reset(new raw::Table(log_words)); });
}

OwnUpdates::~OwnUpdates() {
  Grappa::on_all_cores([] { own_table.reset(); });
}

Measurement OwnUpdates::update(OwnOrder order, OwnWay way, int64_t n) {
  const double ns = order == OwnOrder::Local ? time_ns<OwnOrder::Local>(way, n, log_words_)
                                             : time_ns<OwnOrder::Random>(way, n, log_words_);
  Grappa::on_all_cores([] { own_sum = own_table->sum(); });
  sum_ += uint64_t(n);
  const uint64_t sum = Grappa::reduce<uint64_t, Grappa::collective_add>(&own_sum);
  return {million_updates(n, ns), sum == sum_};
}

Measurement OwnUpdates::best_fixed(OwnOrder order, int64_t n) {
  const Measurement at_once = update(order, OwnWay::AtOnce, n / 2);
  const Measurement sent = update(order, OwnWay::Sent, n / 2);
  return {std::max(at_once.value, sent.value), at_once.verified && sent.verified};
}

}  // namespace bench
