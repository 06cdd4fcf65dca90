#pragma once

/// Compiler extensions: branch hints, inlining, prefetch, and the sanitizer of this source.

#define GRAPPA_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define GRAPPA_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define GRAPPA_NOINLINE __attribute__((noinline))
#define GRAPPA_ALWAYS_INLINE inline __attribute__((always_inline))

#define GRAPPA_PURE __attribute__((pure))  // no side effects: callers keep values in registers

/// True if the compiler can prove here that the condition holds.
#define GRAPPA_KNOWN(condition) (__builtin_constant_p(condition) && (condition))

/// Prefetch for writing, and for reading. To g++, a prefetch has no effect: if a function does
/// nothing else, g++ 12 removes calls of the function that it does not inline early. The empty asm
/// statement keeps these calls.
#define GRAPPA_PREFETCH(address) (__builtin_prefetch(address, 1), ::Grappa::detail::keep_caller())
#define GRAPPA_PREFETCH_TO_READ(address) \
  (__builtin_prefetch(address), ::Grappa::detail::keep_caller())

namespace Grappa { namespace detail {

GRAPPA_ALWAYS_INLINE void keep_caller() { __asm__ volatile(""); }

}}  // namespace Grappa::detail

#if defined(__has_feature)
#define GRAPPA_HAS_FEATURE(feature) __has_feature(feature)
#else
#define GRAPPA_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || GRAPPA_HAS_FEATURE(address_sanitizer)
#define GRAPPA_ASAN 1
#define GRAPPA_NO_ASAN __attribute__((no_sanitize("address")))
#else
#define GRAPPA_ASAN 0
#define GRAPPA_NO_ASAN
#endif

#if defined(__SANITIZE_THREAD__) || GRAPPA_HAS_FEATURE(thread_sanitizer)
#define GRAPPA_TSAN 1
#else
#define GRAPPA_TSAN 0
#endif
