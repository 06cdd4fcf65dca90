#pragma once

/// Storage on a core for the elements of global structures, and messages that carry elements.

#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/message/send.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace Grappa { namespace detail {

/// The compile-time check that a global structure can hold T.
template <class T>
struct IsElement {
  static_assert(travels<T>::value,
                "elements of a global structure move between cores as bytes, so they must be "
                "trivially copyable; elements of a GlobalQueue and values of a GlobalMap may have "
                "a Serialize instead");
  static_assert(sizeof(T) <= 4096,
                "elements of a global structure have at most 4096 bytes: store larger objects in "
                "global memory, and their addresses in the structure");
  static_assert(alignof(T) <= 16, "elements of a global structure are aligned to at most 16 bytes");
  static constexpr bool value = true;
};

/// Space for elements that are copied as bytes. Calls no constructor.
template <class T, size_t kCapacity>
class RawElements {
 public:
  T* data() { return reinterpret_cast<T*>(bytes_); }
  T& operator[](int64_t i) { return data()[i]; }
  void set(int64_t i, const T& value) { std::memcpy(bytes_ + i * sizeof(T), &value, sizeof(T)); }
  void expect(int64_t) {}  // as ObjectArray (sequence_form.hpp)

 private:
  alignas(T) unsigned char bytes_[kCapacity * sizeof(T)];
};

/// The result of a pop or a lookup of one element.
template <class T>
struct Found {
  RawElements<T, 1> value;
  bool found;
};

/// Allocates memory of this core for `n` objects of `bytes` bytes, to be freed by std::free. If
/// memory is exhausted, the job aborts, and the message contains `owner`.
void* allocate_local(size_t n, size_t bytes, size_t alignment, const char* owner);

/// The memory for the cells of a hash table. New cells are zero.
class CellArray {
 public:
  CellArray() = default;
  ~CellArray();
  CellArray(const CellArray&) = delete;
  CellArray& operator=(const CellArray&) = delete;

  size_t count() const { return count_; }

  /// Makes space for at least `count` cells, and returns their new address. Aborts if out of
  /// memory; the message contains `elements`, the number of elements in the table.
  void* extend(size_t count, size_t cell_bytes, size_t elements);

  /// Makes the pages resident from this offset on, huge pages if the array has at least one of
  /// them. Later calls pass smaller offsets. An access to memory that is not resident is slower, in
  /// particular a read that precedes the first write.
  void populate(size_t offset);

 private:
  void* cells_ = nullptr;
  size_t bytes_ = 0;
  size_t count_ = 0;
  size_t populated_ = 0;  // populate() has nothing to do from this offset on
};

/// Sends the bytes soon, because a task on core `dest` waits for them. `body(payload, bytes)` runs
/// on `dest`. From: task or handler. Messages: 1, or 1 for each full buffer.
template <class F>
void send_latency_critical(Core dest, const F& body, const void* payload, size_t bytes) {
  PayloadMessage<F, Acknowledged::Never, MayWait::Never>::send_any(dest, body, payload, bytes);
}

/// The elements of a global stack or queue on one core. Their addresses do not change.
///
/// Elements are written consecutively into pages. Free space after the last remaining element of a
/// page is reused. Only the destructor frees pages. Invariant: `live` of the first `used` elements
/// of a page have not been removed.
class ElementStore {
 public:
  /// `element_bytes` must be a multiple of the alignment, which is at most 64.
  explicit ElementStore(size_t element_bytes);
  ~ElementStore();
  ElementStore(const ElementStore&) = delete;
  ElementStore& operator=(const ElementStore&) = delete;

  void reserve(int64_t n);  // maps address space for `n` elements in advance

  /// Allocates 1 to `*n` consecutive elements and sets `*n`. Aborts if out of memory.
  char* append(int64_t* n);

  /// Frees `n` consecutive elements of one page, of which `first` is the first.
  void release(const char* first, int64_t n);

  size_t bytes() const { return pages_ * page_bytes_; }  // of all pages

 private:
  struct Page;
  struct Slab {
    char* address;
    size_t bytes;
  };

  void add_page();
  void add_slab(size_t bytes);

  const size_t element_bytes_;
  const size_t page_bytes_;  // a power of two; also the alignment of pages
  const int64_t page_elements_;
  std::vector<Page*> open_;  // pages with free space; the last one is being filled
  std::vector<Slab> slabs_;  // the last one still has space for new pages
  size_t slab_used_ = 0;
  size_t pages_ = 0;
};

}}  // namespace Grappa::detail
