#pragma once

/// Hand-written exchange of items of one type between all processes of one machine. Its speed is
/// the limit for message aggregation.
///
/// Each pair of processes, including a process with itself, has a few buckets in shared memory,
/// which are used in turn. The sender writes items directly into a bucket, and passes the bucket to
/// the receiver when the bucket is full. The receiver is called once for each bucket, reads the
/// items in place, and returns the bucket. Items are not copied and have no header. One flag for
/// each bucket, on a separate cache line, synchronizes the single producer with the single
/// consumer. (J. Giacomoni et al., "FastForward for Efficient Pipeline Parallelism", PPoPP 2008.) A
/// process that waits for a free bucket receives items meanwhile, which prevents deadlock. The code
/// is independent of Grappa. Processes spin, so each needs its own processor. Invariant: between
/// two calls of run() all buckets are free, and both ends of a pair have counted equally many
/// buckets.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace raw {

/// The buckets of a pair are together larger than a second-level cache of 1 MiB. The sender then
/// finds returned buckets in the shared cache. With 64 such buckets, one core sends 758 million
/// items of 64 bytes per second to another core. With 16 buckets, the rate is 134 million, because
/// the buckets stay in the cache of the receiver and must be transferred line by line (best of 15,
/// with 60 ns for the transfer of a cache line).
constexpr size_t kBucketBytes = 32 << 10;
constexpr size_t kBucketsPerPair = 64;

/// Creates items and appends each to the bucket of its destination: `int make(k, Item* item)`
/// writes item k and returns its destination. At most kMost items are created at a time.
template <class T, class Make, bool Small = (sizeof(T) <= 16)>
struct ToMany {
  typedef T Item;
  static constexpr int64_t kMost = kBucketBytes / sizeof(Item);
  Make make;

  void operator()(int64_t first, int64_t n, Item** cursor, int) const {
    for (int64_t k = first; k < first + n; ++k) {
      Item item;
      const int to = make(k, &item);
      *cursor[to]++ = item;
    }
  }
};

/// Small items are first created in an array, which the compiler can vectorize. With two
/// destinations, each item is written to both buckets, and only one cursor advances. No store waits
/// for the cursor of the previous item. Both together are 1.6 times as fast as the class above.
template <class T, class Make>
struct ToMany<T, Make, true> {
  typedef T Item;
  static constexpr int64_t kMost = 256;
  Make make;

  void operator()(int64_t first, int64_t n, Item** cursor, int destinations) const {
    Item items[kMost];
    int64_t to[kMost];
    for (int64_t k = 0; k < n; ++k) to[k] = make(first + k, &items[k]);
    if (destinations == 2) {
      Item* zero = cursor[0];
      Item* one = cursor[1];
      for (int64_t k = 0; k < n; ++k) {
        *zero = items[k];
        *one = items[k];
        zero += 1 - to[k];
        one += to[k];
      }
      cursor[0] = zero;
      cursor[1] = one;
    } else {
      for (int64_t k = 0; k < n; ++k) *cursor[to[k]]++ = items[k];
    }
  }
};

/// Creates items for a single destination: `void make(int64_t k, Item* item)`.
template <class T, class Make>
struct ToOne {
  typedef T Item;
  static constexpr int64_t kMost = kBucketBytes / sizeof(Item);
  int destination;
  Make make;

  void operator()(int64_t first, int64_t n, Item** cursor, int) const {
    Item* place = cursor[destination];
    for (int64_t k = first; k < first + n; ++k) make(k, place++);
    cursor[destination] = place;
  }
};

template <class Item, class Make>
ToMany<Item, Make> to_many(Make make) {
  return {make};
}

template <class Item, class Make>
ToOne<Item, Make> to_one(int destination, Make make) {
  return {destination, make};
}

class Exchange {
 public:
  /// Returns the bytes of shared memory that all processes need together.
  static size_t bytes_needed(int processes);

  /// `memory` must be zero and aligned to kBucketBytes; its address may differ between processes.
  Exchange(void* memory, int processes, int me);

  int processes() const { return processes_; }
  int me() const { return me_; }

  /// The two steps of a barrier, for a caller that has other work between the steps.
  uint64_t arrive();
  bool all_are_at(uint64_t ticket) const;

  /// Returns when all processes have called this function.
  void barrier();

  /// Creates items k = first to end-1 with a ToMany or ToOne object, sends them, and executes the
  /// items from other processes until all items have arrived on all processes. For each bucket, it
  /// calls `execute(const Item* begin, const Item* end)`. All processes must call run() together.
  template <class Send, class Execute>
  void run(int64_t first, int64_t end, const Send& send, const Execute& execute);

 private:
  struct alignas(64) Flag {
    std::atomic<uint32_t> value;  // 0: free; else 2 x items, plus 1 in the last bucket of a run
  };
  struct Head;
  struct Bucket {
    Flag* flag;
    char* items;
  };

  // Returns bucket number `turn` from one process to another.
  Bucket bucket(int from, int to, uint64_t turn) const;
  Bucket next_to(int to) const { return bucket(me_, to, sent_[static_cast<size_t>(to)]); }

  // Returns how many items still fit in the bucket, if the next item is written to `cursor`.
  template <class Item>
  static int64_t room_behind(const Item* cursor) {
    return static_cast<int64_t>(
        (kBucketBytes - reinterpret_cast<uintptr_t>(cursor) % kBucketBytes) / sizeof(Item));
  }

  void hand_over(int to, size_t items, bool last);

  template <class Item, class Execute>
  int receive(const Execute& execute);

  // Spins at first, and yields after many polls, in case another process needs the processor.
  static void relax(int* looks);

  Head* head_;
  Flag* flags_;
  char* items_;
  int processes_;
  int me_;
  uint64_t barriers_ = 0;           // number of barriers at which this process has arrived
  std::vector<uint64_t> sent_;      // number of buckets, by destination
  std::vector<uint64_t> received_;  // number of buckets, by source
};

template <class Send, class Execute>
void Exchange::run(int64_t first, int64_t end, const Send& send, const Execute& execute) {
  typedef typename Send::Item Item;
  static_assert(kBucketBytes % sizeof(Item) == 0, "buckets hold whole items");
  int open_sources = processes_;
  std::vector<Item*> cursors;
  for (int to = 0; to < processes_; ++to) {
    cursors.push_back(reinterpret_cast<Item*>(next_to(to).items));
  }
  while (first < end) {
    // This many items fit for any choice of destinations, so no check is needed for each item.
    int64_t room = std::min<int64_t>(end - first, int64_t(Send::kMost));
    for (Item* const cursor : cursors) room = std::min(room, room_behind(cursor));
    send(first, room, cursors.data(), processes_);
    first += room;
    for (int to = 0; to < processes_; ++to) {
      Item*& cursor = cursors[static_cast<size_t>(to)];
      if (reinterpret_cast<uintptr_t>(cursor) % kBucketBytes != 0) continue;
      if (cursor == reinterpret_cast<Item*>(next_to(to).items)) continue;  // empty, not full
      hand_over(to, kBucketBytes / sizeof(Item), false);
      open_sources -= receive<Item>(execute);
      const Bucket next = next_to(to);
      for (int looks = 0; next.flag->value.load(std::memory_order_acquire) != 0; relax(&looks)) {
        open_sources -= receive<Item>(execute);
      }
      cursor = reinterpret_cast<Item*>(next.items);
    }
  }
  for (int to = 0; to < processes_; ++to) {
    const Item* const begin = reinterpret_cast<const Item*>(next_to(to).items);
    hand_over(to, static_cast<size_t>(cursors[static_cast<size_t>(to)] - begin), true);
  }
  for (int looks = 0; open_sources > 0; relax(&looks)) open_sources -= receive<Item>(execute);
  barrier();
}

// Executes all buckets that have arrived. Returns the number of senders whose last bucket was among
// them.
template <class Item, class Execute>
int Exchange::receive(const Execute& execute) {
  int ended = 0;
  for (int from = 0; from < processes_; ++from) {
    uint64_t& turn = received_[static_cast<size_t>(from)];
    for (;;) {
      const Bucket arrived = bucket(from, me_, turn);
      // acquire: pairs with the release in hand_over
      const uint32_t value = arrived.flag->value.load(std::memory_order_acquire);
      if (value == 0) break;
      const Item* const begin = reinterpret_cast<const Item*>(arrived.items);
      execute(begin, begin + value / 2);
      // release: pairs with the acquire of the sender in run
      arrived.flag->value.store(0, std::memory_order_release);
      ++turn;
      if ((value & 1) != 0) {
        ++ended;
        break;  // the next buckets belong to the next run
      }
    }
  }
  return ended;
}

}  // namespace raw
