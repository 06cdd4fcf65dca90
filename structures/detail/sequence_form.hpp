#pragma once

/// The two forms of elements of a Sequence, and how their values travel to and from the master.
///
/// A trivially copyable element is copied as bytes. Any other element is an *object* with a
/// Serialize, such as a std::string. The core that pushes an object constructs it in its
/// ElementStore, where it remains until it is popped. (Without combining, and in the centralized
/// mode, another core stores it.) If the popping core is another core, the object is written as
/// bytes, sent, and read into the array of the popping proxy. On the same core, it is moved.

#include "structures/detail/element_store.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/base/view.hpp"
#include "system/global/delegate.hpp"
#include "system/global/payload.hpp"
#include "system/message/serialize.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

constexpr size_t kMaxElementBytes = size_t{1} << 20;  // of an object when it is pushed

/// Aborts the job if an object that is pushed has more than kMaxElementBytes bytes.
void check_element_bytes(size_t bytes);

/// What a Sequence does with objects of one type. An exception of the type aborts the job, because
/// the task in which it is thrown is not the task that pushed the object.
struct ObjectCode {
  void (*construct)(const void* from, void* to, int64_t n);  // moves from the objects at `from`
  void (*assign)(void* from, void* to, int64_t n);           // destroys the objects at `from`
  void (*append)(const void* object, std::string* to);       // appends the bytes of an object
  void (*read)(const void* bytes, size_t n_bytes, void* to, int64_t n);  // assigns to objects
  void (*destroy)(void* objects, int64_t n);
};

template <class T>
struct Objects {
  static const ObjectCode code;

  static void construct(const void* from, void* to, int64_t n) noexcept {
    // The pointer is const because elements that are copied as bytes do not change.
    T* const source = static_cast<T*>(const_cast<void*>(from));
    for (int64_t i = 0; i < n; ++i) {
      ::new (static_cast<void*>(static_cast<T*>(to) + i)) T(std::move(source[i]));
    }
  }
  static void assign(void* from, void* to, int64_t n) noexcept {
    T* const source = static_cast<T*>(from);
    for (int64_t i = 0; i < n; ++i) static_cast<T*>(to)[i] = std::move(source[i]);
    destroy(from, n);
  }
  /// A count of bytes precedes the bytes of an object, so that it is read from its own bytes only.
  static void append(const void* object, std::string* to) noexcept {
    const T& value = *static_cast<const T*>(object);
    const size_t bytes = Serialize<T>::size(value), at = to->size();
    to->resize(at + sizeof(uint32_t) + bytes);
    Writer(&(*to)[at], sizeof(uint32_t), "").count(bytes);
    write_checked(&(*to)[at + sizeof(uint32_t)], bytes, value);
  }
  static void read(const void* bytes, size_t n_bytes, void* to, int64_t n) noexcept {
    Reader reader(static_cast<const char*>(bytes), n_bytes, type_signature<T>());
    for (int64_t i = 0; i < n; ++i) {
      const size_t its_bytes = reader.count(1);
      static_cast<T*>(to)[i] = read_checked<T>(reader.bytes(its_bytes), its_bytes);
    }
    GRAPPA_DCHECK(reader.left() == 0);
  }
  static void destroy(void* objects, int64_t n) noexcept {
    for (int64_t i = 0; i < n; ++i) static_cast<T*>(objects)[i].~T();
  }
};
template <class T>
const ObjectCode Objects<T>::code = {&construct, &assign, &append, &read, &destroy};

/// True if elements of type T are objects.
template <class T>
struct IsObject : std::integral_constant<bool, !travels<T>::value && CanSerialize<T>::value> {};

/// A closure that passes a copied value to `body`.
template <class T, class F>
struct BoundValue {
  F body;
  T value;
  typename call_result<const F, const T&>::type operator()() const { return body(value); }
};

/// How the arguments of push become objects of type T. Strings and vectors are pushed as views.
template <class T>
struct PushedValue {
  typedef const T& Argument;
  static const T& make(const T& value) { return value; }
  static size_t bytes(const T& value) { return Serialize<T>::size(value); }
};
template <class T, class Element>
struct PushedView {
  typedef View<Element> Argument;
  static T make(Argument elements) { return T(elements.begin(), elements.end()); }
  static size_t bytes(Argument elements) { return elements.size() * sizeof(Element); }
};
template <class T>
struct PushedAs : PushedValue<T> {};
template <>
struct PushedAs<std::string> : PushedView<std::string, char> {};
template <class T>
struct PushedAs<std::vector<T>>
    : std::conditional<IsPlain<T>::value && !std::is_same<T, bool>::value,
                       PushedView<std::vector<T>, T>, PushedValue<std::vector<T>>>::type {
  static_assert(!std::is_same<T, char>::value,
                "elements of characters are std::string, not std::vector<char>");
};

/// Space for the objects of a proxy, with the interface of RawElements.
template <class T>
class ObjectArray {
 public:
  T* data() { return objects_.data(); }
  T& operator[](int64_t i) { return objects_[static_cast<size_t>(i)]; }
  void set(int64_t i, typename PushedAs<T>::Argument value) noexcept {
    expect(i + 1);
    objects_[static_cast<size_t>(i)] = PushedAs<T>::make(value);
  }
  /// Constructs the objects to which elements are assigned, so that there are `n` or more.
  void expect(int64_t n) noexcept {
    if (objects_.size() < static_cast<size_t>(n)) objects_.resize(static_cast<size_t>(n));
  }

 private:
  std::vector<T> objects_;
};

template <class T>
struct OwnsItsBytes : std::true_type {
  static_assert(
      !HoldsView<T>::value,
      "elements of a global queue must not be views or hold them, because a view is valid "
      "on its own core only: use std::string or std::vector");
};

/// Elements that are copied as bytes.
template <class T, bool = IsObject<T>::value>
struct SequenceForm {
  static_assert(IsElement<T>::value && OwnsItsBytes<T>::value, "");
  typedef const T& Argument;
  template <size_t n>
  using Array = RawElements<T, n>;

  static const ObjectCode* code() { return nullptr; }
  static void check(const T&) {}

  /// Returns false unless the job has one core.
  template <class Store>
  static bool push_alone(Store* store, const T& value) {
    return store->push_alone(&value);
  }

  /// Runs `body(value)` on core `dest`, as delegate::call<S>.
  template <SyncMode S, class F>
  static auto call(Core dest, const T& value, const F& body)
      -> decltype(delegate::call<S>(dest, std::declval<BoundValue<T, F>>())) {
    return delegate::call<S>(dest, unchecked(BoundValue<T, F>{body, value}));
  }

  /// Runs `take(place)` on core `dest`. If the result is true, copies the element at `place` to
  /// `value`. Not inlined, since compilers would warn that values of callers may be uninitialized.
  template <class Take>
  GRAPPA_NOINLINE static bool fetch(Core dest, T* value, const Take& take) {
    Found<T> popped = delegate::call(dest, [take] {
      Found<T> there;
      there.found = take(there.value.data());
      return there;
    });
    if (popped.found) *value = popped.value[0];
    return popped.found;
  }
};

/// Objects.
template <class T>
struct SequenceForm<T, true> : PushedAs<T> {
  static_assert(OwnsItsBytes<T>::value, "");
  static_assert(sizeof(T) <= 4096,
                "elements of a global structure have at most 4096 bytes, without the memory that "
                "they own");
  static_assert(alignof(T) <= 16, "elements of a global structure are aligned to at most 16 bytes");
  static_assert(std::is_default_constructible<T>::value && std::is_copy_constructible<T>::value &&
                    std::is_copy_assignable<T>::value,
                "elements of a global queue that have a Serialize must also have a default "
                "constructor, and be copyable");
  typedef typename PushedAs<T>::Argument Argument;
  template <size_t>
  using Array = ObjectArray<T>;

  static const ObjectCode* code() { return &Objects<T>::code; }
  static void check(Argument value) { check_element_bytes(PushedAs<T>::bytes(value)); }

  template <class Store>
  static bool push_alone(Store* store, Argument value) noexcept {
    if (cores() != 1) return false;
    T object = PushedAs<T>::make(value);
    return store->push_alone(&object);
  }

  template <SyncMode S, class F>
  static auto call(Core dest, Argument value, const F& body)
      -> decltype(delegate::call<S>(dest, payload(value), body)) {
    return delegate::call<S>(dest, payload(value), unchecked(body));
  }

  template <class Take>
  static bool fetch(Core dest, T* value, const Take& take) {
    std::vector<T> popped = delegate::call(dest, payload(), unchecked(TakeOne<Take>{take}));
    if (popped.empty()) return false;
    *value = std::move(popped[0]);
    return true;
  }

 private:
  template <class Take>
  struct TakeOne {
    Take take;
    std::vector<T> operator()() const {
      std::vector<T> one(1);
      if (!take(one.data())) one.clear();
      return one;
    }
  };
};

}}  // namespace Grappa::detail
