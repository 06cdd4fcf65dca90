#pragma once

/// Caches: local copies of ranges of global memory that a task uses as plain arrays.
///
///     Incoherent<double>::RO row(matrix + first, n);     // reads n elements
///     Incoherent<double>::WO result(vector + i, 1);      // writes 1 element
///     for (int64_t k = 0; k < n; ++k) sum += row[k] * x[k];
///     result[0] = sum;                                   // at the owner after ~WO()
///
/// Acquiring an RO cache reads the elements, and releasing a WO cache writes all elements back, so
/// the task must assign every element. An RW cache does both. The copy and the original are not
/// kept coherent: a write to one of them is visible in the other only after the next acquire or
/// release. A cache without a buffer for a 2D address of this core uses the original memory. No
/// bytes are copied, and a write to the cache is immediately a write to the original.
///
/// The first access acquires a cache, and the destructor releases the cache. start_acquire() and
/// start_release() start these transfers earlier. Transfers that a task starts together share
/// messages, so N caches take about one round trip. The elements are in a buffer of the caller, or
/// in memory that the cache allocates once. RO(), WO() and RW() are empty until reset().
///
/// From: task or handler. Suspends: until the transfers that the call needs have ended.
/// start_acquire() and start_release() wait only for the opposite transfer and, in a task, for a
/// free message buffer. Messages: for each other owner, 2 for an acquire and 2 for a release, or
/// more if the bytes of the owner do not fit in one buffer (bulk_transfer.hpp).

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/locale_memory.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>

namespace Grappa {
namespace detail {

enum class CacheMode { ReadOnly, WriteOnly, ReadWrite };

class CachedBytes {
 public:
  CachedBytes(CacheMode mode, void* buffer) : mode_(mode), buffer_(static_cast<char*>(buffer)) {}
  ~CachedBytes() { block_until_released(); }
  CachedBytes(const CachedBytes&) = delete;
  CachedBytes& operator=(const CachedBytes&) = delete;

  /// Starts to read the elements, unless they are acquired or being acquired.
  void start_acquire();
  void block_until_acquired();

  /// Starts to write the elements back. The elements must not be accessed after this call.
  void start_release();
  void block_until_released();

 protected:
  void reset(GlobalAddress<char> address, uint64_t bytes);

  char* access() {
    if (state_ != State::Acquired) acquire_for_access();
    return elements_;
  }

  GlobalAddress<char> address_;
  uint64_t bytes_ = 0;

 private:
  enum class State { Untouched, Acquiring, Acquired, Releasing, Released };

  void acquire_for_access();
  bool is_original() const;
  bool has_news() const;
  char* memory() const { return buffer_ != nullptr ? buffer_ : own_memory_.get(); }

  const CacheMode mode_;
  State state_ = State::Untouched;
  char* const buffer_;  // buffer of the caller, or null
  std::unique_ptr<char, OwnFree> own_memory_;
  uint64_t capacity_ = 0;     // bytes in own_memory_
  char* elements_ = nullptr;  // after acquire: memory() or the original
  BulkTransfer transfer_;
};

template <class T, CacheMode Mode>
class Cache : public CachedBytes {
  static_assert(travels<T>::value,
                "the element type of a cache must be trivially copyable: a cache sends elements "
                "as bytes");

 public:
  typedef typename std::conditional<Mode == CacheMode::ReadOnly, const T, T>::type Element;

  Cache() : CachedBytes(Mode, nullptr) {}

  /// A cache of `count` elements at `address`. `buffer` is null, or has space for `count` elements
  /// and outlives the cache. A WO cache writes `buffer` back even if the cache is never accessed.
  Cache(GlobalAddress<T> address, int64_t count, T* buffer = nullptr) : CachedBytes(Mode, buffer) {
    reset(address, count);
  }

  /// Releases the elements and assigns other elements, which must fit in a buffer of the caller.
  void reset(GlobalAddress<T> address, int64_t count) {
    checked_count(count, "Incoherent");
    CachedBytes::reset(address.first_byte(), static_cast<uint64_t>(count) * sizeof(T));
  }

  Element& operator[](int64_t k) {
    GRAPPA_DCHECK(0 <= k && k < count()) << "element " << k << " of a cache of " << count();
    return elements()[k];
  }
  Element& operator*() { return *elements(); }
  Element* operator->() { return elements(); }
  operator Element*() { return elements(); }

  GlobalAddress<T> address() const { return GlobalAddress<T>::from_raw(address_.raw_bits()); }
  int64_t count() const { return static_cast<int64_t>(bytes_ / sizeof(T)); }

 private:
  Element* elements() { return reinterpret_cast<Element*>(access()); }
};

}  // namespace detail

template <class T>
struct Incoherent {
  typedef detail::Cache<T, detail::CacheMode::ReadOnly> RO;
  typedef detail::Cache<T, detail::CacheMode::WriteOnly> WO;
  typedef detail::Cache<T, detail::CacheMode::ReadWrite> RW;
};

}  // namespace Grappa
