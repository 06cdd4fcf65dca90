#pragma once

/// What the compiler owes us beyond the language: branch hints, inlining, prefetch, and which
/// sanitizer this translation unit is built with.

#define GRAPPA_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define GRAPPA_NOINLINE __attribute__((noinline))

#if defined(__SANITIZE_ADDRESS__)
#define GRAPPA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GRAPPA_ASAN 1
#endif
#endif
#ifndef GRAPPA_ASAN
#define GRAPPA_ASAN 0
#endif
