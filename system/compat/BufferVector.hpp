#pragma once

/// A vector of one core that other cores can read in read mode.

#include "system/base/check.hpp"
#include "system/compat/global_names.hpp"

#include <vector>

template <class T>
class BufferVector {
 public:
  explicit BufferVector(size_t capacity = 2) { elements_.reserve(capacity); }

  void setWriteMode() { set_mode(false); }
  void setReadMode() { set_mode(true); }
  void insert(const T& element) {
    GRAPPA_CHECK(!reads_) << "insert into a BufferVector in read mode: call setWriteMode() before";
    elements_.push_back(element);
  }
  GlobalAddress<const T> getReadBuffer() const {
    GRAPPA_CHECK(reads_) << "getReadBuffer of a BufferVector in write mode: call setReadMode() "
                            "before";
    return make_global(elements_.data());
  }
  size_t getLength() const { return elements_.size(); }

 private:
  void set_mode(bool reads) {
    GRAPPA_CHECK(reads != reads_) << "the BufferVector is already in this mode";
    reads_ = reads;
  }

  std::vector<T> elements_;
  bool reads_ = false;
};
