#pragma once

/// Keeps the compiler from removing or merging what is measured.

namespace bench {

/// `value` counts as read and written here, so it must be computed, and anew afterwards.
template <class T>
inline void keep(T& value) {
  asm volatile("" : "+m"(value) : : "memory");
}

}  // namespace bench
