#pragma once

/// A reduction for tasks of all cores that need the result together. New code uses allreduce().

#include "system/base/check.hpp"
#include "system/parallel/collective.hpp"

namespace Grappa {

/// One object on each core. `init` is combined once per core, so it should be the identity of `op`.
template <class T, T (*op)(const T&, const T&)>
class AllReducer {
 public:
  explicit AllReducer(T init) : init_(init), value_(init) {}

  /// Resets the value of this core.
  void reset() {
    value_ = init_;
    finished_ = false;
  }

  void accumulate(T value) {
    GRAPPA_CHECK(!finished_) << "accumulate after finish: call reset first";
    value_ = op(value_, value);
  }

  /// The combined values of all cores. A second call returns the same value without messages. From:
  /// one task of every core. Suspends: until all cores have called. Messages: like allreduce.
  T finish() {
    if (!finished_) value_ = allreduce<T, op>(value_);
    finished_ = true;
    return value_;
  }

 private:
  const T init_;
  T value_;
  bool finished_ = false;
};

}  // namespace Grappa
