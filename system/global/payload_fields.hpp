#pragma once

/// The fields of a payload (payload.hpp): one for each argument of payload(), in their order.
///
///     | count, elements of a sequence | plain value | bytes, other value | ... | last field |
///
/// The elements of a sequence are aligned. The last field ends at the end of the message, so it has
/// no count. A value with a Serialize of the program is read from its own bytes only.

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
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

/// The bytes of a payload outside of a message, aligned as in a message.
class PayloadCopy {
 public:
  explicit PayloadCopy(size_t bytes)
      : data_(bytes <= kNearBytes ? near_ : static_cast<char*>(std::malloc(bytes))) {
    GRAPPA_CHECK(data_ != nullptr) << "out of memory for a payload of " << bytes << " bytes";
  }
  ~PayloadCopy() {
    if (data_ != near_) std::free(data_);
  }
  PayloadCopy(const PayloadCopy&) = delete;
  PayloadCopy& operator=(const PayloadCopy&) = delete;

  char* data() const { return data_; }

 private:
  enum : size_t { kNearBytes = 256 };  // not measured

  alignas(kRunAlignment) char near_[kNearBytes];
  char* const data_;
};

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
  static Owned own(View<T> held) { return held.copy(); }

  static size_t end(View<T> held, size_t at, bool last) {
    return align_up(last ? at : at + sizeof(uint32_t), kAlignment) + held.size() * sizeof(T);
  }
  static size_t write(char* to, size_t at, View<T> held, size_t all, bool last) {
    // False unless a size() before has returned different numbers for the same value.
    if (GRAPPA_UNLIKELY(end(held, at, last) > all)) {
      report_write_beyond(type_signature<View<T>>(), held.size() * sizeof(T), all - at);
    }
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
    GRAPPA_DCHECK(*at <= end && count <= (end - *at) / sizeof(T));
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
                "a pointer is not valid on another core: pass the object to payload(), or View(p, "
                "n) for an array");
  static_assert(!HoldsView<T>::value,
                "a container of views cannot be an argument of payload(), because the views would "
                "not outlive the message: pass strings or vectors");
  static_assert(CanSerialize<T>::value,
                "this type cannot be an argument of payload(): specialise Grappa::Serialize for "
                "it");
  static_assert(sizeof(T) <= kMaxClosureBytes,
                "a value of this size does not fit on the stacks of handlers (kMaxClosureBytes): "
                "use a std::vector");
  typedef const T* Held;
  typedef T InPlace;
  typedef T Owned;
  enum : bool { kIsSequence = false };
  enum : size_t { kAlignment = 1 };

  static const T* hold(const T& value) { return std::addressof(value); }
  static T own(const T* held) { return *held; }

  static size_t end(const T* held, size_t at, bool last) {
    return at + prefix_bytes(last) + Serialize<T>::size(*held);
  }
  static size_t write(char* to, size_t at, const T* held, size_t end, bool last) {
    Writer writer(to + at, end - at, type_signature<T>());
    const size_t bytes = Serialize<T>::size(*held);
    if (prefix_bytes(last) != 0) writer.count(bytes);
    at += prefix_bytes(last);
    // True if size() has returned different numbers for the same value.
    if (GRAPPA_UNLIKELY(bytes > end - at)) {
      report_write_beyond(type_signature<T>(), bytes, end - at);
    }
    write_checked(to + at, bytes, *held);
    return at + bytes;
  }
  static T read_in_place(const char* from, size_t* at, size_t end, bool last) {
    Reader reader(from + *at, end - *at, type_signature<T>());
    size_t bytes = HasFixedBytes<T>::value ? size_t{PlainSerialize<T>::kBytes} : reader.left();
    if (prefix_bytes(last) != 0) bytes = reader.count(1);
    const char* const begin = reader.bytes(bytes);
    *at = end - reader.left();
    return read_checked<T>(begin, bytes);
  }
  static T read_owned(const char* from, size_t* at, size_t end, bool last) {
    return read_in_place(from, at, end, last);
  }

 private:
  /// A number of bytes precedes a value, unless the type or the end of the message tells it.
  static constexpr size_t prefix_bytes(bool last) {
    return last || HasFixedBytes<T>::value ? 0 : sizeof(uint32_t);
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
  template <class Field>
  static typename Field::InPlace read(const char* from, size_t* at, size_t end, bool last) {
    return Field::read_in_place(from, at, end, last);
  }
  static void all_read() {}
};

/// A body takes copies of the sequences, and may suspend.
struct TakenAsValues {
  template <class Field>
  struct Type {
    typedef typename Field::Owned type;
  };

  template <class Field>
  static typename Field::Owned read(const char* from, size_t* at, size_t end, bool last) {
    return Field::read_owned(from, at, end, last);
  }
  static void all_read() { release_payload(); }
};

/// The layout of the fields in a message, and the way in which a body takes them.
template <class F, class... Fields>
class FieldCall {
  enum : bool {
    kTakesViews = is_callable<F, typename Fields::InPlace...>::value,
    // Not evaluated for a body that takes views: the body may be a template that is an error for
    // values.
    kTakesValues = std::conditional<kTakesViews, std::true_type,
                                    is_callable<F, typename Fields::Owned...>>::type::value
  };
  static_assert(kTakesValues,
                "the body of a delegate with a payload must take each argument of payload(): all "
                "sequences as views, such as StringView, or all as values, such as std::string. At "
                "an address, and for an entry, it first takes the object by reference");
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

  /// Writes `bytes` = bytes(held) bytes to `to`. Only reading in place needs an address that is
  /// aligned to kAlignment.
  static void write(char* to, size_t bytes, const Held& held) { write_all(to, bytes, held, All()); }

  /// Calls the body with the fields of the running message.
  static Result call(F& body, const void* from, size_t bytes) {
    return call_with_fields<Taken>(body, static_cast<const char*>(from), bytes, All());
  }

  /// Calls the body with fields that stay where they are until it returns. It must not suspend.
  static Result call_in_place(F& body, const void* from, size_t bytes) {
    return call_with_fields<Kept>(body, static_cast<const char*>(from), bytes, All());
  }

  /// Calls the body with a payload of this core. The views of a body refer to a copy, as on another
  /// core. An exception that leaves the body aborts the job.
  static Result call_here(F& body, const Held& held) noexcept {
    return call_with_copy(body, held, std::integral_constant<bool, kInPlace>());
  }

 private:
  enum : size_t { kLast = sizeof...(Fields) - 1 };

  struct Kept : Taken {
    static void all_read() {}
  };

  template <size_t... i>
  static size_t bytes_of(const Held& held, Indices<i...>) {
    size_t at = 0;
    const bool in_order[] = {true, (at = Fields::end(std::get<i>(held), at, i == kLast), true)...};
    static_cast<void>(in_order);
    static_cast<void>(held);
    return at;
  }

  template <size_t... i>
  static void write_all(char* to, size_t bytes, const Held& held, Indices<i...>) {
    size_t at = 0;
    const bool in_order[] = {
        true, (at = Fields::write(to, at, std::get<i>(held), bytes, i == kLast), true)...};
    static_cast<void>(in_order);
    static_cast<void>(to);
    static_cast<void>(held);
    if (GRAPPA_UNLIKELY(at != bytes)) report_size(type_signature<Held>(), bytes - at);
  }

  template <class As, size_t... i>
  static Result call_with_fields(F& body, const char* from, size_t bytes, Indices<i...>) {
    size_t at = 0;
    std::tuple<Type<Fields>...> fields{
        As::template read<Fields>(from, &at, bytes, i == kLast)...};  // in order
    static_cast<void>(from);
    static_cast<void>(fields);
    GRAPPA_DCHECK(at == bytes);
    As::all_read();
    return body(std::move(std::get<i>(fields))...);
  }

  static Result call_with_copy(F& body, const Held& held, std::true_type) {
    const size_t n = bytes(held);
    const PayloadCopy copy(n);
    write(copy.data(), n, held);
    const MustNotSuspend until_return;
    return call(body, copy.data(), n);
  }
  static Result call_with_copy(F& body, const Held& held, std::false_type) {
    return call_with_values(body, held, All());
  }

  template <size_t... i>
  static Result call_with_values(F& body, const Held& held, Indices<i...>) {
    static_cast<void>(held);
    return body(Fields::own(std::get<i>(held))...);
  }
};

}}  // namespace Grappa::detail
