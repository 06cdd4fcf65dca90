#include "bench/raw_exchange.hpp"

#include <sched.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace raw {
namespace {

constexpr int kLooksBeforeYield = 10000;  // about 30 us or more

}  // namespace

// The head, the flags and the buckets, each aligned to kBucketBytes.
struct Exchange::Head {
  alignas(64) std::atomic<uint64_t> arrivals;  // number of arrivals at barriers
};

namespace {

size_t buckets(int processes) {
  return static_cast<size_t>(processes) * static_cast<size_t>(processes) * kBucketsPerPair;
}

size_t rounded_up(size_t bytes) { return (bytes + kBucketBytes - 1) / kBucketBytes * kBucketBytes; }

}  // namespace

size_t Exchange::bytes_needed(int processes) {
  return kBucketBytes + rounded_up(buckets(processes) * sizeof(Flag)) +
         buckets(processes) * kBucketBytes;
}

Exchange::Exchange(void* memory, int processes, int me)
    : head_(static_cast<Head*>(memory)),
      processes_(processes),
      me_(me),
      sent_(static_cast<size_t>(processes)),
      received_(static_cast<size_t>(processes)) {
  char* const flags = static_cast<char*>(memory) + kBucketBytes;
  flags_ = reinterpret_cast<Flag*>(flags);
  items_ = flags + rounded_up(buckets(processes) * sizeof(Flag));
}

uint64_t Exchange::arrive() {
  // acq_rel: the writes of a process before a barrier are visible to all processes after it
  head_->arrivals.fetch_add(1, std::memory_order_acq_rel);
  return ++barriers_ * static_cast<uint64_t>(processes_);
}

bool Exchange::all_are_at(uint64_t ticket) const {
  return head_->arrivals.load(std::memory_order_acquire) >= ticket;  // pairs with arrive
}

void Exchange::barrier() {
  const uint64_t ticket = arrive();
  for (int looks = 0; !all_are_at(ticket);) relax(&looks);
}

Exchange::Bucket Exchange::bucket(int from, int to, uint64_t turn) const {
  const size_t pair =
      static_cast<size_t>(from) * static_cast<size_t>(processes_) + static_cast<size_t>(to);
  const size_t number = pair * kBucketsPerPair + turn % kBucketsPerPair;
  return Bucket{&flags_[number], items_ + number * kBucketBytes};
}

void Exchange::hand_over(int to, size_t items, bool last) {
  const uint32_t value = static_cast<uint32_t>(2 * items) + (last ? 1 : 0);
  // release: pairs with the acquire in receive
  next_to(to).flag->value.store(value, std::memory_order_release);
  ++sent_[static_cast<size_t>(to)];
}

void Exchange::relax(int* looks) {
#if defined(__x86_64__)
  _mm_pause();
#endif
  if (++*looks % kLooksBeforeYield == 0) ::sched_yield();
}

}  // namespace raw
