#pragma once

/// Storage for elements of a global structure.

#include "system/base/traits.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace Grappa {
namespace detail {

/// The compile-time check that a global structure can hold T, with a readable error message.
template <class T>
struct IsElement {
  static_assert(travels<T>::value,
                "elements of a global structure move between cores as bytes, so they must be "
                "trivially copyable");
  static_assert(sizeof(T) <= 4096,
                "elements of a global structure have at most 4096 bytes: store larger objects in "
                "global memory, and their addresses in the structure");
  static_assert(alignof(T) <= 16, "elements of a global structure are aligned to at most 16 bytes");
  static constexpr bool value = true;
};

/// Elements that are copied as bytes, without a constructor.
template <class T, size_t kCapacity>
class RawElements {
 public:
  T* data() { return reinterpret_cast<T*>(bytes_); }
  T& operator[](int64_t i) { return data()[i]; }
  void set(int64_t i, const T& value) { std::memcpy(bytes_ + i * sizeof(T), &value, sizeof(T)); }

 private:
  alignas(T) unsigned char bytes_[kCapacity * sizeof(T)];
};

/// The result of a pop of one element.
template <class T>
struct Popped {
  RawElements<T, 1> value;
  bool found;
};

/// Allocates memory of this core for `n` unconstructed objects of `bytes` bytes each, with any
/// alignment, which plain `new` does not support in C++11; free it by std::free. If there is no
/// memory, the job aborts and reports the sizes and the container, `owner`.
void* allocate_local(size_t n, size_t bytes, size_t alignment, const char* owner);

}  // namespace detail
}  // namespace Grappa
