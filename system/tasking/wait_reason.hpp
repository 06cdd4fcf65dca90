#pragma once

/// The reason why a worker is suspended, in one word: for reports, and for the limit on tasks.
///
/// Each suspension writes the reason, so writing must cost only one store. The word holds a kind,
/// the source of the wake-up, and 56 bits of detail: the address of an object on this core, or the
/// number of a core. This layer does not interpret kinds of higher layers; the reporting code
/// interprets the addresses.

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
    Transfer,     // replies from several cores
    Collective,   // the other cores in a collective
    Combiner,     // the commit of a flat-combined operation
    Buffer,       // a free message buffer
    Time,         // a deadline
    End,          // the end of the job
    Other
  };

  /// The source of the wake-up.
  enum class Source : uint8_t {
    OwnCore,    // a task of this core, as far as is known
    OtherCore,  // another core: a standstill is no sign of too few workers
    Buffer      // a buffer that comes back: helper tasks would only wait for the next one
  };

  constexpr WaitReason() : bits_(0) {}
  constexpr explicit WaitReason(Kind kind, uint64_t detail = 0)
      : bits_(static_cast<uint64_t>(source_of(kind)) << kSourceShift |
              static_cast<uint64_t>(kind) << kKindShift | detail) {}
  template <class T>
  WaitReason(Kind kind, const T* object) : WaitReason(kind, reinterpret_cast<uint64_t>(object)) {}

  Kind kind() const { return static_cast<Kind>(bits_ >> kKindShift & 63); }
  Source source() const { return static_cast<Source>(bits_ >> kSourceShift); }
  uint64_t detail() const { return bits_ & ((uint64_t{1} << kKindShift) - 1); }
  const void* object() const { return reinterpret_cast<const void*>(detail()); }

  bool operator==(WaitReason other) const { return bits_ == other.bits_; }
  bool operator<(WaitReason other) const { return bits_ < other.bits_; }

 private:
  enum { kKindShift = 56, kSourceShift = 62 };

  static constexpr Source source_of(Kind kind) {
    return kind == Kind::Delegate || kind == Kind::Transfer || kind == Kind::Collective
               ? Source::OtherCore
           : kind == Kind::Buffer ? Source::Buffer
                                  : Source::OwnCore;
  }

  uint64_t bits_;
};

}  // namespace detail
}  // namespace Grappa
