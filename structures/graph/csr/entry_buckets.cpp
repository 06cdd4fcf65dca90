#include "structures/graph/csr/entry_buckets.hpp"

#include "system/base/bits.hpp"
#include "system/base/mapping.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/sync/mutex.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace Grappa::detail {
namespace {

// A bucket of 2^11 vertices with 32 neighbours each takes 512 KiB, so two buckets fit in a
// second-level cache. There are at most 2^10 buckets, and their end pointers fit, too.
constexpr int kLogBucket = 11;
constexpr int kLogMostBuckets = 10;

constexpr int kDigitBits = 11;
constexpr size_t kDigits = size_t{1} << kDigitBits;

// A smaller bucket is sorted by comparison, without a table of digits.
constexpr size_t kWorthRadix = 4 * kDigits;

Mutex turns;  // used on core 0

int id_bits(int64_t nv) { return nv > 1 ? floor_log2(static_cast<uint64_t>(nv - 1)) + 1 : 1; }

}  // namespace

template <class Id>
EntryBuckets<Id>::EntryBuckets(int index_bits, int neighbour_bits)
    : log_bucket_(std::max(kLogBucket, index_bits - kLogMostBuckets)),
      neighbour_bits_(neighbour_bits),
      buckets_(size_t{1} << std::max(0, index_bits - log_bucket_)) {}

template <class Id>
EntryBuckets<Id>::~EntryBuckets() {
  for (char* const region : regions_) unmap(region, kRegionBytes);
}

template <class Id>
int64_t EntryBuckets<Id>::size() const {
  int64_t all = 0;
  for (const Bucket& bucket : buckets_) {
    all += int64_t(bucket.chunks.size()) * kChunkEntries - (bucket.end - bucket.next);
  }
  return all;
}

template <class Id>
std::vector<uint32_t> EntryBuckets<Id>::lengths(int64_t n) const {
  std::vector<uint32_t> lengths(static_cast<size_t>(n));
  for (const Bucket& bucket : buckets_) {
    for (const Entry* entry : bucket.chunks) {
      for (const Entry* const end = end_of(bucket, entry); entry != end;) ++lengths[entry++->place];
    }
  }
  return lengths;
}

template <class Id>
void EntryBuckets<Id>::add_chunk(Bucket* bucket) {
  if (region_used_ == kRegionBytes) {
    regions_.push_back(static_cast<char*>(map_private(kRegionBytes)));
    region_used_ = 0;
  }
  bucket->next = reinterpret_cast<Entry*>(regions_.back() + region_used_);
  bucket->end = bucket->next + kChunkEntries;
  bucket->chunks.push_back(bucket->next);
  region_used_ += kChunkBytes;
}

// Moves the entries of a bucket to entries_ and discards its memory.
template <class Id>
void EntryBuckets<Id>::gather(Bucket* bucket) {
  entries_.clear();
  for (Entry* const chunk : bucket->chunks) {
    entries_.insert(entries_.end(), static_cast<const Entry*>(chunk), end_of(*bucket, chunk));
    discard_pages(chunk, kChunkBytes);
  }
  *bucket = Bucket();
}

template <class Id>
template <class Digit>
void EntryBuckets<Id>::sort_by(Digit digit) {
  std::array<size_t, kDigits> next = {};
  for (const Entry& entry : entries_) ++next[digit(entry)];
  size_t first = 0;
  for (size_t& place : next) first += std::exchange(place, first);
  scratch_.resize(entries_.size());
  for (const Entry& entry : entries_) scratch_[next[digit(entry)]++] = entry;
  entries_.swap(scratch_);
}

template <class Id>
const std::vector<ListEntry<Id>>& EntryBuckets<Id>::take_sorted(size_t bucket) {
  gather(&buckets_[bucket]);
  if (entries_.size() < kWorthRadix) {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.place, a.neighbour) < std::tie(b.place, b.neighbour);
    });
    return entries_;
  }
  for (int shift = 0; shift < neighbour_bits_; shift += kDigitBits) {
    sort_by([shift](const Entry& e) { return size_t(e.neighbour >> shift) % kDigits; });
  }
  for (int shift = 0; shift < log_bucket_; shift += kDigitBits) {
    sort_by([shift](const Entry& e) { return size_t(e.place >> shift) % kDigits; });
  }
  return entries_;
}

template class EntryBuckets<uint32_t>;
template class EntryBuckets<uint64_t>;

template <class Id>
EntryBuckets<Id>* EntrySort<Id>::here = nullptr;

template <class Id>
EntrySort<Id>::EntrySort(int64_t places, int64_t nv) {
  delegate::call(0, [] { turns.lock(); });
  on_all_cores([places, nv] { here = new EntryBuckets<Id>(id_bits(places), id_bits(nv)); });
}

template <class Id>
EntrySort<Id>::~EntrySort() {
  on_all_cores([] {
    delete here;
    here = nullptr;
  });
  delegate::call(0, [] { turns.unlock(); });
}

template class EntrySort<uint32_t>;
template class EntrySort<uint64_t>;

}  // namespace Grappa::detail
