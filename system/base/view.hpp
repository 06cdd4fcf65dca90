#pragma once

/// A view of consecutive elements that another object holds, such as the characters of a string.

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

namespace Grappa {

/// The address and the number of elements. A view copies nothing, and is invalid when the elements
/// move. From: any thread.
template <class T>
class View {
 public:
  typedef T value_type;
  typedef const T* const_iterator;

  View() = default;
  View(const T* data, size_t size) : data_(data), size_(size) {}
  /// A view of {1, 2} is valid until the end of the expression.
  View(std::initializer_list<T> elements) : View(elements.begin(), elements.size()) {}
  /// (0, 1) is no list of elements: 0 would be a null address.
  template <class Int, class = typename std::enable_if<std::is_integral<Int>::value>::type>
  View(Int, size_t) = delete;
  View(const std::vector<T>& elements) : data_(elements.data()), size_(elements.size()) {}

  const T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T& operator[](size_t i) const { return data_[i]; }

  std::vector<T> copy() const { return std::vector<T>(begin(), end()); }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

/// A view of the characters of a string. The characters may be any bytes. A view is not terminated
/// by a zero. Views compare like std::string: byte by byte, as unsigned numbers.
template <>
class View<char> {
 public:
  typedef char value_type;
  typedef const char* const_iterator;

  View() = default;
  View(const char* data, size_t size) : data_(data), size_(size) {}
  template <class Int, class = typename std::enable_if<std::is_integral<Int>::value>::type>
  View(Int, size_t) = delete;
  View(const std::string& text) : data_(text.data()), size_(text.size()) {}
  View(const std::vector<char>& text) : data_(text.data()), size_(text.size()) {}
  View(const char* text) : data_(text), size_(std::strlen(text)) {}

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const char* begin() const { return data_; }
  const char* end() const { return data_ + size_; }
  char operator[](size_t i) const { return data_[i]; }

  std::string copy() const { return std::string(data_, size_); }

  friend bool operator==(View a, View b) {
    return a.size_ == b.size_ && (a.size_ == 0 || std::memcmp(a.data_, b.data_, a.size_) == 0);
  }
  friend bool operator!=(View a, View b) { return !(a == b); }
  friend bool operator<(View a, View b) {
    const size_t least = a.size_ < b.size_ ? a.size_ : b.size_;
    const int order = least == 0 ? 0 : std::memcmp(a.data_, b.data_, least);
    return order != 0 ? order < 0 : a.size_ < b.size_;
  }

 private:
  const char* data_ = "";
  size_t size_ = 0;
};

typedef View<char> StringView;

}  // namespace Grappa
