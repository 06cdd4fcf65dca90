#pragma once

/// Items from every process to every process of one machine, as an expert writes it by hand for one
/// type of item: the limit for all that aggregates messages.
///
/// Each pair of processes, one and itself included, has a few buckets in shared memory, which are
/// used in turn. The sender writes items straight into a bucket and hands it over when it is full;
/// the receiver is called once for each bucket, reads the items where they are, and gives it back.
/// Nothing is copied and nothing travels with an item. One flag a bucket, in a cache line of its
/// own, does both: single producer, single consumer. (J. Giacomoni et al., "FastForward for
/// Efficient Pipeline Parallelism", PPoPP 2008.) Who waits for a bucket receives meanwhile, so
/// nothing deadlocks. Of Grappa it has nothing. Processes spin: give each its own processor.
/// Invariant: between two calls of run() all buckets are free, and both ends of each pair have
/// passed on equally many.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace raw {

/// Together the buckets of a pair are more than a second-level cache of 1 MiB holds. The sender
/// then finds those that come back in the cache that both share: among 64 such buckets one core
/// sends another one 758 million items of 64 bytes a second, among 16, which the receiver's own
/// cache keeps and must give up line by line, 134 (best of 15, while a cache line took 60 ns to the
/// other core).
constexpr size_t kBucketBytes = 32 << 10;
constexpr size_t kBucketsPerPair = 64;

/// Makes items and appends each to the bucket of its destination: `int make(int64_t k, Item* item)`
/// fills item k and returns where it goes. How many are made at a time is limited by kMost.
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

/// Small items are made in a row first, which a compiler can do several at a time. Among two
/// destinations each item is written behind both, and stays behind one: no item waits for the
/// cursor of the one before to come back from memory. The two gain a factor of 1.6 over the above.
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

/// The same where all go to one destination: `void make(int64_t k, Item* item)`.
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
  /// What all processes together need of shared memory.
  static size_t bytes_needed(int processes);

  /// `memory` is zeros at a multiple of kBucketBytes, and may lie elsewhere in each process.
  Exchange(void* memory, int processes, int me);

  int processes() const { return processes_; }
  int me() const { return me_; }

  /// A barrier in two steps, for who has something else to do meanwhile.
  uint64_t arrive();
  bool all_are_at(uint64_t ticket) const;

  /// Returns when all processes have called it.
  void barrier();

  /// Makes items k = first ... end-1 by a ToMany or ToOne, sends them, and executes what others
  /// send, until all have arrived everywhere: `execute(const Item* begin, const Item* end)` for
  /// each bucket. All processes call it together.
  template <class Send, class Execute>
  void run(int64_t first, int64_t end, const Send& send, const Execute& execute);

 private:
  struct alignas(64) Flag {
    std::atomic<uint32_t> value;  // 0: free; else 2 x items, plus 1 if it is the last of a run
  };
  struct Head;
  struct Bucket {
    Flag* flag;
    char* items;
  };

  // Bucket number `turn` from one process to another.
  Bucket bucket(int from, int to, uint64_t turn) const;
  Bucket next_to(int to) const { return bucket(me_, to, sent_[static_cast<size_t>(to)]); }

  // Items that a bucket still takes whose next one goes to `cursor`.
  template <class Item>
  static int64_t room_behind(const Item* cursor) {
    return static_cast<int64_t>(
        (kBucketBytes - reinterpret_cast<uintptr_t>(cursor) % kBucketBytes) / sizeof(Item));
  }

  void hand_over(int to, size_t items, bool last);

  template <class Item, class Execute>
  int receive(const Execute& execute);

  // Waiting costs the processor, but not for long if another process has it.
  static void relax(int* looks);

  Head* head_;
  Flag* flags_;
  char* items_;
  int processes_;
  int me_;
  uint64_t barriers_ = 0;           // at which this process has arrived
  std::vector<uint64_t> sent_;      // buckets, by destination
  std::vector<uint64_t> received_;  // buckets, by source
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
    // So many items fit wherever they go, so nothing is looked at for each.
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

// Executes the buckets that have arrived. Returns how many sources have sent their last one.
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
        break;  // what follows is of the next run
      }
    }
  }
  return ended;
}

}  // namespace raw
