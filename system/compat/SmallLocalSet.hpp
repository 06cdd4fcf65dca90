#pragma once

/// A set of integers of one core. Up to kSmall elements are stored in the object; more elements
/// move to heap memory that is never freed. The set is trivially copyable and can be part of a
/// vertex.

#include "system/compat/global_names.hpp"

#include <unordered_set>

template <class T, size_t kSmall = 8>
class SmallLocalSet {
  typedef std::unordered_set<T> Large;

 public:
  static const T INVALID = -1;

  class iterator {
   public:
    explicit iterator(const T* at) : at_(at) {}
    explicit iterator(typename Large::const_iterator at) : in_large_(at) {}
    const T& operator*() const { return at_ != nullptr ? *at_ : *in_large_; }
    iterator& operator++() {
      at_ != nullptr ? void(++at_) : void(++in_large_);
      return *this;
    }
    bool operator==(const iterator& o) const { return at_ == o.at_ && in_large_ == o.in_large_; }
    bool operator!=(const iterator& o) const { return !(*this == o); }

   private:
    const T* at_ = nullptr;
    typename Large::const_iterator in_large_;
  };

  iterator begin() const {
    return large_ != nullptr ? iterator(large_->begin()) : iterator(small_);
  }
  iterator end() const {
    return large_ != nullptr ? iterator(large_->end()) : iterator(small_ + count_);
  }
  size_t size() const { return large_ != nullptr ? large_->size() : count_; }
  bool empty() const { return size() == 0; }
  size_t count(T element) const {
    if (large_ != nullptr) return large_->count(element);
    return std::find(small_, small_ + count_, element) != small_ + count_ ? 1 : 0;
  }
  void insert(T element) {
    if (count(element) != 0) return;
    if (large_ == nullptr && count_ == kSmall) large_ = new Large(small_, small_ + count_);
    large_ != nullptr ? void(large_->insert(element)) : void(small_[count_++] = element);
  }
  void dump(const char* name = nullptr, std::ostream& out = std::cout) const {
    if (name != nullptr) out << name << ": ";
    out << (large_ != nullptr ? "*{ " : "{ ");
    for (const T& element : *this) out << element << " ";
    out << "}\n";
  }

 private:
  T small_[kSmall];
  size_t count_ = 0;
  Large* large_ = nullptr;
};

template <class T, size_t kSmall>
const T SmallLocalSet<T, kSmall>::INVALID;

/// A random common element of both sets, or INVALID if they have none.
template <class T, size_t kSmall>
T intersect_choose_random(const SmallLocalSet<T, kSmall>& a, const SmallLocalSet<T, kSmall>& b) {
  std::vector<T> common;
  for (const T& element : a) {
    if (b.count(element) != 0) common.push_back(element);
  }
  if (common.empty()) return SmallLocalSet<T, kSmall>::INVALID;
  return common[static_cast<size_t>(std::rand()) % common.size()];
}
