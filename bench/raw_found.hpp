#pragma once

/// Vertices that one of several threads finds, on their way to a queue that all threads share. It
/// is touched once for thousands of them.

#include "bench/raw_csr.hpp"

#include <algorithm>
#include <cstdint>

namespace raw {

class Found {
 public:
  /// Appends to `queue` at `*end`, at the latest when this is destroyed. Whoever reads either has
  /// to wait for all threads.
  Found(Vertex* queue, int64_t* end) : queue_(queue), end_(end) {}
  ~Found() { flush(); }
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;

  void add(Vertex v) {
    if (size_ == kRoom) flush();
    vertices_[size_++] = v;
  }

 private:
  static constexpr int64_t kRoom = 4096;

  void flush() {
    // Relaxed: it reserves a place; what is there is read after the end of the parallel region.
    const int64_t place = __atomic_fetch_add(end_, size_, __ATOMIC_RELAXED);
    std::copy(vertices_, vertices_ + size_, queue_ + place);
    size_ = 0;
  }

  Vertex* const queue_;
  int64_t* const end_;
  int64_t size_ = 0;
  Vertex vertices_[kRoom];
};

}  // namespace raw
