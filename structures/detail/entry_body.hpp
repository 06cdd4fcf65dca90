#pragma once

/// A body that runs on the entry of a key at its owner: `body(value, fields...)`, with the fields
/// of a payload.

#include "structures/detail/byte_forms.hpp"
#include "system/base/traits.hpp"
#include "system/base/view.hpp"
#include "system/global/payload.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/serialize.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace Grappa { namespace detail {

/// The result of `body(value, fields...)` for a value of type V.
template <class V, class F, class... Fields>
struct EntryResult {
  typedef typename ValueIn<V, F, 0>::type Value;
  typedef typename FieldCall<AtObjectWith<Value, F>, Fields...>::Result type;
};

/// The body as the argument of an operation: its bytes, then the fields.
template <class V, class F, class... Fields>
class EntryBody {
  typedef typename EntryResult<V, F, Fields...>::Value Value;
  typedef AtObjectWith<Value, F> Bound;
  typedef FieldCall<Bound, Fields...> Call;

 public:
  typedef typename Call::Result Result;
  enum : bool { kChanges = std::is_same<Value, V>::value };  // false if it takes a StringView

  static std::string bytes(const F& body, const Payload<Fields...>& with) {
    static_assert(WireSafe<F>::value, "");
    check_closure(body);
    const size_t n = Call::bytes(with.held());
    std::string bytes(reinterpret_cast<const char*>(&body), sizeof(F));
    bytes.resize(sizeof(F) + n);
    Call::write(&bytes[sizeof(F)], n, with.held());
    return bytes;
  }

  explicit EntryBody(View<char> bytes)
      : body_(copy_plain<F>(bytes.data())),
        fields_(bytes.data() + sizeof(F), bytes.size() - sizeof(F)) {}

  Result operator()(Value& value) {
    Bound bound(&value, body_);
    if (reinterpret_cast<uintptr_t>(fields_.data()) % Call::kAlignment == 0) {
      return Call::call_in_place(bound, fields_.data(), fields_.size());
    }
    const PayloadCopy aligned(fields_.size());
    std::memcpy(aligned.data(), fields_.data(), fields_.size());
    return Call::call_in_place(bound, aligned.data(), fields_.size());
  }

 private:
  F body_;
  View<char> fields_;
};

}}  // namespace Grappa::detail
