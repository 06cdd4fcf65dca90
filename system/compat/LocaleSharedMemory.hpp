#pragma once

/// A header name that existing Grappa programs include, and allocation functions that take bytes.

#include "system/compat/global_names.hpp"
#include "system/global/locale_memory.hpp"

namespace Grappa {

template <class T>
T* locale_alloc_aligned(size_t alignment, size_t n = 1) {
  static_cast<void>(detail::LocaleMemoryIsWanted<T>::value);
  return static_cast<T*>(detail::allocate_locale_bytes(n, sizeof(T), alignment));
}
inline void* locale_alloc_aligned(size_t alignment, size_t bytes = 1) {
  return locale_alloc_aligned<char>(alignment, bytes);
}
inline void* locale_alloc(size_t bytes = 1) { return locale_alloc_aligned(64, bytes); }

namespace impl {

struct LocaleSharedMemory {
  void* allocate(size_t bytes) const { return locale_alloc_aligned(64, bytes); }
  void* allocate_aligned(size_t bytes, size_t alignment) const {
    return locale_alloc_aligned(alignment, bytes);
  }
  void deallocate(void* memory) const { locale_free(memory); }
};
constexpr LocaleSharedMemory locale_shared_memory{};

}  // namespace impl
}  // namespace Grappa
