#pragma once

/// How keys and values are stored in a ByteTable: their bytes, and the types that bodies take.

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

constexpr size_t kMaxKeyBytes = size_t{1} << 20;

void reject_key(size_t bytes);  // aborts the job
inline void check_key_bytes(size_t bytes) {
  if (GRAPPA_UNLIKELY(bytes > kMaxKeyBytes)) reject_key(bytes);
}

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

/// As HasFixedBytes, also for types without a Serialize.
template <class T>
struct IsOfFixedBytes
    : std::conditional<CanSerialize<T>::value, HasFixedBytes<T>, std::false_type>::type {};

/// False if a part of a vector, pair or tuple is copied as bytes, but its bytes are not its value.
/// For other types, their Serialize is responsible.
template <class T>
struct PartsHaveUniqueBytes
    : std::integral_constant<bool, !IsOfFixedBytes<T>::value || HasUniqueBytes<T>::value> {};
template <class T>
struct PartsHaveUniqueBytes<std::vector<T>> : PartsHaveUniqueBytes<T> {};
template <class A, class B>
struct PartsHaveUniqueBytes<std::pair<A, B>>
    : std::integral_constant<bool,
                             PartsHaveUniqueBytes<A>::value && PartsHaveUniqueBytes<B>::value> {};
template <>
struct PartsHaveUniqueBytes<std::tuple<>> : std::true_type {};
template <class T, class... More>
struct PartsHaveUniqueBytes<std::tuple<T, More...>>
    : std::integral_constant<bool, PartsHaveUniqueBytes<T>::value &&
                                       PartsHaveUniqueBytes<std::tuple<More...>>::value> {};

/// A key of type K: its bytes, and the types of a key that is an argument, a parameter of a body,
/// and read from an entry. Keys are equal if their bytes are equal.
template <class K, class = void>
class KeyForm {
  static_assert(CanSerialize<K>::value && !HoldsView<K>::value,
                "the keys of a global set or map with entries of variable length must be "
                "std::string, integers, or of a type with a Serialize, and hold no views");
  static_assert(PartsHaveUniqueBytes<K>::value,
                "the keys of a global set or map with entries of variable length are compared byte "
                "by byte: the parts of a key must have no padding and no floating-point number");

 public:
  typedef const K& Argument;
  typedef const K& InBody;
  typedef K Stored;
  explicit KeyForm(const K& key) {
    ValueBytes<K>::append(&bytes_, key);
    check_key_bytes(bytes_.size());
  }
  View<char> bytes() const { return bytes_; }
  static K read(View<char> bytes) { return ValueBytes<K>::read(bytes); }

 private:
  std::string bytes_;
};
template <class K>
class KeyForm<K, typename std::enable_if<IsOfFixedBytes<K>::value>::type> {
  static_assert(HasUniqueBytes<K>::value,
                "the keys of a global set or map with entries of variable length are compared byte "
                "by byte: a key of fixed length must have no padding and no floating-point number");

 public:
  typedef K Argument;
  typedef K InBody;
  typedef K Stored;
  explicit KeyForm(K key) : key_(key) {}
  View<char> bytes() const { return View<char>(reinterpret_cast<const char*>(&key_), sizeof(K)); }
  static K read(View<char> bytes) { return copy_plain<K>(bytes.data()); }

 private:
  K key_;
};
template <class T>
class KeyForm<std::vector<T>, typename std::enable_if<IsArrayOfBytes<T>::value &&
                                                      !std::is_same<T, char>::value>::type> {
  static_assert(HasUniqueBytes<T>::value,
                "the keys of a global set or map with entries of variable length are compared byte "
                "by byte: the parts of a key must have no padding and no floating-point number");

 public:
  typedef View<T> Argument;
  typedef const std::vector<T>& InBody;
  typedef std::vector<T> Stored;
  explicit KeyForm(View<T> key)
      : bytes_(reinterpret_cast<const char*>(key.data()), key.size() * sizeof(T)) {
    check_key_bytes(bytes_.size());
  }
  View<char> bytes() const { return bytes_; }
  static Stored read(View<char> bytes) { return ValueBytes<Stored>::read(bytes); }

 private:
  View<char> bytes_;
};
template <>
class KeyForm<std::string> {
 public:
  typedef View<char> Argument;
  typedef View<char> InBody;
  typedef View<char> Stored;  // in the entry
  explicit KeyForm(View<char> key) : key_(key) { check_key_bytes(key.size()); }
  View<char> bytes() const { return key_; }
  static View<char> read(View<char> bytes) { return bytes; }

 private:
  View<char> key_;
};

/// The hash that selects the owner of a key. The table of the owner hashes the bytes of the key, so
/// a poor hash only distributes the keys unequally.
template <class K, class Hash>
struct OwnerHash {
  typedef typename KeyForm<K>::Argument Key;
  static uint64_t of(Key key, uint64_t) {
    uint64_t x = static_cast<uint64_t>(hash_of<Hash>(key)) * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
  }

 private:
  static_assert(is_callable<Hash, Key>::value || is_callable<Hash, const K&>::value,
                "this hash cannot be called with a key: give the set or map a struct with size_t "
                "operator()(const K&) const");

  template <class H>
  static typename std::enable_if<is_callable<H, Key>::value, size_t>::type hash_of(Key key) {
    return H()(key);
  }
  /// A hash that takes a std::string or std::vector, of which the key is a view.
  template <class H>
  static typename std::enable_if<!is_callable<H, Key>::value, size_t>::type hash_of(Key key) {
    return H()(K(key.begin(), key.end()));
  }
};
template <class K>
struct OwnerHash<K, std::hash<K>> {
  static uint64_t of(typename KeyForm<K>::Argument, uint64_t bytes_hash) { return bytes_hash; }
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
