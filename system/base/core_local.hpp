#pragma once

/// What a core has one of, seen by the core's own thread only, and only while it exists.
///
///     extern GRAPPA_CORE_LOCAL(Scheduler*) the_scheduler;
///     GRAPPA_CORE_LOCAL(Scheduler*) the_scheduler = GRAPPA_ABSENT(Scheduler);
///
/// The constructor of the object makes the pointer show it, the destructor makes it absent again.
/// To every other thread it is absent always. A call into an absent object faults, at an address
/// that nothing else has, and runtime/ says in a sentence what was wrong: so calls from another
/// thread, before init or after finalize are found, and a right call pays nothing. Access is one
/// instruction with a segment prefix, as the program's linker knows the place; two instructions if
/// Grappa is a shared library.

#include <cstdint>

#if defined(GRAPPA_SHARED)
#define GRAPPA_CORE_LOCAL(type) __thread type __attribute__((tls_model("initial-exec")))
#else
#define GRAPPA_CORE_LOCAL(type) __thread type __attribute__((tls_model("local-exec")))
#endif
#if defined(__clang__)  // sees too late that the first value of a template's member is constant
#define GRAPPA_CORE_LOCAL_MEMBER(type) thread_local type
#else
#define GRAPPA_CORE_LOCAL_MEMBER(type) GRAPPA_CORE_LOCAL(type)
#endif

/// Where absent objects are: Linux maps nothing below 64 KiB, and few objects reach that far.
#define GRAPPA_ABSENT(type) reinterpret_cast<type*>(uintptr_t{0x8000})

namespace Grappa {
namespace detail {

template <class T>
bool is_absent(const T* object) {
  return object == GRAPPA_ABSENT(const T);
}

/// True for addresses in an absent object: the mark of a call that was not allowed.
inline bool in_absent_object(const void* address) {
  const uintptr_t place = reinterpret_cast<uintptr_t>(address);
  return place >= 0x8000 && place < 0x10000;
}

}  // namespace detail
}  // namespace Grappa
