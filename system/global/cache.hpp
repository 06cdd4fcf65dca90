#pragma once

/// Copies of stretches of global memory that a task works on as plain arrays.
///
///     Incoherent<double>::RO row(matrix + first, n);     // reads n elements
///     Incoherent<double>::WO result(vector + i, 1);      // writes one
///     for (int64_t k = 0; k < n; ++k) sum += row[k] * x[k];
///     result[0] = sum;                                   // at its owner when `result` is gone
///
/// RO gets its elements when it is acquired, WO puts them back when it is released, RW does both.
/// Nobody keeps a copy and its original the same meanwhile: what others write, and what is written
/// to this copy, is seen by the other side at the next acquire or release only. A WO puts back all
/// its elements and no others, so every one has to be written.
///
/// A cache of a 2D address of its own core is that memory itself, unless it has a buffer: nothing
/// is copied, and both sides see each other's writes at once.
///
/// Acquiring and releasing happen by themselves: at the first access, and at destruction. start_...
/// does them ahead: those that one task starts travel together, so N caches take about one round
/// trip. Elements lie in the caller's buffer, if one is given, or in memory of the cache, which is
/// allocated once. A cache belongs to one core and is neither copied nor moved; RO(), WO() and RW()
/// are caches of nothing, to be given a place with reset().
///
/// From: task or handler. Suspends: block_until_..., access before it is acquired, start_release
/// while it is being acquired, start_acquire while it is being released, both in a task while no
/// message buffer is free, reset and destruction while it is not released. Messages: acquiring and
/// releasing 2 each for each other core that owns a part, more for more than a bufferful
/// (bulk_transfer.hpp).

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/bulk_transfer.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

enum class CacheMode { ReadOnly, WriteOnly, ReadWrite };

/// A cache of bytes.
class CachedBytes {
 public:
  explicit CachedBytes(CacheMode mode) : mode_(mode) {}
  ~CachedBytes();
  CachedBytes(const CachedBytes&) = delete;
  CachedBytes& operator=(const CachedBytes&) = delete;

  void set_buffer(void* buffer) { memory_ = static_cast<char*>(buffer); }
  void reset(uint64_t address, uint64_t bytes);

  void start_acquire();
  void block_until_acquired();
  void start_release();
  void block_until_released();

  /// The elements, acquired.
  char* access() {
    if (state_ != State::Acquired) acquire_for_access();
    return elements_;
  }

 private:
  enum class State { Untouched, Acquiring, Acquired, Releasing, Released };

  void acquire_for_access();
  bool is_original() const;
  void take_memory();
  bool has_news() const;

  const CacheMode mode_;
  State state_ = State::Untouched;
  bool own_memory_ = false;
  char* memory_ = nullptr;    // of the caller or own_memory_
  char* elements_ = nullptr;  // once acquired: memory_, or the original
  uint64_t capacity_ = 0;     // bytes of own memory
  uint64_t address_ = 0;
  uint64_t bytes_ = 0;
  BulkTransfer transfer_;
};

template <class T, CacheMode Mode>
class Cache {
  static_assert(travels<T>::value,
                "a cache moves its elements between cores as bytes, so they must be trivially "
                "copyable");

 public:
  /// What the cache lets its user touch.
  typedef typename std::conditional<Mode == CacheMode::ReadOnly, const T, T>::type Element;

  Cache() : bytes_(Mode) {}

  /// Of `count` elements from `address` on; `buffer`, if given, has room for them and outlives the
  /// cache. A WO with a buffer puts back what is in it, whether or not that is accessed here.
  Cache(GlobalAddress<T> address, int64_t count, T* buffer = nullptr) : bytes_(Mode) {
    bytes_.set_buffer(buffer);
    reset(address, count);
  }

  /// Starts to get the elements, unless they are here or on their way. After a release: again.
  void start_acquire() { bytes_.start_acquire(); }
  void block_until_acquired() { bytes_.block_until_acquired(); }

  /// Starts to put the elements back. They may not be accessed any more.
  void start_release() { bytes_.start_release(); }
  void block_until_released() { bytes_.block_until_released(); }

  /// Releases what it has and goes on to `count` elements from `address` on, which a buffer of the
  /// caller's must have room for.
  void reset(GlobalAddress<T> address, int64_t count) {
    checked_count(count, "Incoherent");
    bytes_.reset(address.raw_bits(), static_cast<uint64_t>(count) * sizeof(T));
    address_ = address;
    count_ = count;
  }

  Element& operator[](int64_t k) {
    GRAPPA_DCHECK(0 <= k && k < count_) << "element " << k << " of a cache of " << count_;
    return elements()[k];
  }
  Element& operator*() { return *elements(); }
  Element* operator->() { return elements(); }
  operator Element*() { return elements(); }

  GlobalAddress<T> address() const { return address_; }
  int64_t count() const { return count_; }

 private:
  Element* elements() { return reinterpret_cast<Element*>(bytes_.access()); }

  CachedBytes bytes_;
  GlobalAddress<T> address_;
  int64_t count_ = 0;
};

}  // namespace detail

template <class T>
struct Incoherent {
  typedef detail::Cache<T, detail::CacheMode::ReadOnly> RO;
  typedef detail::Cache<T, detail::CacheMode::WriteOnly> WO;
  typedef detail::Cache<T, detail::CacheMode::ReadWrite> RW;
};

}  // namespace Grappa
