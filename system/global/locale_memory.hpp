#pragma once

/// Memory of one core that delegates of all cores may name: by its pointer, with make_global.
///
/// It is ordinary memory, and belongs to the core that has allocated it, like every word: no other
/// core of the locale touches it. What only the allocating task uses may as well come from new.
/// Objects may be aligned to more than new of C++11 gives.

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

/// Ends the job if there is no such memory.
void* allocate_locale_bytes(uint64_t count, size_t element_bytes, size_t alignment);

}  // namespace detail

/// Memory for `n` objects, not constructed. Ends the job if there is none.
template <class T>
T* locale_alloc(size_t n = 1) {
  return static_cast<T*>(detail::allocate_locale_bytes(n, sizeof(T), alignof(T)));
}

/// An object T(args...) there.
template <class T, class... Args>
T* locale_new(Args&&... args) {
  return ::new (static_cast<void*>(locale_alloc<T>())) T(std::forward<Args>(args)...);
}

/// `n` objects T(). There is no way to destroy them all, so they must not need it.
template <class T>
T* locale_new_array(size_t n) {
  static_assert(std::is_trivially_destructible<T>::value,
                "locale_free does not know how many objects to destroy: use a container, made by "
                "locale_new");
  T* const objects = locale_alloc<T>(n);
  for (size_t k = 0; k < n; ++k) ::new (static_cast<void*>(objects + k)) T();
  return objects;
}

/// Frees what one of these has given, on the same core, and destroys nothing. Null is nothing.
inline void locale_free(void* memory) { std::free(memory); }

namespace detail {

struct LocaleFree {
  void operator()(void* memory) const { locale_free(memory); }
};

/// `n` elements that come as bytes, and are neither constructed nor destroyed, for as long as it
/// lives: unlike a vector it takes those that are aligned to more than new of C++11 gives.
template <class T>
class ElementBuffer : public std::unique_ptr<T[], LocaleFree> {
 public:
  explicit ElementBuffer(int64_t n)
      : std::unique_ptr<T[], LocaleFree>(locale_alloc<T>(static_cast<size_t>(n))) {}
};

}  // namespace detail

/// Destroys and frees the object that locale_new has given, on the same core. Null is nothing.
template <class T>
void locale_delete(T* object) {
  if (object == nullptr) return;
  object->~T();
  locale_free(object);
}

}  // namespace Grappa
