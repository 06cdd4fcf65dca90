#pragma once

/// The keys of a ByteTable: their bytes, and the types that calls and bodies take.

#include "structures/detail/byte_forms.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/base/view.hpp"
#include "system/message/serialize.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

constexpr size_t kMaxKeyBytes = size_t{1} << 20;

void reject_key(size_t bytes);  // aborts the job
inline void check_key_bytes(size_t bytes) {
  if (GRAPPA_UNLIKELY(bytes > kMaxKeyBytes)) reject_key(bytes);
}

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
/// A vector of characters is passed by reference, because a View<char> takes no list in braces.
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

}}  // namespace Grappa::detail
