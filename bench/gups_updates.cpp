#include "bench/gups_updates.hpp"

#include <map>
#include <memory>

namespace bench {
namespace {

// The tables of this core.
std::map<int, std::unique_ptr<raw::Table>> raw_tables;  // the key is log_words
uint64_t raw_sum;

}  // namespace

int log_cores() {
  int log = 0;
  while ((1 << log) < Grappa::cores()) ++log;
  return (1 << log) == Grappa::cores() ? log : -1;
}

GupsBaseline::GupsBaseline(int log_words) : log_words_(log_words) {
  Grappa::on_all_cores([log_words] { raw_tables[log_words].reset(new raw::Table(log_words)); });
}

GupsBaseline::~GupsBaseline() {
  const int log_words = log_words_;
  Grappa::on_all_cores([log_words] { raw_tables.erase(log_words); });
}

template <class Update>
Measurement GupsBaseline::update(int64_t n, uint64_t added) {
  const int log_words = log_words_;
  const int log_processes = log_cores();
  const double ns = raw_time_ns(
      [=] { raw::update<Update>(&raw_exchange(), raw_tables[log_words].get(), log_processes, n); });
  Grappa::on_all_cores([log_words] { raw_sum = raw_tables[log_words]->sum(); });
  uint64_t sum = 0;
  for (int core = 0; core < Grappa::cores(); ++core) {
    sum += Grappa::delegate::call(Grappa::Core(core), [] { return raw_sum; });
  }
  sum_ += added;
  return {million_updates(n, ns), sum == sum_};
}

Measurement GupsBaseline::add_one(int64_t n) { return update<raw::AddOne>(n, uint64_t(n)); }

Measurement GupsBaseline::add_number(int64_t n) {
  return update<raw::AddNumber>(n, sum_of_numbers(n));
}

}  // namespace bench
