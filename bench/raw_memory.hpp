#pragma once

/// Large arrays for baselines, in huge pages.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <sys/mman.h>

namespace raw {

/// An array of `size` elements, whose bytes are initially 0. The kernel allocates memory on first
/// touch, on the NUMA node of the touching thread. The constructor is therefore fast, and the time
/// to fill an array includes the time in which the kernel zeroes the memory. T must not need a
/// constructor or destructor.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(int64_t size);
  ~Array() {
    if (mapped_ != nullptr) ::munmap(mapped_, bytes_);
  }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }

  T* data() const { return data_; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  int64_t size() const { return size_; }
  T& operator[](int64_t i) const { return data_[i]; }

 private:
  void swap(Array& other) {
    std::swap(mapped_, other.mapped_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  void* mapped_ = nullptr;
  size_t bytes_ = 0;
  T* data_ = nullptr;
  int64_t size_ = 0;
};

// Only aligned huge pages are used, so the mapping is one huge page larger for the alignment.
template <class T>
Array<T>::Array(int64_t size) : size_(size) {
  constexpr size_t kHugePage = size_t(2) << 20;
  bytes_ = size_t(size) * sizeof(T) + kHugePage;
  mapped_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped_ == MAP_FAILED) {
    std::perror("cannot map an array of the baseline");
    std::abort();
  }
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(mapped_) + kHugePage - 1) & ~(kHugePage - 1);
  data_ = reinterpret_cast<T*>(begin);
  ::madvise(mapped_, bytes_, MADV_HUGEPAGE);  // a hint
}

}  // namespace raw
