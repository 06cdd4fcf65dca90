#include "system/tasking/stack.hpp"

#include "system/base/bits.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#if GRAPPA_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace Grappa {
namespace {

/// A guard splits a mapping in two, and Linux allows 65,530 mappings by default; the rest of the
/// process needs a few hundred.
constexpr int kGuardedStacks = 30000;

/// A frame may be larger than a page (closures of several KiB are copied onto the stack), and must
/// not step over the guard.
constexpr size_t kGuardBytes = 64 * KiB;

int guarded_stacks = 0;

}  // namespace

Stack::Stack(size_t bytes)
    : mapped_bytes_(align_up(bytes, page_bytes()) + kGuardBytes), guard_bytes_(kGuardBytes) {
  base_ = static_cast<char*>(map_private(mapped_bytes_));
  if (guarded_stacks < kGuardedStacks && protect_guard(base_, guard_bytes_)) {
    ++guarded_stacks;
  } else {
    guard_bytes_ = 0;
  }
}

Stack::~Stack() {
  if (guard_bytes_ != 0) --guarded_stacks;
#if GRAPPA_ASAN
  // What the frames of abandoned tasks have poisoned must not outlive them.
  __asan_unpoison_memory_region(bottom(), bytes());
#endif
  unmap(base_, mapped_bytes_);
}

}  // namespace Grappa
