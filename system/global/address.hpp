#pragma once

/// Global addresses: 64-bit addresses that are valid on every core.
///
///     linear    | 0 |                byte offset in the global heap                |
///     2D        | 1 | core, 15 bits |        pointer on that core, 48 bits         |
///
/// A linear address refers to the global heap, which is distributed over the cores in blocks.
/// Arithmetic on a linear address crosses cores. A 2D address refers to an object of one core.
/// Arithmetic on a 2D address stays on that core. The null address is 0, because the heap never
/// allocates its first bytes.

#include "system/base/check.hpp"
#include "system/base/checked_mode.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/base/units.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <type_traits>

#include <libdivide.h>

namespace Grappa {

constexpr int64_t block_size = 64;  // consecutive bytes of the global heap on one core

/// After a struct definition, this macro pads the struct to whole blocks.
#define GRAPPA_BLOCK_ALIGNED __attribute__((aligned(64)))

namespace detail {

/// Maps linear byte offsets below 2^62 to cores. Core b % cores owns block b of the heap. In the
/// part of that core, the block has index b / cores. The division is a shift if `cores` is a power
/// of two, and otherwise a multiplication (libdivide).
class BlockCyclic {
 public:
  BlockCyclic() = default;
  explicit BlockCyclic(Core cores)
      : cores_(static_cast<uint64_t>(cores)),
        shift_(is_power_of_two(cores_) ? floor_log2(cores_) : -1) {
    if (shift_ < 0) divider_ = libdivide::libdivide_u64_gen(cores_);
  }

  Core cores() const { return static_cast<Core>(cores_); }

  Core core(uint64_t offset) const {
    const uint64_t block = offset / block_size;
    if (power_of_two()) return static_cast<Core>(block & (cores_ - 1));
    return static_cast<Core>(block - rows(block) * cores_);
  }

  /// The number of cores that own bytes of [offset, offset + bytes).
  int owners(uint64_t offset, uint64_t bytes) const {
    if (bytes == 0) return 0;
    const uint64_t blocks = (offset + bytes - 1) / block_size - offset / block_size + 1;
    return static_cast<int>(std::min(blocks, cores_));
  }

  /// The position of the byte at `offset` in the owner's part of the heap.
  uint64_t local_offset(uint64_t offset) const {
    return rows(offset / block_size) * block_size + offset % block_size;
  }

  /// The linear offset of the byte at position `local` in the part of `core`.
  uint64_t linear_offset(Core core, uint64_t local) const {
    const uint64_t block = local / block_size * cores_ + static_cast<uint64_t>(core);
    return block * block_size + local % block_size;
  }

 private:
  /// GRAPPA_LIKELY lets the compiler lay out the common case without a jump.
  bool power_of_two() const { return GRAPPA_LIKELY(shift_ >= 0); }

  uint64_t rows(uint64_t block) const {
    return power_of_two() ? block >> shift_ : libdivide::libdivide_u64_do(block, &divider_);
  }

  uint64_t cores_ = 1;
  int shift_ = 0;  // log2 of cores_, or -1 if cores_ is not a power of two
  libdivide::libdivide_u64_t divider_ = {0, 0};
};

extern BlockCyclic the_block_cyclic;  // of this job
inline const BlockCyclic& block_cyclic() { return the_block_cyclic; }

/// The address of the global heap on every core, far from all addresses at which Linux places
/// programs, heaps and mappings, with and without AddressSanitizer.
constexpr uint64_t kHeapBase = uint64_t{0x200000000000};
constexpr uint64_t kHeapLimit = kHeapBase + (uint64_t{1} << 46);  // --heap_bytes <= 64 TiB
constexpr uint64_t kNullBytes = 4096;  // each core never allocates at least these first bytes

// Each function reports the misuse of a linear address and aborts the job.
[[noreturn]] void fail_across_blocks(uint64_t offset, size_t bytes);
[[noreturn]] void fail_other_owner(uint64_t raw_bits);
[[noreturn]] void fail_difference(uint64_t a, uint64_t b);

/// In checked mode, returns true if both linear addresses are in one live allocation or at its end.
GRAPPA_PURE bool in_one_allocation(uint64_t a, uint64_t b);

/// In checked mode, aborts the job if the bytes belong to the global heap but not to one live
/// allocation. `what` names the operation. The fast paths of delegates do not call this function,
/// so checked mode disables them (message/closure_check.hpp).
void require_allocated(Core owner, const void* place, uint64_t bytes, const char* what);
void require_allocated(uint64_t raw_bits, uint64_t bytes, const char* what);

/// These functions call require_allocated() in checked mode, and do nothing otherwise.
inline void check_allocated(uint64_t raw_bits, uint64_t bytes, const char* what) {
  if (GRAPPA_UNLIKELY(checked_mode())) require_allocated(raw_bits, bytes, what);
}
template <class T>
void check_access(Core owner, const T* object, const char* what = "a delegate") {
  if (GRAPPA_UNLIKELY(checked_mode())) require_allocated(owner, object, sizeof(T), what);
}

}  // namespace detail

template <class T>
class GlobalAddress {
 public:
  GlobalAddress() = default;
  GlobalAddress(std::nullptr_t) {}

  /// As for pointers, only the conversions to const and to void are implicit.
  template <class U, class = typename std::enable_if<std::is_same<T, const U>::value &&
                                                     !std::is_void<U>::value>::type>
  GlobalAddress(GlobalAddress<U> address) : bits_(address.raw_bits()) {}

  static GlobalAddress from_raw(uint64_t bits) {
    GlobalAddress address;
    address.bits_ = bits;
    return address;
  }
  static GlobalAddress two_dimensional(T* pointer, int64_t core) {
    return from_raw(kTag | static_cast<uint64_t>(detail::checked_core(core)) << 48 |
                    (reinterpret_cast<uint64_t>(pointer) & kPointerMask));
  }

  bool is_2D() const { return (bits_ & kTag) != 0; }
  bool is_linear() const { return !is_2D(); }
  uint64_t raw_bits() const { return bits_; }

  /// Old names of from_raw() and two_dimensional().
  // NOLINTBEGIN(readability-identifier-naming)
  static GlobalAddress Raw(int64_t bits) { return from_raw(static_cast<uint64_t>(bits)); }
  static GlobalAddress TwoDimensional(T* pointer, int64_t core = mycore()) {
    return two_dimensional(pointer, core);
  }
  // NOLINTEND(readability-identifier-naming)

  Core core() const {
    return is_2D() ? static_cast<Core>(bits_ >> 48 & 0x7fff) : detail::block_cyclic().core(bits_);
  }

  /// The pointer to the object, valid on the owner only. An object on two cores aborts the job.
  T* pointer() const {
    if (crosses_blocks()) detail::fail_across_blocks(bits_, sizeof(Sized));
    const uint64_t place = is_2D() ? bits_ & kPointerMask
                                   : detail::kHeapBase + detail::block_cyclic().local_offset(bits_);
    return reinterpret_cast<T*>(place);
  }

  /// True if the object occupies several blocks, because sizeof(T) does not divide block_size.
  bool crosses_blocks() const {
    return block_size % sizeof(Sized) != 0 && is_linear() &&
           bits_ % block_size + sizeof(Sized) > uint64_t{block_size};
  }

  /// The first element of `core` at or after this linear address. The pointer is valid on `core`.
  T* localize(int64_t core = mycore()) const {
    GRAPPA_CHECK(is_linear()) << "localize of a 2D address: localize needs a linear address";
    const Core owner = this->core();
    if (owner == detail::checked_core(core)) return pointer();
    const uint64_t row = detail::block_cyclic().local_offset(bits_) / block_size;
    const uint64_t local = (row + (core < owner ? 1 : 0)) * block_size;
    return reinterpret_cast<T*>(detail::kHeapBase + local);
  }

  /// The begin and the end of the range around this address that one core owns. The range of a
  /// linear address is its block; the range of a 2D address is the whole memory of its core.
  GlobalAddress block_min() const {
    return from_raw(is_2D() ? bits_ & ~kPointerMask : bits_ / block_size * block_size);
  }
  GlobalAddress block_max() const {
    return from_raw(is_2D() ? bits_ | kPointerMask : (bits_ / block_size + 1) * block_size);
  }

  GlobalAddress<char> first_byte() const { return GlobalAddress<char>::from_raw(bits_); }
  GlobalAddress<char> last_byte() const { return first_byte() + (sizeof(Sized) - 1); }

  GlobalAddress& operator+=(int64_t n) {
    bits_ += static_cast<uint64_t>(n * static_cast<int64_t>(sizeof(Sized)));
    return *this;
  }
  GlobalAddress& operator-=(int64_t n) { return *this += -n; }
  GlobalAddress& operator++() { return *this += 1; }
  GlobalAddress& operator--() { return *this -= 1; }
  GlobalAddress operator++(int) { return (*this += 1) - 1; }
  GlobalAddress operator--(int) { return (*this -= 1) + 1; }
  GlobalAddress operator+(int64_t n) const { return GlobalAddress(*this) += n; }
  GlobalAddress operator-(int64_t n) const { return *this + -n; }

  /// The number of elements from `other` to this address. Both addresses must be linear, or 2D
  /// addresses of one core. In checked mode, linear addresses in two arrays abort the job.
  int64_t operator-(GlobalAddress other) const {
    GRAPPA_CHECK(is_2D() ? bits_ >> 48 == other.bits_ >> 48 : other.is_linear())
        << "the difference of 2D addresses of two cores, or of a linear and a 2D address: subtract "
           "linear addresses in one array, or 2D addresses of one core";
    if (is_linear() && GRAPPA_UNLIKELY(detail::checked_mode()) &&
        !detail::in_one_allocation(bits_, other.bits_)) {
      detail::fail_difference(bits_, other.bits_);
    }
    return static_cast<int64_t>(bits_ - other.bits_) / static_cast<int64_t>(sizeof(Sized));
  }

  /// Accesses this core's object. The address must be symmetric, or this core must own the object.
  /// In checked mode, an element of another core aborts the job, but a null address does not.
  T* operator->() const {
    if (is_linear() && GRAPPA_UNLIKELY(detail::checked_mode()) && core() != mycore() &&
        detail::block_cyclic().local_offset(bits_) >= detail::kNullBytes) {
      detail::fail_other_owner(bits_);
    }
    return pointer();
  }
  typename std::add_lvalue_reference<T>::type operator*() const { return *operator->(); }

  explicit operator bool() const { return bits_ != 0; }
  bool operator==(GlobalAddress other) const { return bits_ == other.bits_; }
  bool operator!=(GlobalAddress other) const { return bits_ != other.bits_; }
  /// Linear addresses are ordered like array elements, and 2D addresses by core, then by pointer.
  bool operator<(GlobalAddress other) const { return bits_ < other.bits_; }
  bool operator<=(GlobalAddress other) const { return bits_ <= other.bits_; }
  bool operator>(GlobalAddress other) const { return bits_ > other.bits_; }
  bool operator>=(GlobalAddress other) const { return bits_ >= other.bits_; }

  operator GlobalAddress<void>() const { return GlobalAddress<void>::from_raw(bits_); }
  template <class U>
  explicit operator GlobalAddress<U>() const {
    return GlobalAddress<U>::from_raw(bits_);
  }

 private:
  // T, or char for GlobalAddress<void>, because void has no size.
  typedef typename std::conditional<std::is_void<T>::value, char, T>::type Sized;

  enum : uint64_t { kTag = uint64_t{1} << 63, kPointerMask = (uint64_t{1} << 48) - 1 };

  uint64_t bits_ = 0;
};

/// The 2D address of an object of core `core`.
template <class T>
GlobalAddress<T> make_global(T* pointer, int64_t core = mycore()) {
  return GlobalAddress<T>::two_dimensional(pointer, core);
}

/// The linear address of an element in this core's part of the heap.
template <class T>
GlobalAddress<T> make_linear(T* pointer) {
  const uint64_t place = reinterpret_cast<uint64_t>(pointer);
  GRAPPA_CHECK(detail::kHeapBase <= place && place < detail::kHeapLimit)
      << "make_linear of " << static_cast<const void*>(pointer)
      << ", which is not in the global heap: use make_global";
  const uint64_t local = place - detail::kHeapBase;
  return GlobalAddress<T>::from_raw(detail::block_cyclic().linear_offset(mycore(), local));
}

template <class T, class M>
GlobalAddress<M> global_pointer_to_member(GlobalAddress<T> object, M T::*member) {
  // Aligned storage of the right size, which is never read.
  alignas(T) static char place[sizeof(T)];
  T* there = reinterpret_cast<T*>(place);
  const uint64_t offset = static_cast<uint64_t>(reinterpret_cast<char*>(&(there->*member)) -
                                                reinterpret_cast<char*>(there));
  return GlobalAddress<M>::from_raw(object.raw_bits() + offset);
}

template <class T>
std::ostream& operator<<(std::ostream& out, GlobalAddress<T> address) {
  return out << "<" << (address.is_2D() ? "2D" : "linear") << " core " << address.core() << ", "
             << static_cast<const void*>(address.first_byte().pointer()) << ">";
}

namespace detail {

template <class T>
void check_elements(GlobalAddress<T> base) {
  GRAPPA_CHECK(block_size % sizeof(T) == 0 && base.raw_bits() % sizeof(T) == 0)
      << "an array of elements of " << sizeof(T) << " bytes at " << base
      << ": some elements lie on two cores; pad the type to 1, 2, 4, 8, 16, 32 or 64 bytes, and "
         "begin the array at a multiple of that size";
}

}  // namespace detail

/// The elements of a global array that one core owns. They are contiguous in its memory.
template <class T>
class LocalSpan {
  static_assert(block_size % sizeof(T) == 0,
                "an element of a global array must not cross a 64-byte block: pad the type to 1, "
                "2, 4, 8, 16, 32 or 64 bytes");

 public:
  /// The elements of array [base, base + n) that `core` owns. `base` must be linear.
  LocalSpan(GlobalAddress<T> base, int64_t n, Core core) : base_(base.raw_bits()), core_(core) {
    if (n <= 0) return;
    detail::check_elements(base);
    begin_ = base.localize(core);
    end_ = (base + n).localize(core);
  }

  T* begin() const { return begin_; }
  T* end() const { return end_; }
  int64_t size() const { return end_ - begin_; }

  /// The index in the array of the element at `element`, which must be in this span.
  int64_t index_of(const T* element) const {
    const uint64_t local = reinterpret_cast<uint64_t>(element) - detail::kHeapBase;
    return static_cast<int64_t>((detail::block_cyclic().linear_offset(core_, local) - base_) /
                                sizeof(T));
  }

 private:
  uint64_t base_;
  Core core_;
  T* begin_ = nullptr;
  T* end_ = nullptr;
};

/// This core's elements of [base, base + n).
template <class T>
LocalSpan<T> iterate_local(GlobalAddress<T> base, int64_t n) {
  detail::checked_count(n, "iterate_local");
  return LocalSpan<T>(base, n, mycore());
}

}  // namespace Grappa
