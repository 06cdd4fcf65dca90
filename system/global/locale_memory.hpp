#pragma once

/// Memory that all cores of a locale share. Pointers to it are valid on all of these cores.
///
/// The memory is mapped at the same address on every core of the locale, and each core allocates
/// from its own slice. The cores must order accesses to one object by messages or atomics.
/// make_global() returns a GlobalAddress of such memory for delegates of any core. Objects may have
/// any alignment. A program without allocations does not map the memory. An allocation that does
/// not fit aborts the job.

#include "system/base/check.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// This core's part of the memory of a locale. Construction and destruction are collective.
class LocaleMemory {
 public:
  LocaleMemory();
  ~LocaleMemory();
  LocaleMemory(const LocaleMemory&) = delete;
  LocaleMemory& operator=(const LocaleMemory&) = delete;

  static bool wanted;  // the program contains calls that allocate such memory

 private:
  uint64_t bytes_ = 0;  // total of all slices
};

/// A call of locale_alloc() instantiates `value`, whose initialization sets LocaleMemory::wanted.
template <class T>
struct LocaleMemoryIsWanted {
  static const bool value;
};
template <class T>
const bool LocaleMemoryIsWanted<T>::value = LocaleMemory::wanted = true;

void* allocate_locale_bytes(uint64_t count, size_t element_bytes, size_t alignment);
/// Allocates private memory of this core. The caller must free it with std::free().
void* allocate_own_bytes(uint64_t count, size_t element_bytes, size_t alignment);

struct OwnFree {
  void operator()(void* memory) const { std::free(memory); }
};

/// Owns memory for `n` elements of any alignment, which are neither constructed nor destroyed.
template <class T>
struct ElementBuffer : std::unique_ptr<T[], OwnFree> {
  explicit ElementBuffer(int64_t n)
      : std::unique_ptr<T[], OwnFree>(
            static_cast<T*>(allocate_own_bytes(static_cast<uint64_t>(n), sizeof(T), alignof(T)))) {}
};

}  // namespace detail

/// Allocates memory for `n` objects without constructing them. From: between init and finalize.
template <class T>
T* locale_alloc(int64_t n = 1) {
  static_cast<void>(detail::LocaleMemoryIsWanted<T>::value);
  const size_t count = detail::checked_count(n, "locale_alloc");
  return static_cast<T*>(detail::allocate_locale_bytes(count, sizeof(T), alignof(T)));
}

template <class T, class... Args>
T* locale_new(Args&&... args) {
  return ::new (static_cast<void*>(locale_alloc<T>())) T(std::forward<Args>(args)...);
}

/// Allocates and constructs `n` objects T(), which locale_free() frees without destructor calls.
template <class T>
T* locale_new_array(int64_t n) {
  static_assert(std::is_trivially_destructible<T>::value,
                "T must be trivially destructible: locale_free calls no destructors; use "
                "locale_new with a container");
  T* const objects = locale_alloc<T>(n);
  for (int64_t k = 0; k < n; ++k) ::new (static_cast<void*>(objects + k)) T();
  return objects;
}

/// Frees memory of locale_alloc, locale_new or locale_new_array without a destructor call. Any core
/// of the locale may call it. For null, does nothing. From: between init and finalize. If another
/// core has allocated it: inside `run`. Messages: 0, or 1 if another core has allocated it.
void locale_free(void* memory);

/// Destroys and frees an object of locale_new. If `object` is null, does nothing.
template <class T>
void locale_delete(T* object) {
  if (object == nullptr) return;
  object->~T();
  locale_free(object);
}

}  // namespace Grappa
