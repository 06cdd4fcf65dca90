#pragma once

/// The entries of one core of a global set or map whose keys or values differ in length.
///
/// An entry is a key of any bytes and a value: either of fixed length, or of any length. Where
/// values grow, an entry has spare memory, so that appending n bytes one by one copies O(n) bytes.
/// Entries lie one after another in chunks of an arena. A removed entry leaves a gap. If the gaps
/// take more than a quarter of the arena, the chunk with the most gaps is compacted: its entries
/// move to the end of the arena, and the chunk is freed. The index has 8 bytes for each slot, and
/// is sorted by hash, like the cells of OwnerTable. A growing index is at least 7/10 full, unless
/// it is small. Large arenas and indexes have huge pages.
///
///     entry of fixed length:  | value | bytes of the key: 4 | key |
///     entry of any length:    | bytes of the value: 4 | bytes of the key: 4 | key | value |
///
/// Memory beyond the bytes of keys and values: in a large table without removals, at most 11.7
/// bytes an entry for the index, 4 or 8 for the lengths, and up to 7 for the alignment to 8 bytes,
/// or if values grow, up to a quarter of the entry; the free part of one chunk, or of one huge page
/// if the arena has more than 8 MiB; and the end of each full chunk, which is shorter than an entry
/// and not counted as a gap. The index never shrinks. While it grows, by a quarter, both indexes
/// exist, and the insert that grows it moves all slots. The address of an entry is valid until the
/// next call that is not const.
///
/// A position has 32 bits and a unit of 8 bytes, so entries take at most 32 GiB. An entry of more
/// than 64 KiB takes a multiple of 256 KiB of the positions, although not of the memory.

#include "structures/detail/hash_bytes.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace Grappa { namespace detail {

class ByteTable {
 public:
  enum : size_t { kAnyLength = ~size_t{0}, kGrowing = kAnyLength - 1 };

  /// `value_bytes` is the length of all values; or kAnyLength; or kGrowing for values of any length
  /// to which is appended.
  explicit ByteTable(size_t value_bytes)
      : value_bytes_(value_bytes == kGrowing ? size_t{kAnyLength} : value_bytes),
        grows_(value_bytes == kGrowing) {}
  ByteTable(ByteTable&&) = default;
  ByteTable& operator=(ByteTable&&) = default;

  size_t size() const { return size_; }
  size_t memory_bytes() const;  // of the index and the arena

  // `hash` must be hash_bytes(key), because compaction computes it again.

  /// Returns the entry of the key, or null.
  char* find(uint64_t hash, View<char> key) const {
    const size_t slot = slot_of(hash, key);
    return slot == kNone ? nullptr : address(slots_[slot]);
  }

  /// Prefetches the slot of a key, and the entry if the slot has arrived.
  void prefetch_slot(uint64_t hash) const {
    if (homes_ != 0) GRAPPA_PREFETCH(&slots_[home_of(hash)]);
  }
  void prefetch_entry(uint64_t hash) const {
    if (homes_ != 0) GRAPPA_PREFETCH(place(hash));
  }

  /// The address of the entry of a key. If the key is absent, any address of this table.
  const void* place(uint64_t hash) const {
    if (homes_ == 0) return this;
    const uint32_t tag = tag_of(hash);
    size_t at = home_of_tag(tag);
    while (slots_[at] != 0 && tag_of_slot(slots_[at]) < tag) ++at;
    return slots_[at] == 0 ? static_cast<const void*>(&slots_[at]) : address(slots_[at]);
  }

  /// Returns the entry of the key. If the key is new, the value has only zero bytes, or no bytes.
  char* find_or_insert(uint64_t hash, View<char> key, bool* is_new);

  /// Removes the key. Returns false if the key is absent.
  bool erase(uint64_t hash, View<char> key);

  void clear();
  void reserve(size_t entries);

  View<char> key_of(const char* entry) const {
    const char* const length = entry + (value_bytes_ == kAnyLength ? 4 : value_bytes_);
    return View<char>(length + 4, load_word<uint32_t>(length));
  }

  /// The address of a value of fixed length, which is aligned to 8 bytes.
  static char* fixed_value(char* entry) { return entry; }

  View<char> value_of(const char* entry) const;  // a value of any length

  /// Replaces the value of `entry`, which has any length. `value` must not lie in this table.
  void set_value(char* entry, View<char> value);

  /// Appends bytes, which must not lie in this table, to the value of `entry`.
  void append_value(char* entry, View<char> more);

  /// While a Pin exists, entries must not move: a call that is not const aborts the job. Bodies run
  /// with a Pin, so that they cannot change the structure of the entry that they use.
  class Pin {
   public:
    explicit Pin(ByteTable* table) : table_(table) {
      table->check_unpinned();
      table->pinned_ = true;
    }
    ~Pin() { table_->pinned_ = false; }
    Pin(const Pin&) = delete;
    Pin& operator=(const Pin&) = delete;

   private:
    ByteTable* const table_;
  };
  bool is_pinned() const { return pinned_; }

  /// The number of inserted and erased keys, and calls of clear().
  uint64_t changes() const { return changes_; }

  /// Iteration in the order of hashes: `for (size_t i = next(0); i != end(); i = next(i + 1))`.
  size_t next(size_t slot) const {
    while (slot < slots_.size() && slots_[slot] == 0) ++slot;
    return slot;
  }
  size_t end() const { return slots_.size(); }
  char* entry(size_t slot) const { return address(slots_[slot]); }

 private:
  // A slot is | upper half of the hash, 32 bits | position of the entry, 32 bits |, or 0.
  enum : size_t { kNone = ~size_t{0}, kUnit = 8, kChunkUnits = 1 << 15, kLargeUnits = 1 << 13 };
  static constexpr size_t kChunkBytes = kChunkUnits * kUnit;
  static constexpr size_t kChunksOfPage = kHugePageBytes / kChunkBytes;
  // In an arena up to this size, each chunk is allocated by itself. Not measured.
  static constexpr size_t kMostSmallUnits = 4 * kHugePageBytes / kUnit;

  struct Free {
    bool is_mapped;
    void operator()(char* memory) const {
      if (is_mapped) return unmap(memory, kHugePageBytes);
      std::free(memory);
    }
  };
  /// An entry of more than kLargeUnits has memory of its own, which takes one or more chunks. The
  /// other chunks of a large arena lie in huge pages, of kChunksOfPage chunks each.
  struct Chunk {
    std::unique_ptr<char, Free> memory{
        nullptr, Free{false}};  // null: part of the memory of a chunk before it, or free
    char* begin = nullptr;      // null: free
    size_t bytes = 0;           // of the memory
    uint32_t units = 0;         // taken
    uint32_t live_units = 0;
    bool in_huge_page = false;
  };

  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32 ^ hash); }
  size_t home_of_tag(uint32_t tag) const { return (uint64_t{tag} * homes_) >> 32; }
  size_t home_of(uint64_t hash) const { return home_of_tag(tag_of(hash)); }
  static uint32_t tag_of_slot(uint64_t slot) { return static_cast<uint32_t>(slot >> 32); }
  char* address(uint64_t slot) const {
    const auto position = static_cast<uint32_t>(slot);
    return chunks_[position / kChunkUnits].begin + size_t{position % kChunkUnits} * kUnit;
  }

  /// No entry is at position 0, so no slot is 0.
  static uint32_t first_unit(size_t chunk) { return chunk == 0 ? 1 : 0; }

  void check_unpinned() const {
    if (GRAPPA_UNLIKELY(pinned_)) refuse_change();
  }
  void refuse_change() const;
  size_t slot_of(uint64_t hash, View<char> key) const;
  size_t slot_of_entry(const char* entry) const;
  size_t units_of(size_t key_bytes, size_t value_bytes) const;
  size_t units_of(const char* entry) const;
  char* allocate(size_t units, uint32_t* position);
  bool resize_last(uint32_t position, size_t before, size_t after);
  void release(uint32_t position, size_t units);
  void compact_if_needed();
  void compact(size_t index);
  size_t add_chunk(size_t units);
  void add_huge_page();
  void free_huge_page(size_t first);
  size_t free_chunks(size_t count);
  void grow(size_t homes);
  void insert_slot(size_t at, uint64_t slot);
  char* write_entry(char* at, View<char> key, size_t value_bytes) const;
  char* resize_value(char* entry, size_t bytes, size_t kept);

  size_t value_bytes_;
  bool grows_;
  size_t size_ = 0;
  size_t homes_ = 0;
  std::vector<uint64_t> slots_;  // more than homes_, so that a search ends at an empty slot
  std::vector<Chunk> chunks_;
  size_t free_count_ = 0;       // of chunks that are free
  std::vector<size_t> unused_;  // chunks in huge pages
  size_t current_ = kNone;      // the chunk at the end of the arena
  size_t live_units_ = 0;
  size_t taken_units_ = 0;
  uint64_t changes_ = 0;
  bool pinned_ = false;
};

}}  // namespace Grappa::detail
