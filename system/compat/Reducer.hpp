#pragma once

/// A header name that existing Grappa programs include, and Max and Min reducers for types that are
/// not numbers but have < and >.

#include "system/compat/global_names.hpp"
#include "system/parallel/reduce.hpp"

namespace Grappa {
namespace detail {

template <class T, ReducerType R>
class ReducerOf<T, R, false> {
  static_assert(R == ReducerType::Max || R == ReducerType::Min,
                "a Reducer of a type that is not a number must be of type Max or Min");

 public:
  constexpr ReducerOf() : local_() {}
  ReducerOf(const ReducerOf&) = delete;
  ReducerOf& operator=(const ReducerOf&) = delete;

  /// The reduced value of all cores, or T() if no core has accumulated a value.
  operator T() const { return reduce<Any, &combine>(&local_).value; }
  void operator=(const T& value) {  // NOLINT(misc-unconventional-assign-operator)
    reset();
    accumulate(value);
  }
  void reset() {
    check_on_all_cores(this);
    ReducerOf* const self = this;
    on_all_cores([self] { self->local_ = Any(); });
  }
  const T& local() const { return local_.value; }

 protected:
  void accumulate(const T& value) { local_ = combine(local_, Any{value, true}); }

 private:
  struct Any {
    T value;
    bool is_there;
  };
  static Any combine(const Any& a, const Any& b) {
    if (!a.is_there || !b.is_there) return a.is_there ? a : b;
    return (R == ReducerType::Max ? b.value > a.value : b.value < a.value) ? b : a;
  }

  Any local_;
};

}  // namespace detail

/// A value with an id. Reducers compare the values `elem`.
template <class Id, class Cmp>
class CmpElement {
 public:
  constexpr CmpElement() : id_(), elem_() {}
  CmpElement(Id id, Cmp elem) : id_(id), elem_(elem) {}
  Id idx() const { return id_; }
  Cmp elem() const { return elem_; }
  bool operator<(const CmpElement& other) const { return elem_ < other.elem_; }
  bool operator>(const CmpElement& other) const { return elem_ > other.elem_; }

 private:
  Id id_;
  Cmp elem_;
};

// Reductions of the values of all cores. The argument is the object or its address.
#define GRAPPA_COMBINE_SYMMETRIC(name, op) \
  template <class T>                       \
  T name(SimpleSymmetric<T>& object) {     \
    return reduce<T, op>(&object.local()); \
  }                                        \
  template <class T>                       \
  T name(SimpleSymmetric<T>* object) {     \
    return name(*object);                  \
  }
GRAPPA_COMBINE_SYMMETRIC(all, collective_and)
GRAPPA_COMBINE_SYMMETRIC(any, collective_or)
GRAPPA_COMBINE_SYMMETRIC(sum, collective_add)
#undef GRAPPA_COMBINE_SYMMETRIC

/// Sets the value of every core.
template <class T, class U>
void set(SimpleSymmetric<T>& object, const U& value) {
  object = static_cast<T>(value);
}
template <class T, class U>
void set(SimpleSymmetric<T>* object, const U& value) {
  set(*object, value);
}

}  // namespace Grappa

using Grappa::AllReducer;
