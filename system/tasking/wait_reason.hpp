#pragma once

/// The reason why a worker is suspended, in one word. Used only in reports, never for decisions.
///
/// Each suspension writes the reason, so writing must cost only one store. The word holds a kind
/// and 56 bits of detail: the address of an object on this core, or the number of a core. This
/// layer does not interpret kinds of higher layers; the reporting code interprets the addresses.

#include "system/base/ids.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class WaitReason {
 public:
  enum class Kind : uint8_t {
    None,         // the worker does not wait
    Mutex,        // a mutex to be unlocked
    Condition,    // a condition variable to be signalled
    Semaphore,    // units of a semaphore
    Full,         // a FullEmpty to be full
    Empty,        // a FullEmpty to be empty
    Event,        // a CompletionEvent to be completed
    Scope,        // a finish scope to be drained
    GlobalEvent,  // a GlobalCompletionEvent to be completed
    Delegate,     // a reply from a core
    Collective,   // the other cores in a collective
    Combiner,     // the commit of a flat-combined operation
    Buffer,       // a free message buffer
    Time,         // a deadline
    End,          // the end of the job
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
