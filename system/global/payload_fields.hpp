#pragma once

/// The fields of a payload (payload.hpp): one for each argument of payload(), in their order.
///
///     | count, elements of a sequence | value | ... | elements of a sequence |
///
/// The elements of a sequence are aligned. If the last field is a sequence, the end of the message
/// tells the count.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/base/units.hpp"
#include "system/base/view.hpp"
#include "system/message/send.hpp"
#include "system/message/serialize.hpp"
#include "system/message/wire.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

template <class T>
struct OwnedSequence {
  typedef std::vector<T> type;
};
template <>
struct OwnedSequence<char> {
  typedef std::string type;
};

/// An argument of payload() whose elements lie in the message. The payload refers to the elements.
template <class T>
struct SequenceField {
  static_assert(alignof(T) <= kRunAlignment,
                "the elements of a payload have a larger alignment than messages have");
  typedef View<T> Held;
  typedef View<T> InPlace;
  typedef typename OwnedSequence<T>::type Owned;
  enum : bool { kIsSequence = true };
  enum : size_t { kAlignment = alignof(T) };

  static View<T> hold(View<T> elements) { return elements; }
  static View<T> in_place(View<T> held) { return held; }
  static Owned own(View<T> held) { return held.copy(); }

  static size_t end(View<T> held, size_t at, bool last) {
    return align_up(last ? at : at + sizeof(uint32_t), kAlignment) + held.size() * sizeof(T);
  }
  static size_t write(char* to, size_t at, View<T> held, bool last) {
    if (!last) {
      Writer(to + at, sizeof(uint32_t), "").count(held.size());
      at += sizeof(uint32_t);
    }
    at = align_up(at, kAlignment);
    const size_t bytes = held.size() * sizeof(T);
    if (bytes != 0) std::memcpy(to + at, held.data(), bytes);
    return at + bytes;
  }
  static View<T> read_in_place(const char* from, size_t* at, size_t end, bool last) {
    size_t count = 0;
    if (!last) {
      count = copy_plain<uint32_t>(from + *at);
      *at += sizeof(uint32_t);
    }
    *at = align_up(*at, kAlignment);
    if (last) count = (end - *at) / sizeof(T);
    const View<T> view(reinterpret_cast<const T*>(from + *at), count);
    *at += count * sizeof(T);
    return view;
  }
  static Owned read_owned(const char* from, size_t* at, size_t end, bool last) {
    return read_in_place(from, at, end, last).copy();
  }
};

/// Another argument of payload(). The payload refers to the argument.
template <class T>
struct ValueField {
  static_assert(!std::is_pointer<T>::value,
                "a pointer is not valid on another core: pass the object to payload()");
  typedef const T* Held;
  typedef T InPlace;
  typedef T Owned;
  enum : bool { kIsSequence = false };
  enum : size_t { kAlignment = 1 };

  static const T* hold(const T& value) { return std::addressof(value); }
  static T in_place(const T* held) { return *held; }
  static T own(const T* held) { return *held; }

  static size_t end(const T* held, size_t at, bool) { return at + Serialize<T>::size(*held); }
  static size_t write(char* to, size_t at, const T* held, bool) {
    const size_t bytes = Serialize<T>::size(*held);
    write_checked(to + at, bytes, *held);
    return at + bytes;
  }
  static T read_in_place(const char* from, size_t* at, size_t end, bool) {
    Reader reader(from + *at, end - *at, type_signature<T>());
    T value = reader.value<T>();
    *at = end - reader.left();
    return value;
  }
  static T read_owned(const char* from, size_t* at, size_t end, bool last) {
    return read_in_place(from, at, end, last);
  }
};

/// The field of an argument of payload(), by its decayed type.
template <class T>
struct FieldOf {
  typedef ValueField<T> type;
};
template <>
struct FieldOf<std::string> {
  typedef SequenceField<char> type;
};
template <>
struct FieldOf<const char*> {
  typedef SequenceField<char> type;
};
template <>
struct FieldOf<char*> {
  typedef SequenceField<char> type;
};
template <class T>
struct FieldOf<View<T>> {
  static_assert(IsPlain<T>::value, "the elements of a view in a payload must be trivially copied");
  typedef SequenceField<T> type;
};
template <class T>
struct FieldOf<std::vector<T>> {
  enum : bool { kIsSequence = IsPlain<T>::value && !std::is_same<T, bool>::value };
  typedef typename std::conditional<
      kIsSequence, SequenceField<typename std::conditional<kIsSequence, T, char>::type>,
      ValueField<std::vector<T>>>::type type;
};

template <size_t... i>
struct Indices {};
template <size_t n, size_t... i>
struct MakeIndices : MakeIndices<n - 1, n - 1, i...> {};
template <size_t... i>
struct MakeIndices<0, i...> {
  typedef Indices<i...> type;
};

constexpr size_t largest() { return 1; }
template <class... More>
constexpr size_t largest(size_t first, More... more) {
  return first > largest(more...) ? first : largest(more...);
}

constexpr bool any_of() { return false; }
template <class... More>
constexpr bool any_of(bool first, More... more) {
  return first || any_of(more...);
}

/// A body takes the sequences in place, and must not suspend.
struct TakenInPlace {
  template <class Field>
  struct Type {
    typedef typename Field::InPlace type;
  };
  typedef MustNotSuspend Guard;

  template <class Field>
  static typename Field::InPlace read(const char* from, size_t* at, size_t end, bool last) {
    return Field::read_in_place(from, at, end, last);
  }
  template <class Field>
  static typename Field::InPlace of_this_core(const typename Field::Held& held) {
    return Field::in_place(held);
  }
  static void all_read() {}
};

/// A body takes copies of the sequences, and may suspend.
struct TakenAsValues {
  template <class Field>
  struct Type {
    typedef typename Field::Owned type;
  };
  struct Guard {};

  template <class Field>
  static typename Field::Owned read(const char* from, size_t* at, size_t end, bool last) {
    return Field::read_owned(from, at, end, last);
  }
  template <class Field>
  static typename Field::Owned of_this_core(const typename Field::Held& held) {
    return Field::own(held);
  }
  static void all_read() { release_payload(); }
};

/// The layout of the fields in a message, and the way in which a body takes them.
template <class F, class... Fields>
class FieldCall {
  enum : bool {
    kTakesViews = is_callable<F, typename Fields::InPlace...>::value,
    kTakesValues = is_callable<F, typename Fields::Owned...>::value
  };
  static_assert(kTakesViews || kTakesValues,
                "the body of a delegate with a payload must take each argument of payload(): all "
                "sequences as views, such as StringView, or all as values, such as std::string");
  static_assert(WireSafe<F>::value && alignof(F) <= kRunAlignment, "");

 public:
  enum : bool { kInPlace = kTakesViews && any_of(bool{Fields::kIsSequence}...) };
  enum : size_t { kAlignment = largest(size_t{Fields::kAlignment}...) };
  typedef std::tuple<typename Fields::Held...> Held;

 private:
  typedef typename std::conditional<kInPlace, TakenInPlace, TakenAsValues>::type Taken;
  template <class Field>
  using Type = typename Taken::template Type<Field>::type;
  typedef typename MakeIndices<sizeof...(Fields)>::type All;

 public:
  typedef typename call_result<F, Type<Fields>...>::type Result;

  static size_t bytes(const Held& held) { return bytes_of(held, All()); }

  /// Writes bytes(held) bytes to `to`, which is aligned to kAlignment.
  static void write(char* to, const Held& held) { write_all(to, held, All()); }

  /// Calls the body with the fields of the running message.
  static Result call(F& body, const void* from, size_t bytes) {
    return call_with_fields(body, static_cast<const char*>(from), bytes, All());
  }

  /// Calls the body with a payload of this core. An exception that leaves the body aborts the job.
  static Result call_here(F& body, const Held& held) noexcept {
    return call_with_held(body, held, All());
  }

 private:
  enum : size_t { kLast = sizeof...(Fields) - 1 };

  template <size_t... i>
  static size_t bytes_of(const Held& held, Indices<i...>) {
    size_t at = 0;
    const bool in_order[] = {true, (at = Fields::end(std::get<i>(held), at, i == kLast), true)...};
    static_cast<void>(in_order);
    static_cast<void>(held);
    return at;
  }

  template <size_t... i>
  static void write_all(char* to, const Held& held, Indices<i...>) {
    size_t at = 0;
    const bool in_order[] = {true,
                             (at = Fields::write(to, at, std::get<i>(held), i == kLast), true)...};
    static_cast<void>(in_order);
    static_cast<void>(to);
    static_cast<void>(held);
    static_cast<void>(at);
  }

  template <size_t... i>
  static Result call_with_fields(F& body, const char* from, size_t bytes, Indices<i...>) {
    size_t at = 0;
    std::tuple<Type<Fields>...> fields{
        Taken::template read<Fields>(from, &at, bytes, i == kLast)...};  // in order
    static_cast<void>(from);
    static_cast<void>(fields);
    if (GRAPPA_UNLIKELY(at != bytes)) report_unread(type_signature<Held>(), bytes - at);
    Taken::all_read();
    return body(std::get<i>(std::move(fields))...);
  }

  template <size_t... i>
  static Result call_with_held(F& body, const Held& held, Indices<i...>) {
    const typename Taken::Guard until_return{};
    static_cast<void>(until_return);
    static_cast<void>(held);
    return body(Taken::template of_this_core<Fields>(std::get<i>(held))...);
  }
};

}}  // namespace Grappa::detail
