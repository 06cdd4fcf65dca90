#pragma once

/// What a suspended worker waits for, in one word: for reports, never for decisions.
///
/// Written with every suspension, so it must cost no more than a store: a kind, and 56 bits that
/// say which one: the address of the object on this core, or a core's number. Kinds of upper floors
/// are words here and nothing more; who prints a report knows what lies behind the addresses.

#include "system/base/ids.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class WaitReason {
 public:
  enum class Kind : uint8_t {
    None,         // it does not wait
    Mutex,        // to be unlocked
    Condition,    // a condition variable to be signalled
    Semaphore,    // units
    Full,         // a FullEmpty to be full
    Empty,        // a FullEmpty to be empty
    Event,        // a CompletionEvent to be completed
    Scope,        // a finish scope to be drained
    GlobalEvent,  // a GlobalCompletionEvent to be completed
    Delegate,     // an answer from a core
    Collective,   // the other cores
    Combiner,     // a flat-combined operation to be committed
    Buffer,       // a message buffer
    Time,         // its hour
    End,          // nothing: the job is about to end
    Other
  };

  constexpr WaitReason() : bits_(0) {}
  constexpr explicit WaitReason(Kind kind, uint64_t detail = 0)
      : bits_(static_cast<uint64_t>(kind) << kKindShift | detail) {}
  template <class T>
  WaitReason(Kind kind, const T* object) : WaitReason(kind, reinterpret_cast<uint64_t>(object)) {}

  Kind kind() const { return static_cast<Kind>(bits_ >> kKindShift); }
  uint64_t detail() const { return bits_ & ((uint64_t{1} << kKindShift) - 1); }
  const void* object() const { return reinterpret_cast<const void*>(detail()); }

  bool operator==(WaitReason other) const { return bits_ == other.bits_; }
  bool operator<(WaitReason other) const { return bits_ < other.bits_; }

 private:
  enum { kKindShift = 56 };

  uint64_t bits_;
};

}  // namespace detail
}  // namespace Grappa
