#pragma once

/// A copy of the bytes of a key, in 16 bytes if the key is short.

#include "structures/detail/hash_bytes.hpp"
#include "system/base/check.hpp"
#include "system/base/view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace Grappa { namespace detail {

/// The bytes of a key of at most kMostBytes bytes, or no key. Keys of more than 14 bytes are on the
/// heap.
class alignas(8) ShortKey {
 public:
  enum : size_t { kMostBytes = 255 };

  ShortKey() = default;
  ~ShortKey() { clear(); }
  ShortKey(ShortKey&& other) noexcept { take(&other); }
  ShortKey& operator=(ShortKey&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take(&other);
    return *this;
  }

  bool used() const { return used_; }  // there is a key

  void assign(View<char> key) {
    GRAPPA_DCHECK(key.size() <= kMostBytes);
    clear();
    char* to = bytes_;
    if (key.size() > sizeof bytes_) {
      to = new char[key.size()];
      std::memcpy(bytes_, &to, sizeof to);
    }
    copy_bytes(to, key);
    size_ = static_cast<uint8_t>(key.size());
    used_ = true;
  }

  void clear() {
    if (size_ > sizeof bytes_) delete[] allocated();
    size_ = 0;
    used_ = false;
  }

  View<char> bytes() const {
    return View<char>(size_ > sizeof bytes_ ? allocated() : bytes_, size_);
  }

  bool operator==(const ShortKey& other) const {
    return used_ == other.used_ && equal_bytes(bytes(), other.bytes());
  }

 private:
  static_assert(kMostBytes <= UINT8_MAX, "size_ has 8 bits");

  char* allocated() const {
    char* address;
    std::memcpy(&address, bytes_, sizeof address);
    return address;
  }

  void take(ShortKey* other) {
    std::memcpy(bytes_, other->bytes_, sizeof bytes_);
    size_ = other->size_;
    used_ = other->used_;
    other->size_ = 0;
    other->used_ = false;
  }

  char bytes_[14];  // or the address of the bytes
  uint8_t size_ = 0;
  bool used_ = false;
};

}}  // namespace Grappa::detail
