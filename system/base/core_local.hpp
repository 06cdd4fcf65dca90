#pragma once

/// A pointer to an object of which each core has its own. Only the thread of the core may use it.
///
///     GRAPPA_CORE_LOCAL(Running*) the_scheduler = GRAPPA_ABSENT(Running);
///
/// The constructor of the object sets the pointer, and the destructor resets it to GRAPPA_ABSENT. A
/// call from another thread, before init, or after finalize is a call on an absent object: it
/// faults at a reserved address, and runtime/ reports the error. An access is one instruction with
/// a segment prefix, or two instructions if Grappa is a shared library.

#include <cstdint>

#if defined(GRAPPA_SHARED)
#define GRAPPA_CORE_LOCAL(type) __thread type __attribute__((tls_model("initial-exec")))
#else
#define GRAPPA_CORE_LOCAL(type) __thread type __attribute__((tls_model("local-exec")))
#endif
#if defined(__clang__)  // clang rejects a constant initializer of a template member
#define GRAPPA_CORE_LOCAL_MEMBER(type) thread_local type
#else
#define GRAPPA_CORE_LOCAL_MEMBER(type) GRAPPA_CORE_LOCAL(type)
#endif

/// The address of absent objects. Linux maps nothing below 64 KiB, and few objects exceed 32 KiB.
#define GRAPPA_ABSENT(type) reinterpret_cast<type*>(uintptr_t{0x8000})

namespace Grappa { namespace detail {

template <class T>
bool is_absent(const T* object) {
  return object == GRAPPA_ABSENT(const T);
}

/// Returns true if `address` is inside an absent object, which indicates an invalid call.
inline bool in_absent_object(const void* address) {
  return reinterpret_cast<uintptr_t>(address) / 0x8000 == 1;
}

}}  // namespace Grappa::detail
