#include "bench/raw_gups.hpp"

#include <cstdio>
#include <cstdlib>
#include <numeric>

#include <sys/mman.h>

namespace raw {
namespace {

constexpr size_t kHugePage = size_t(2) << 20;

}  // namespace

// Only aligned huge pages are used, so the mapping is one huge page larger for the alignment.
Table::Table(int log_words)
    : log_words_(log_words), bytes_((sizeof(uint64_t) << log_words) + kHugePage) {
  mapped_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) {
    std::perror("cannot map the table of the baseline");
    std::abort();
  }
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(mapped_) + kHugePage - 1) & ~(kHugePage - 1);
  words_ = reinterpret_cast<uint64_t*>(begin);
  ::madvise(mapped_, bytes_, MADV_HUGEPAGE);  // a hint
  std::fill_n(words_, size_t(1) << log_words, 0);
}

Table::~Table() { ::munmap(mapped_, bytes_); }

uint64_t Table::sum() const {
  return std::accumulate(words_, words_ + (size_t(1) << log_words_), uint64_t(0));
}

}  // namespace raw
