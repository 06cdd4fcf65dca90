#include "bench/gups_table.hpp"

namespace bench {
namespace {

// The sums of the words of this core.
GupsTable::Contents contents_here;

}  // namespace

GupsTable::GupsTable(int bits)
    : words_(Grappa::global_alloc<int64_t>(size_t(1) << bits)), bits_(bits) {
  Grappa::memset(words_, 0, int64_t(1) << bits);
}

GupsTable::~GupsTable() { Grappa::global_free(words_); }

GupsTable::Contents GupsTable::contents() const {
  const Grappa::GlobalAddress<int64_t> words = words_;
  const int64_t n = int64_t(1) << bits_;
  Grappa::on_all_cores([words, n] {
    Contents contents = {0, 0};
    for (const int64_t word : Grappa::iterate_local(words, n)) {
      contents.sum += uint64_t(word);
      contents.exclusive_or ^= uint64_t(word);
    }
    contents_here = contents;
  });
  Contents all = {0, 0};
  for (int core = 0; core < Grappa::cores(); ++core) {
    const Contents one = Grappa::delegate::call(Grappa::Core(core), [] { return contents_here; });
    all.sum += one.sum;
    all.exclusive_or ^= one.exclusive_or;
  }
  return all;
}

}  // namespace bench
