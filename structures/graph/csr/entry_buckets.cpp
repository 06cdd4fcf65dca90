#include "structures/graph/csr/entry_buckets.hpp"

#include <algorithm>
#include <utility>

namespace Grappa::detail {
namespace {

// A bucket of 2^11 vertices with 32 neighbours each takes 256 KiB in keys of 4 bytes, so two
// buckets fit in a second-level cache. There are at most 2^11 buckets, unless keys would exceed 64
// bits, so their end pointers fit in the cache, too.
constexpr int kLogBucket = 11;
constexpr int kLogMostBuckets = 10;

int log_bucket_for(int index_bits, int neighbour_bits) {
  const int most =
      std::min(std::max(kLogBucket, index_bits - kLogMostBuckets), 64 - neighbour_bits);
  return (most + neighbour_bits) % 8 == 1 ? most - 1 : most;  // saves a byte of each key
}

}  // namespace

int id_bits(int64_t n) { return n > 1 ? floor_log2(static_cast<uint64_t>(n - 1)) + 1 : 1; }

size_t key_bytes(int index_bits, int neighbour_bits) {
  const int bits = log_bucket_for(index_bits, neighbour_bits) + neighbour_bits;
  return std::max(sizeof(uint32_t), static_cast<size_t>(div_up(static_cast<uint64_t>(bits), 8)));
}

template <class Id>
EntryBuckets<Id>::EntryBuckets(int index_bits, int neighbour_bits)
    : log_bucket_(log_bucket_for(index_bits, neighbour_bits)),
      neighbour_bits_(neighbour_bits),
      key_bytes_(key_bytes(index_bits, neighbour_bits)),
      buckets_(size_t{1} << std::max(0, index_bits - log_bucket_)),
      log_group_((floor_log2(buckets_.size()) + 1) / 2),
      groups_(div_up(buckets_.size(), size_t{1} << log_group_)) {}

template <class Id>
EntryBuckets<Id>::~EntryBuckets() {
  for (Group& group : groups_) free_pages(&group);
}

template <class Id>
size_t EntryBuckets<Id>::size_of(const Bucket& bucket) const {
  return (bucket.chunks.size() * chunk_bytes() - size_t(bucket.end - bucket.next)) / key_bytes_;
}

template <class Id>
int64_t EntryBuckets<Id>::size() const {
  size_t all = 0;
  for (const Bucket& bucket : buckets_) all += size_of(bucket);
  return int64_t(all);
}

template <class Id>
std::vector<uint32_t> EntryBuckets<Id>::lengths(int64_t n) const {
  std::vector<uint32_t> lengths(static_cast<size_t>(n));
  for_each([&lengths](const Entry& entry) { ++lengths[entry.place]; });
  return lengths;
}

template <class Id>
void EntryBuckets<Id>::free_pages(Group* group) {
  for (char* const page : group->pages) unmap(page, kHugePageBytes);
  *group = Group();
}

// The first page of a group becomes resident in small pages, so that a small graph needs little
// memory.
template <class Id>
void EntryBuckets<Id>::add_chunk(Bucket* bucket) {
  Group& group = group_of(bucket);
  const size_t in_page = group.allocated++ % kPageChunks;
  if (in_page == 0) {
    char* const page = static_cast<char*>(map_private_aligned(kHugePageBytes, kHugePageBytes));
    if (!group.pages.empty()) advise_huge_pages(page, kHugePageBytes);
    group.pages.push_back(page);
  }
  bucket->next = group.pages.back() + in_page * kChunkBytes;
  bucket->end = bucket->next + chunk_bytes();
  bucket->chunks.push_back(bucket->next);
}

// Sorts the keys of a bucket into sorter->keys, by digits from the lowest on, and empties the
// bucket. One pass counts all digits, and the pass for the lowest digit reads the chunks.
template <class Id>
template <class Key>
size_t EntryBuckets<Id>::take_sorted(Bucket* bucket, Sorter<Key>* sorter) {
  constexpr size_t kWorthRadix = 4 * kDigits;  // fewer keys are sorted by comparison
  const size_t n = size_of(*bucket);
  std::vector<Key>& keys = sorter->keys;
  keys.resize(n);
  const size_t digits =
      n < kWorthRadix ? 0
                      : div_up(static_cast<uint64_t>(log_bucket_ + neighbour_bits_), kDigitBits);
  if (digits == 0) {
    Key* next = keys.data();
    for_each_key(*bucket, [&next](uint64_t key) { *next++ = static_cast<Key>(key); });
    std::sort(keys.begin(), keys.end());
  } else {
    std::vector<Counts>& next = sorter->next;  // the place of the next key with each digit
    next.assign(digits, Counts());
    for_each_key(*bucket, [&next](uint64_t key) {
      for (Counts& counts : next) {
        ++counts[key % kDigits];
        key >>= kDigitBits;
      }
    });
    for (Counts& counts : next) {
      size_t first = 0;
      for (size_t& place : counts) first += std::exchange(place, first);
    }
    for_each_key(*bucket, [&keys, &lowest = next[0]](uint64_t key) {
      keys[lowest[key % kDigits]++] = static_cast<Key>(key);
    });
  }
  Group& group = group_of(bucket);
  group.read += bucket->chunks.size();
  if (group.read == group.allocated) free_pages(&group);
  *bucket = Bucket();
  for (size_t digit = 1; digit < digits; ++digit) {
    sorter->scratch.resize(n);
    for (const Key key : keys) {
      sorter->scratch[sorter->next[digit][key >> digit * kDigitBits & (kDigits - 1)]++] = key;
    }
    keys.swap(sorter->scratch);
  }
  return n;
}

template <class Id>
auto EntryBuckets<Id>::take_sorted(size_t bucket) -> Sorted {
  Sorted sorted;
  sorted.all_ = this;
  sorted.bucket_ = bucket;
  sorted.size_ = has_narrow_keys() ? take_sorted(&buckets_[bucket], &narrow_)
                                   : take_sorted(&buckets_[bucket], &wide_);
  return sorted;
}

template class EntryBuckets<uint32_t>;
template class EntryBuckets<uint64_t>;

}  // namespace Grappa::detail
