#pragma once

/// Memory that the cores of a locale share: by its pointer, which is good on all of them.
///
/// Memory of the kernel, mapped at one address on every core of the locale, of which each core
/// gives out a slice of its own. A pointer to it may be followed by all cores of the locale, at the
/// same time; what they do to one object is ordered by messages, or by atomics. Delegates of all
/// cores may name it, as any memory of the core that has allocated it, with make_global. What only
/// the allocating task uses may as well come from new. Objects may be aligned to more than new of
/// C++11 gives. Only programs that allocate such memory map it.

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

/// This core's part of what the cores of a locale share. Made and destroyed by all together.
class LocaleMemory {
 public:
  LocaleMemory();
  ~LocaleMemory();
  LocaleMemory(const LocaleMemory&) = delete;
  LocaleMemory& operator=(const LocaleMemory&) = delete;

  /// Whether the program allocates any.
  static bool wanted;

 private:
  uint64_t bytes_ = 0;  // of all slices
};

/// A part of the programs that allocate such memory, and of no others: named by templates with
/// their own argument, so that it is instantiated with them.
template <class T>
struct LocaleMemoryIsWanted {
  static const bool value;
};
template <class T>
const bool LocaleMemoryIsWanted<T>::value = LocaleMemory::wanted = true;

/// Aborts the job if there is no such memory.
void* allocate_locale_bytes(uint64_t count, size_t element_bytes, size_t alignment);

/// The same for memory of this core alone, which free() frees.
void* allocate_own_bytes(uint64_t count, size_t element_bytes, size_t alignment);

}  // namespace detail

/// Memory for `n` objects, not constructed. Aborts the job if no memory is left.
/// From: between init and finalize.
template <class T>
T* locale_alloc(int64_t n = 1) {
  static_cast<void>(detail::LocaleMemoryIsWanted<T>::value);
  const size_t count = detail::checked_count(n, "locale_alloc");
  return static_cast<T*>(detail::allocate_locale_bytes(count, sizeof(T), alignof(T)));
}

/// An object T(args...) there.
template <class T, class... Args>
T* locale_new(Args&&... args) {
  return ::new (static_cast<void*>(locale_alloc<T>())) T(std::forward<Args>(args)...);
}

/// `n` objects T(). There is no way to destroy them all, so they must not need it.
template <class T>
T* locale_new_array(int64_t n) {
  static_assert(std::is_trivially_destructible<T>::value,
                "locale_free does not know how many objects to destroy: use a container, made by "
                "locale_new");
  T* const objects = locale_alloc<T>(n);
  for (int64_t k = 0; k < n; ++k) ::new (static_cast<void*>(objects + k)) T();
  return objects;
}

/// Frees what one of these has given, on any core of the locale, and destroys nothing. Null is
/// nothing. Messages: 1 if another core has allocated it, which is then to be done inside of run.
void locale_free(void* memory);

namespace detail {

struct OwnFree {
  void operator()(void* memory) const { std::free(memory); }
};

/// `n` elements that come as bytes, and are neither constructed nor destroyed, for as long as it
/// lives: unlike a vector it takes those that are aligned to more than new of C++11 gives.
template <class T>
class ElementBuffer : public std::unique_ptr<T[], OwnFree> {
 public:
  explicit ElementBuffer(int64_t n)
      : std::unique_ptr<T[], OwnFree>(
            static_cast<T*>(allocate_own_bytes(static_cast<uint64_t>(n), sizeof(T), alignof(T)))) {}
};

}  // namespace detail

/// Destroys and frees the object that locale_new has given, as locale_free. Null is nothing.
template <class T>
void locale_delete(T* object) {
  if (object == nullptr) return;
  object->~T();
  locale_free(object);
}

}  // namespace Grappa
