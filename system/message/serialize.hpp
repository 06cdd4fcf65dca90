#pragma once

/// The bytes of values that travel: Serialize<T> writes a value as bytes and reads it again.
///
/// Trivially copyable types, strings, vectors, pairs and tuples of such types have a Serialize. A
/// program adds one for a type of its own:
///
///     template <>
///     struct Grappa::Serialize<Road> {
///       static size_t size(const Road& road) { return serialized_size(road.name, road.lanes); }
///       static void write(Writer* to, const Road& road) { to->values(road.name, road.lanes); }
///       static Road read(Reader* from) {
///         Road road;
///         from->values(&road.name, &road.lanes);
///         return road;
///       }
///     };
///
/// The bytes have no padding. The library checks that write() writes as many bytes as size()
/// returns, and that read() of a value of a payload, of an answer or of an entry reads as many. If
/// they disagree, the job aborts.

#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/base/view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa {

class Reader;
class Writer;

/// Has three static functions: the number of bytes that write() writes; write; and read. They must
/// not call functions that suspend or send. From: task or handler.
template <class T, class = void>
struct Serialize;

namespace detail {

[[noreturn]] void report_write_beyond(const char* signature, size_t bytes, size_t left);
[[noreturn]] void report_read_beyond(const char* signature, size_t bytes, size_t left);
[[noreturn]] void report_size(const char* signature, size_t left);
[[noreturn]] void report_unread(const char* signature, size_t left);
[[noreturn]] void report_count(const char* signature, uint64_t count, size_t left);
[[noreturn]] void report_long(size_t count);

template <class T>
struct HoldsView<std::vector<T>> : HoldsView<T> {};
template <>
struct HoldsView<std::tuple<>> : std::false_type {};
template <class T, class... More>
struct HoldsView<std::tuple<T, More...>>
    : std::integral_constant<bool, HoldsView<T>::value || HoldsView<std::tuple<More...>>::value> {};

/// True if the bytes of a T are its value, also on another core.
template <class T>
struct IsPlain : std::integral_constant<bool, travels<T>::value && !std::is_pointer<T>::value &&
                                                  !HoldsView<T>::value> {};

template <class T, class = void>
struct CanSerialize : std::false_type {};
template <class T>
struct CanSerialize<T, decltype(static_cast<void>(sizeof(Serialize<T>)))> : std::true_type {};

}  // namespace detail

/// Writes bytes one after another. Writing more than the announced bytes aborts the job.
class Writer {
 public:
  /// `signature` is the type_signature of the value, for reports.
  Writer(char* to, size_t bytes, const char* signature)
      : next_(to), end_(to + bytes), signature_(signature) {}

  void bytes(const void* from, size_t n) {
    if (GRAPPA_UNLIKELY(n > left())) detail::report_write_beyond(signature_, n, left());
    if (n != 0) std::memcpy(next_, from, n);
    next_ += n;
  }

  template <class T>
  void value(const T& value) {
    Serialize<T>::write(this, value);
  }

  void values() {}
  template <class T, class... More>
  void values(const T& first, const More&... more) {
    value(first);
    values(more...);
  }

  /// Writes a number of elements, in 4 bytes. 2^32 or more abort the job.
  void count(size_t n) {
    if (GRAPPA_UNLIKELY(n > UINT32_MAX)) detail::report_long(n);
    const uint32_t number = static_cast<uint32_t>(n);
    bytes(&number, sizeof number);
  }

  size_t left() const { return static_cast<size_t>(end_ - next_); }

 private:
  char* next_;
  char* const end_;
  const char* const signature_;
};

/// Reads bytes one after another. Reading beyond the end aborts the job.
class Reader {
 public:
  Reader(const char* from, size_t bytes, const char* signature)
      : next_(from), end_(from + bytes), signature_(signature) {}

  /// Returns the address of the next n bytes, and skips them.
  const char* bytes(size_t n) {
    if (GRAPPA_UNLIKELY(n > left())) detail::report_read_beyond(signature_, n, left());
    const char* const at = next_;
    next_ += n;
    return at;
  }

  template <class T>
  T value() {
    return Serialize<T>::read(this);
  }

  void values() {}
  template <class T, class... More>
  void values(T* first, More*... more) {
    *first = value<T>();
    values(more...);
  }

  /// Reads a number of elements, each of at least `least_bytes` bytes. A number for which too few
  /// bytes are left aborts the job, so a wrong number allocates no memory.
  size_t count(size_t least_bytes) {
    uint32_t n;
    std::memcpy(&n, bytes(sizeof n), sizeof n);
    if (GRAPPA_UNLIKELY(uint64_t{n} * least_bytes > left())) {
      detail::report_count(signature_, n, left());
    }
    return n;
  }

  size_t left() const { return static_cast<size_t>(end_ - next_); }

 private:
  const char* next_;
  const char* const end_;
  const char* const signature_;
};

/// The sum of the sizes of some values.
inline size_t serialized_size() { return 0; }
template <class T, class... More>
size_t serialized_size(const T& first, const More&... more) {
  return Serialize<T>::size(first) + serialized_size(more...);
}

namespace detail {

/// Copies a value from bytes that may not be aligned.
template <class T>
T copy_plain(const void* from) {
  alignas(T) unsigned char copy[sizeof(T)];
  std::memcpy(copy, from, sizeof(T));
  return *reinterpret_cast<const T*>(copy);
}

template <class T>
void write_checked(char* to, size_t bytes, const T& value) {
  Writer writer(to, bytes, type_signature<T>());
  writer.value(value);
  if (GRAPPA_UNLIKELY(writer.left() != 0)) report_size(type_signature<T>(), writer.left());
}

template <class T>
T read_checked(const void* from, size_t bytes) {
  Reader reader(static_cast<const char*>(from), bytes, type_signature<T>());
  T value = reader.value<T>();
  if (GRAPPA_UNLIKELY(reader.left() != 0)) report_unread(type_signature<T>(), reader.left());
  return value;
}

}  // namespace detail

namespace detail {

/// The Serialize of plain values.
template <class T>
struct PlainSerialize {
  enum : size_t { kBytes = std::is_empty<T>::value ? 0 : sizeof(T) };
  static size_t size(const T&) { return kBytes; }
  static void write(Writer* to, const T& value) { to->bytes(&value, kBytes); }
  static T read(Reader* from) {
    if (std::is_empty<T>::value) return copy_plain<T>("");
    return copy_plain<T>(from->bytes(kBytes));
  }
};

/// True if all values of type T have PlainSerialize<T>::kBytes bytes.
template <class T>
struct HasFixedBytes : std::is_base_of<PlainSerialize<T>, Serialize<T>> {};

}  // namespace detail

template <class T>
struct Serialize<T, typename std::enable_if<detail::IsPlain<T>::value>::type>
    : detail::PlainSerialize<T> {};

/// A view is written as a std::string. It cannot be read, because it would outlive the bytes.
template <>
struct Serialize<View<char>> {
  static size_t size(View<char> text) { return sizeof(uint32_t) + text.size(); }
  static void write(Writer* to, View<char> text) {
    to->count(text.size());
    to->bytes(text.data(), text.size());
  }
};

template <>
struct Serialize<std::string> {
  static size_t size(const std::string& text) { return Serialize<View<char>>::size(text); }
  static void write(Writer* to, const std::string& text) { Serialize<View<char>>::write(to, text); }
  static std::string read(Reader* from) {
    const size_t n = from->count(1);
    return std::string(from->bytes(n), n);
  }
};

template <class T>
struct Serialize<std::vector<T>, typename std::enable_if<detail::IsPlain<T>::value &&
                                                         !std::is_same<T, bool>::value>::type> {
  static size_t size(const std::vector<T>& elements) {
    return sizeof(uint32_t) + elements.size() * sizeof(T);
  }
  static void write(Writer* to, const std::vector<T>& elements) {
    to->count(elements.size());
    to->bytes(elements.data(), elements.size() * sizeof(T));
  }
  static std::vector<T> read(Reader* from) {
    const size_t n = from->count(sizeof(T));
    const char* const bytes = from->bytes(n * sizeof(T));
    std::vector<T> elements(n);
    if (n != 0) std::memcpy(elements.data(), bytes, n * sizeof(T));
    return elements;
  }
};

/// A vector<bool> has no array of elements. Each element is written as one byte.
template <>
struct Serialize<std::vector<bool>> {
  static size_t size(const std::vector<bool>& elements) {
    return sizeof(uint32_t) + elements.size();
  }
  static void write(Writer* to, const std::vector<bool>& elements) {
    to->count(elements.size());
    for (const bool element : elements) to->value(element);
  }
  static std::vector<bool> read(Reader* from) {
    std::vector<bool> elements(from->count(sizeof(bool)));
    for (auto&& element : elements) element = from->value<uint8_t>() != 0;
    return elements;
  }
};

/// A vector of other elements, one after another. An element without bytes takes one byte, so that
/// the bytes limit the number of elements.
template <class T>
struct Serialize<std::vector<T>, typename std::enable_if<!detail::IsPlain<T>::value>::type> {
  static size_t size(const std::vector<T>& elements) {
    size_t bytes = sizeof(uint32_t);
    for (const T& element : elements) {
      const size_t own = Serialize<T>::size(element);
      bytes += own != 0 ? own : 1;
    }
    return bytes;
  }
  static void write(Writer* to, const std::vector<T>& elements) {
    to->count(elements.size());
    for (const T& element : elements) {
      const size_t left = to->left();
      to->value(element);
      if (to->left() == left) to->bytes("", 1);
    }
  }
  static std::vector<T> read(Reader* from) {
    const size_t n = from->count(1);
    std::vector<T> elements;
    for (size_t i = 0; i < n; ++i) {
      const size_t left = from->left();
      elements.push_back(from->value<T>());
      if (from->left() == left) from->bytes(1);
    }
    return elements;
  }
};

template <class A, class B>
struct Serialize<std::pair<A, B>,
                 typename std::enable_if<!detail::IsPlain<std::pair<A, B>>::value>::type> {
  static size_t size(const std::pair<A, B>& both) {
    return serialized_size(both.first, both.second);
  }
  static void write(Writer* to, const std::pair<A, B>& both) {
    to->values(both.first, both.second);
  }
  static std::pair<A, B> read(Reader* from) {
    A first = from->value<A>();
    return std::pair<A, B>(std::move(first), from->value<B>());
  }
};

template <class... Ts>
struct Serialize<std::tuple<Ts...>,
                 typename std::enable_if<!detail::IsPlain<std::tuple<Ts...>>::value>::type> {
  static size_t size(const std::tuple<Ts...>& all) { return size_from<0>(all); }
  static void write(Writer* to, const std::tuple<Ts...>& all) { write_from<0>(to, all); }
  static std::tuple<Ts...> read(Reader* from) {
    return std::tuple<Ts...>{from->value<Ts>()...};  // braces: from the first to the last
  }

 private:
  template <size_t i>
  using IfElement = typename std::enable_if<(i < sizeof...(Ts))>::type;

  template <size_t i>
  static typename std::enable_if<i == sizeof...(Ts), size_t>::type size_from(
      const std::tuple<Ts...>&) {
    return 0;
  }
  template <size_t i, class = IfElement<i>>
  static size_t size_from(const std::tuple<Ts...>& all) {
    return serialized_size(std::get<i>(all)) + size_from<i + 1>(all);
  }
  template <size_t i>
  static typename std::enable_if<i == sizeof...(Ts)>::type write_from(Writer*,
                                                                      const std::tuple<Ts...>&) {}
  template <size_t i, class = IfElement<i>>
  static void write_from(Writer* to, const std::tuple<Ts...>& all) {
    to->value(std::get<i>(all));
    write_from<i + 1>(to, all);
  }
};

}  // namespace Grappa
