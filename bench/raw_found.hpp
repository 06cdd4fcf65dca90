#pragma once

/// A buffer of vertices that a thread has found for a queue that all threads share. The queue is
/// accessed once for thousands of vertices.

#include "bench/raw_csr.hpp"

#include <algorithm>
#include <cstdint>

namespace raw {

class Found {
 public:
  /// Appends to `queue` at `*end`, at the latest in the destructor. `queue` and `*end` may be read
  /// only after all threads have finished.
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
    // Relaxed: only reserves an index; the entries are read after the end of the parallel region.
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
