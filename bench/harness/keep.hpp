#pragma once

/// Prevents the compiler from removing or merging the measured code.

namespace bench {

/// The compiler must assume that this function reads and writes `value`.
template <class T>
inline void keep(T& value) {
  asm volatile("" : "+m"(value) : : "memory");
}

}  // namespace bench
