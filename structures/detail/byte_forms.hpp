#pragma once

/// How values are stored in a ByteTable: their bytes, and the types that bodies take. key_form.hpp
/// has the keys.

#include "structures/detail/byte_table.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/base/view.hpp"
#include "system/message/serialize.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// True if values of type T differ in length: they are not copied as bytes, but have a Serialize.
template <class T>
struct HasOwnLength : std::integral_constant<bool, !travels<T>::value && CanSerialize<T>::value> {};
template <>
struct HasOwnLength<void> : std::false_type {};
template <class A, class B>
struct HasOwnLength<std::pair<A, B>>
    : std::integral_constant<bool, HasOwnLength<A>::value || HasOwnLength<B>::value> {};

}  // namespace detail

// If the last argument is true, the keys or values differ in length (detail/byte_map.hpp,
// detail/byte_set.hpp). Programs do not pass it.
template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<K>,
          bool kOwnLength = detail::HasOwnLength<K>::value>
class GlobalSet;
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>,
          bool kOwnLength = detail::HasOwnLength<K>::value || detail::HasOwnLength<V>::value>
class GlobalMap;

namespace detail {

/// A value of type V as bytes, without the length.
template <class V, class = void>
struct ValueBytes {
  static void append(std::string* to, const V& value) {
    const size_t bytes = Serialize<V>::size(value), at = to->size();
    to->resize(at + bytes);
    write_checked(&(*to)[at], bytes, value);
  }
  static V read(View<char> bytes) { return read_checked<V>(bytes.data(), bytes.size()); }
};
template <>
struct ValueBytes<std::string> {
  static void append(std::string* to, const std::string& value) { to->append(value); }
  static std::string read(View<char> bytes) { return bytes.copy(); }
};

/// Reads a value from bytes that are not needed any more.
template <class V>
V read_from(std::string* bytes) {
  return ValueBytes<V>::read(*bytes);
}
template <>
inline std::string read_from<std::string>(std::string* bytes) {
  return std::move(*bytes);
}

/// A list of values as bytes, so that a value can be appended. A value of variable length follows
/// its number of bytes, which takes 4 bytes.
template <class V>
struct ListBytes {
  enum : bool { kFixed = HasFixedBytes<V>::value };
  static_assert(!std::is_empty<V>::value, "the values of a list must have bytes");

  static void append(std::string* to, const V& value) {
    const size_t at = to->size();
    if (!kFixed) to->resize(at + sizeof(uint32_t));
    ValueBytes<V>::append(to, value);
    if (kFixed) return;
    Writer(&(*to)[at], sizeof(uint32_t), "").count(to->size() - at - sizeof(uint32_t));
  }

  static int64_t count(View<char> list) {
    if (kFixed) return static_cast<int64_t>(list.size() / sizeof(V));
    int64_t n = 0;
    for_each_bytes(list, [&n](View<char>) { ++n; });
    return n;
  }

  /// Calls `visit(bytes)` for each value.
  template <class Visit>
  static void for_each_bytes(View<char> list, const Visit& visit) {
    Reader reader(list.data(), list.size(), type_signature<std::vector<V>>());
    while (reader.left() != 0) {
      const size_t bytes = kFixed ? sizeof(V) : reader.count(1);
      visit(View<char>(reader.bytes(bytes), bytes));
    }
  }
};
/// A vector of values of fixed length is copied as bytes. A vector<bool> has no array.
template <class V>
struct IsArrayOfBytes
    : std::integral_constant<bool, HasFixedBytes<V>::value && !std::is_empty<V>::value &&
                                       !std::is_same<V, bool>::value> {};
template <class V>
struct ValueBytes<std::vector<V>, typename std::enable_if<IsArrayOfBytes<V>::value>::type> {
  static void append(std::string* to, const std::vector<V>& values) {
    to->append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(V));
  }
  static std::vector<V> read(View<char> bytes) {
    GRAPPA_DCHECK(bytes.size() % sizeof(V) == 0);
    std::vector<V> values(bytes.size() / sizeof(V));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};
template <class V>
struct ValueBytes<std::vector<V>,
                  typename std::enable_if<CanSerialize<V>::value && !IsArrayOfBytes<V>::value &&
                                          !std::is_empty<V>::value>::type> {
  static void append(std::string* to, const std::vector<V>& values) {
    for (const V& value : values) ListBytes<V>::append(to, value);
  }
  static std::vector<V> read(View<char> bytes) {
    std::vector<V> values;
    ListBytes<V>::for_each_bytes(
        bytes, [&values](View<char> one) { values.push_back(ValueBytes<V>::read(one)); });
    return values;
  }
};

/// The parameters of a function or function object as a tuple, with two more of type void. Without
/// `type` if the function object has several operators(), or a template.
template <class Call>
struct ParametersOf {};
#define GRAPPA_PARAMETERS_OF(call)                      \
  template <class R, class F, class... Parameters>      \
  struct ParametersOf<R (F::*)(Parameters...) call> {   \
    typedef std::tuple<Parameters..., void, void> type; \
  };
GRAPPA_PARAMETERS_OF()
GRAPPA_PARAMETERS_OF(const)
#ifdef __cpp_noexcept_function_type
GRAPPA_PARAMETERS_OF(noexcept)
GRAPPA_PARAMETERS_OF(const noexcept)
#endif
#undef GRAPPA_PARAMETERS_OF

/// True if a function object takes a StringView as its parameter i.
template <size_t i, class F>
typename std::is_same<typename std::decay<typename std::tuple_element<
                          i, typename ParametersOf<decltype(&F::operator())>::type>::type>::type,
                      View<char>>::type
takes_string_view(int);
template <size_t i, class F>
std::false_type takes_string_view(long);

/// The type of a value that a body takes as its parameter i: a view of the entry if V is a string
/// and the body is a function object that takes a StringView, and else V.
template <class V, class F, size_t i>
struct ValueIn {
  typedef typename std::conditional<
      std::is_same<V, std::string>::value&& decltype(takes_string_view<i, F>(0))::value, View<char>,
      V>::type type;
};

/// A value of type V in the entry of a ByteTable.
template <class V, bool = HasOwnLength<V>::value>
struct ValueForm {  // of variable length
  enum : size_t { kBytes = ByteTable::kAnyLength };

  static void construct(ByteTable* table, char* entry) { store(table, entry, V()); }
  static void store(ByteTable* table, char* entry, const V& value) {
    std::string bytes;
    ValueBytes<V>::append(&bytes, value);
    table->set_value(entry, bytes);
  }
  static void store_bytes(ByteTable* table, char* entry, View<char> bytes) {
    table->set_value(entry, bytes);
  }
  static V load(const ByteTable& table, const char* entry) {
    return ValueBytes<V>::read(table.value_of(entry));
  }
  /// The value for a body with parameter i: a copy, or a view of the entry.
  template <class F, size_t i>
  static typename ValueIn<V, F, i>::type load_for(const ByteTable& table, const char* entry) {
    return read_as(table.value_of(entry), static_cast<typename ValueIn<V, F, i>::type*>(nullptr));
  }
  static View<char> stored_bytes(const ByteTable& table, const char* entry) {
    return table.value_of(entry);
  }

  /// Calls `body(value)`, and stores the value if `Body::kChanges`. Otherwise the value is a view.
  template <class Body>
  static typename std::enable_if<Body::kChanges && !std::is_void<typename Body::Result>::value,
                                 typename Body::Result>::type
  change(ByteTable* table, char* entry, Body& body) {
    V value = load(*table, entry);
    typename Body::Result result = call_pinned(table, body, value);
    store(table, entry, value);
    return result;
  }
  template <class Body>
  static typename std::enable_if<Body::kChanges && std::is_void<typename Body::Result>::value>::type
  change(ByteTable* table, char* entry, Body& body) {
    V value = load(*table, entry);
    call_pinned(table, body, value);
    store(table, entry, value);
  }
  template <class Body>
  static typename std::enable_if<!Body::kChanges, typename Body::Result>::type change(
      ByteTable* table, char* entry, Body& body) {
    View<char> value = table->value_of(entry);
    return call_pinned(table, body, value);
  }

 private:
  static View<char> read_as(View<char> bytes, View<char>*) { return bytes; }
  static V read_as(View<char> bytes, V*) { return ValueBytes<V>::read(bytes); }

  template <class Body, class Value>
  static typename Body::Result call_pinned(ByteTable* table, Body& body, Value& value) {
    const ByteTable::Pin during_call(table);
    return body(value);
  }
};

template <class V>
struct ValueForm<V, false> {
  static_assert(IsPlain<V>::value,
                "the values of a global map with keys of variable length must be trivially "
                "copyable, and no pointers or views, or have a Serialize");
  static_assert(alignof(V) <= 8,
                "the values of a global map with keys of variable length are "
                "aligned to at most 8 bytes");
  enum : size_t { kBytes = sizeof(V) };

  static V& at(char* entry) { return *reinterpret_cast<V*>(ByteTable::fixed_value(entry)); }
  static void construct(ByteTable*, char* entry) { new (ByteTable::fixed_value(entry)) V(); }
  static void store(ByteTable*, char* entry, const V& value) { at(entry) = value; }
  static void store_bytes(ByteTable*, char* entry, View<char> bytes) {
    at(entry) = ValueBytes<V>::read(bytes);
  }
  static const V& load(const ByteTable&, const char* entry) {
    return *reinterpret_cast<const V*>(entry);
  }
  template <class F, size_t i>
  static const V& load_for(const ByteTable& table, const char* entry) {
    return load(table, entry);
  }
  static View<char> stored_bytes(const ByteTable&, const char* entry) {
    return View<char>(entry, sizeof(V));
  }

  template <class Body>
  static typename Body::Result change(ByteTable* table, char* entry, Body& body) {
    const ByteTable::Pin during_call(table);
    return body(at(entry));
  }
};

template <>
struct ValueForm<void, false> {
  enum : size_t { kBytes = 0 };
};

}  // namespace detail
}  // namespace Grappa
