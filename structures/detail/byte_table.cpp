#include "structures/detail/byte_table.hpp"
#include "structures/detail/key_form.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>
#include <cstring>

namespace Grappa::detail {
namespace {

Counter compacted("structures.compacted_chunks", "chunks",
                  "of entries of variable length that were compacted");

constexpr size_t kFewestHomes = 16;

uint32_t number_at(const char* at) {
  uint32_t number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

void set_number(char* at, size_t number) {
  const auto value = static_cast<uint32_t>(number);
  std::memcpy(at, &value, sizeof value);
}

/// Advises huge pages for the whole huge pages in an allocation.
void advise_huge_pages_inside(void* allocation, size_t bytes) {
  const auto begin = align_up(reinterpret_cast<uintptr_t>(allocation), kHugePageBytes);
  const auto end = (reinterpret_cast<uintptr_t>(allocation) + bytes) & ~(kHugePageBytes - 1);
  if (begin < end) advise_huge_pages(reinterpret_cast<void*>(begin), end - begin);
}

/// The next size with the form 4, 5, 6 or 7 times a power of two. The choice of four sizes for each
/// power was not measured.
size_t growing_size(size_t units) {
  if (units <= 4) return units;
  return align_up(units, next_power_of_two(units + 1) / 8);
}

}  // namespace

void reject_key(size_t bytes) {
  GRAPPA_CHECK(false) << "a key of " << bytes << " bytes: keys of a global set or map have at most "
                      << kMaxKeyBytes << " bytes";
}

size_t ByteTable::memory_bytes() const {
  size_t bytes = slots_.capacity() * sizeof(uint64_t) + chunks_.capacity() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) bytes += chunk.bytes;
  return bytes;
}

View<char> ByteTable::value_of(const char* entry) const {
  GRAPPA_DCHECK(value_bytes_ == kAnyLength) << "values of this table have a fixed length";
  return View<char>(entry + 8 + number_at(entry + 4), number_at(entry));
}

size_t ByteTable::units_of(size_t key_bytes, size_t value_bytes) const {
  const size_t lengths = value_bytes_ == kAnyLength ? 8 : 4;
  const size_t units = div_up(key_bytes + value_bytes + lengths, kUnit);
  return grows_ && value_bytes != 0 ? growing_size(units) : units;
}

size_t ByteTable::units_of(const char* entry) const {
  const size_t value_bytes = value_bytes_ == kAnyLength ? number_at(entry) : value_bytes_;
  return units_of(key_of(entry).size(), value_bytes);
}

size_t ByteTable::slot_of(uint64_t hash, View<char> key) const {
  GRAPPA_DCHECK(hash == hash_bytes(key)) << "a table was called with the hash of another key";
  if (homes_ == 0) return kNone;
  const uint32_t tag = tag_of(hash);
  size_t at = home_of_tag(tag);
  while (slots_[at] != 0 && tag_of_slot(slots_[at]) < tag) ++at;
  for (; slots_[at] != 0 && tag_of_slot(slots_[at]) == tag; ++at) {
    if (equal_bytes(key_of(address(slots_[at])), key)) return at;
  }
  return kNone;
}

size_t ByteTable::slot_of_entry(const char* entry) const {
  const uint32_t tag = tag_of(hash_bytes(key_of(entry)));
  size_t at = home_of_tag(tag);
  while (slots_[at] != 0 && tag_of_slot(slots_[at]) < tag) ++at;
  for (; slots_[at] != 0 && tag_of_slot(slots_[at]) == tag; ++at) {
    if (address(slots_[at]) == entry) return at;
  }
  return kNone;
}

/// Inserts a slot at its place in the order. The last slot stays empty.
void ByteTable::insert_slot(size_t at, uint64_t slot) {
  while (slots_[at] != 0 && slots_[at] < slot) ++at;
  size_t empty = at;
  while (slots_[empty] != 0) ++empty;
  if (empty + 1 == slots_.size()) slots_.resize(slots_.size() + slots_.size() / 8 + 64, 0);
  std::memmove(&slots_[at + 1], &slots_[at], (empty - at) * sizeof(uint64_t));
  slots_[at] = slot;
}

void ByteTable::grow(size_t homes) {
  std::vector<uint64_t> before;
  before.swap(slots_);
  homes_ = homes;
  const size_t count = homes + homes / 64 + 64;
  slots_.reserve(count);
  advise_huge_pages_inside(slots_.data(), count * sizeof(uint64_t));
  slots_.assign(count, 0);
  // The slots are sorted, so each one goes behind the slots before it.
  size_t free = 0;
  for (const uint64_t slot : before) {
    if (slot == 0) continue;
    free = std::max(free, home_of_tag(tag_of_slot(slot)));
    if (free + 1 >= slots_.size()) slots_.resize(slots_.size() + slots_.size() / 8 + 64, 0);
    slots_[free++] = slot;
  }
}

void ByteTable::reserve(size_t entries) {
  const size_t homes = entries + entries / 4 + 1;
  if (homes > homes_ && entries != 0) grow(std::max(homes, kFewestHomes));
}

/// Returns the index of the first of `count` adjacent free chunks.
size_t ByteTable::free_chunks(size_t count) {
  size_t found = 0;  // adjacent free chunks before `at`
  for (size_t at = 0; free_count_ >= count && at < chunks_.size(); ++at) {
    found = chunks_[at].begin == nullptr ? found + 1 : 0;
    if (found != count) continue;
    free_count_ -= count;
    return at + 1 - count;
  }
  const size_t first = chunks_.size();
  GRAPPA_CHECK(first + count <= (uint64_t{1} << 32) / kChunkUnits)
      << "the entries of a global set or map with variable lengths take more than 32 GiB on a "
         "core, where each entry of more than 64 KiB counts as a multiple of 256 KiB: use more "
         "cores";
  chunks_.resize(first + count);
  return first;
}

void ByteTable::add_huge_page() {
  const size_t first = free_chunks(kChunksOfPage);
  void* const page = map_private_aligned(kHugePageBytes, kHugePageBytes);
  advise_huge_pages(page, kHugePageBytes);
  char* const memory = static_cast<char*>(page);
  chunks_[first].memory = std::unique_ptr<char, Free>(memory, Free{true});
  for (size_t i = kChunksOfPage; i-- > 0;) {
    chunks_[first + i].begin = memory + i * kChunkBytes;
    chunks_[first + i].bytes = kChunkBytes;
    chunks_[first + i].in_huge_page = true;
    unused_.push_back(first + i);
  }
}

/// Frees a page if none of its chunks is in use.
void ByteTable::free_huge_page(size_t first) {
  for (size_t i = 0; i < kChunksOfPage; ++i) {
    if (chunks_[first + i].units != 0) return;
  }
  unused_.erase(std::remove_if(unused_.begin(), unused_.end(),
                               [first](size_t at) { return at - first < kChunksOfPage; }),
                unused_.end());
  for (size_t i = 0; i < kChunksOfPage; ++i) chunks_[first + i] = Chunk();
  free_count_ += kChunksOfPage;
}

/// Returns the index of a chunk with memory for `units`.
size_t ByteTable::add_chunk(size_t units) {
  if (units <= kLargeUnits && (taken_units_ >= kMostSmallUnits || !unused_.empty())) {
    if (unused_.empty()) add_huge_page();
    const size_t at = unused_.back();
    unused_.pop_back();
    chunks_[at].bytes = kChunkBytes;
    chunks_[at].units = first_unit(at);
    return at;
  }
  const size_t count = div_up(units + 1, kChunkUnits);
  const size_t first = free_chunks(count);
  Chunk& chunk = chunks_[first];
  chunk.bytes = units > kLargeUnits ? (units + 1) * kUnit : kChunkBytes;
  chunk.memory.reset(static_cast<char*>(std::malloc(chunk.bytes)));
  GRAPPA_CHECK(chunk.memory != nullptr) << "out of memory for a global set or map with " << size_
                                        << " entries of variable length on this core";
  chunk.units = first_unit(first);
  chunk.live_units = 0;
  for (size_t i = 0; i < count; ++i) {
    chunks_[first + i].begin = chunk.memory.get() + i * kChunkBytes;
  }
  return first;
}

char* ByteTable::allocate(size_t units, uint32_t* position) {
  size_t at = current_;
  if (units > kLargeUnits) {
    at = add_chunk(units);
  } else if (at == kNone || chunks_[at].units + units > kChunkUnits) {
    at = current_ = add_chunk(units);
  }
  Chunk& chunk = chunks_[at];
  *position = static_cast<uint32_t>(at * kChunkUnits + chunk.units);
  chunk.units += static_cast<uint32_t>(units);
  chunk.live_units += static_cast<uint32_t>(units);
  live_units_ += units;
  taken_units_ += units;
  return address(*position);
}

/// Changes the size of the last entry of the arena, unless its chunk is too small. Usually, the
/// value of a new key is set in this way.
bool ByteTable::resize_last(uint32_t position, size_t before, size_t after) {
  const size_t at = position % kChunkUnits;
  if (position / kChunkUnits != current_) return false;
  Chunk& chunk = chunks_[current_];
  if (at + before != chunk.units || after > kLargeUnits || at + after > kChunkUnits) return false;
  chunk.units += static_cast<uint32_t>(after) - static_cast<uint32_t>(before);
  chunk.live_units += static_cast<uint32_t>(after) - static_cast<uint32_t>(before);
  taken_units_ += after - before;
  live_units_ += after - before;
  return true;
}

void ByteTable::release(uint32_t position, size_t units) {
  const size_t at = position / kChunkUnits;  // an entry begins in the first of its chunks
  chunks_[at].live_units -= static_cast<uint32_t>(units);
  live_units_ -= units;
  if (at != current_ && chunks_[at].live_units == 0) compact(at);
}

/// Gaps of up to a quarter of the arena, and of one chunk, remain.
void ByteTable::compact_if_needed() {
  if (taken_units_ - live_units_ <= taken_units_ / 4 + kChunkUnits) return;
  size_t most = kNone;
  for (size_t at = 0; at < chunks_.size(); ++at) {
    if (at == current_ || chunks_[at].units == 0) continue;
    const auto gaps = [this](size_t i) { return chunks_[i].units - chunks_[i].live_units; };
    if (most == kNone || gaps(at) > gaps(most)) most = at;
  }
  if (most != kNone) compact(most);
}

/// Moves the entries of a chunk to the end of the arena, and frees the chunk.
void ByteTable::compact(size_t index) {
  if (chunks_[index].live_units != 0) ++compacted;
  const size_t units = chunks_[index].units;
  const char* at = chunks_[index].begin + first_unit(index) * kUnit;
  const char* const end = chunks_[index].begin + units * kUnit;
  while (at != end && chunks_[index].live_units != 0) {
    const size_t entry_units = units_of(at);
    const size_t slot = slot_of_entry(at);
    if (slot != kNone) {
      uint32_t position;
      std::memcpy(allocate(entry_units, &position), at, entry_units * kUnit);
      slots_[slot] = uint64_t{tag_of_slot(slots_[slot])} << 32 | position;
      chunks_[index].live_units -= static_cast<uint32_t>(entry_units);
      live_units_ -= entry_units;
    }
    at += entry_units * kUnit;
  }
  taken_units_ -= units - first_unit(index);
  Chunk& chunk = chunks_[index];
  if (chunk.in_huge_page) {
    discard_pages(chunk.begin, kChunkBytes);
    chunk.bytes = chunk.units = chunk.live_units = 0;
    unused_.push_back(index);
    const size_t in_page = reinterpret_cast<uintptr_t>(chunk.begin) % kHugePageBytes;
    return free_huge_page(index - in_page / kChunkBytes);
  }
  const size_t count = div_up(chunk.bytes, kChunkBytes);
  for (size_t i = 0; i < count; ++i) chunks_[index + i] = Chunk();
  free_count_ += count;
}

char* ByteTable::write_entry(char* at, View<char> key, size_t value_bytes) const {
  char* next = at;
  if (value_bytes_ == kAnyLength) {
    set_number(next, value_bytes);
    next += 4;
  } else {
    std::memset(next, 0, value_bytes);
    next += value_bytes;
  }
  set_number(next, key.size());
  if (!key.empty()) std::memcpy(next + 4, key.data(), key.size());
  return at;
}

void ByteTable::refuse_change() const {
  GRAPPA_CHECK(false)
      << "a body that runs on an entry of a global set or map changed the same set or "
         "map by a blocking call: use an async call, or make the change afterwards";
}

char* ByteTable::find_or_insert(uint64_t hash, View<char> key, bool* is_new) {
  check_unpinned();
  const size_t found = slot_of(hash, key);
  *is_new = found == kNone;
  if (!*is_new) return address(slots_[found]);
  ++changes_;
  if (8 * (size_ + 1) > 7 * homes_) grow(std::max(kFewestHomes, homes_ + homes_ / 4));
  const size_t value_bytes = value_bytes_ == kAnyLength ? 0 : value_bytes_;
  uint32_t position;
  char* const entry = allocate(units_of(key.size(), value_bytes), &position);
  write_entry(entry, key, value_bytes);
  insert_slot(home_of(hash), uint64_t{tag_of(hash)} << 32 | position);
  ++size_;
  return entry;
}

bool ByteTable::erase(uint64_t hash, View<char> key) {
  check_unpinned();
  size_t at = slot_of(hash, key);
  if (at == kNone) return false;
  ++changes_;
  const auto position = static_cast<uint32_t>(slots_[at]);
  const size_t units = units_of(address(slots_[at]));
  // The next slots move back by one, until an empty slot or a slot at its home.
  size_t end = at + 1;
  while (slots_[end] != 0 && home_of_tag(tag_of_slot(slots_[end])) < end) ++end;
  std::memmove(&slots_[at], &slots_[at + 1], (end - at - 1) * sizeof(uint64_t));
  slots_[end - 1] = 0;
  --size_;
  release(position, units);
  compact_if_needed();
  return true;
}

/// Sets the length of the value of `entry`, and keeps its first `kept` bytes. Returns the entry, at
/// its new place if its memory is too small or too large.
char* ByteTable::resize_value(char* entry, size_t bytes, size_t kept) {
  check_unpinned();
  GRAPPA_DCHECK(value_bytes_ == kAnyLength) << "values of this table have a fixed length";
  GRAPPA_CHECK(bytes <= UINT32_MAX)
      << "a value of " << bytes
      << " bytes: values of a global map, and lists of a global multimap, have "
         "at most 4294967295";
  const View<char> key = key_of(entry);
  const size_t before = units_of(entry), after = units_of(key.size(), bytes);
  if (before == after) {
    set_number(entry, bytes);
    return entry;
  }
  const size_t slot = slot_of_entry(entry);
  const auto old = static_cast<uint32_t>(slots_[slot]);
  if (resize_last(old, before, after)) {
    set_number(entry, bytes);
    return entry;
  }
  uint32_t position;
  char* const moved = write_entry(allocate(after, &position), key, bytes);
  if (kept != 0) std::memcpy(moved + 8 + key.size(), key.end(), kept);
  slots_[slot] = uint64_t{tag_of_slot(slots_[slot])} << 32 | position;
  release(old, before);
  return moved;
}

void ByteTable::set_value(char* entry, View<char> value) {
  entry = resize_value(entry, value.size(), 0);
  if (!value.empty()) std::memcpy(entry + 8 + key_of(entry).size(), value.data(), value.size());
  compact_if_needed();
}

void ByteTable::append_value(char* entry, View<char> more) {
  const size_t kept = value_of(entry).size();
  entry = resize_value(entry, kept + more.size(), kept);
  if (!more.empty()) std::memcpy(entry + 8 + key_of(entry).size() + kept, more.data(), more.size());
  compact_if_needed();
}

void ByteTable::clear() {
  check_unpinned();
  ++changes_;
  std::fill(slots_.begin(), slots_.end(), 0);
  chunks_.clear();
  unused_.clear();
  free_count_ = 0;
  current_ = kNone;
  size_ = live_units_ = taken_units_ = 0;
}

}  // namespace Grappa::detail
