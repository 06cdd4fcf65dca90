#include "system/global/delegate_body.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

// Each core has its own instances, at the same addresses.
Mutex lock_here;
int64_t inside = 0;
int64_t count = 0;

Core last_core() { return static_cast<Core>(cores() - 1); }

TEST(LockedBody, HoldsTheLockAtTheOwner) {
  for (Core core = 0; core < cores(); ++core) {
    const bool held = delegate::call(
        core, [] { return &lock_here; }, [] { return !lock_here.is_unlocked(); });
    EXPECT_TRUE(held);
    EXPECT_TRUE(is_unlocked(make_global(&lock_here, core)));
  }
}

TEST(LockedBody, AcceptsBodiesWithAndWithoutTheLock) {
  for (Core core = 0; core < cores(); ++core) {
    const auto pointer = [] { return &lock_here; };
    const auto reference = []() -> Mutex& { return lock_here; };
    EXPECT_EQ(&lock_here, delegate::call(core, pointer, [](Mutex* lock) { return lock; }));
    EXPECT_EQ(&lock_here, delegate::call(core, pointer, [](Mutex& lock) { return &lock; }));
    EXPECT_EQ(&lock_here, delegate::call(core, reference, [](Mutex* lock) { return lock; }));
    EXPECT_EQ(&lock_here, delegate::call(core, reference, [](Mutex& lock) { return &lock; }));
    EXPECT_EQ(core, delegate::call(core, reference, [] { return mycore(); }));
    EXPECT_TRUE(is_unlocked(make_global(&lock_here, core)));
  }
}

TEST(LockedBody, ExcludesOtherTasksAcrossSwitches) {
  delegate::call(last_core(), [] { count = 0; });
  forall(0, 500, [](int64_t) {
    delegate::call(
        last_core(), [] { return &lock_here; },
        [](Mutex*) {
          EXPECT_EQ(1, ++inside);
          const int64_t before = count;
          yield();
          delegate::call(0, [] {});
          count = before + 1;
          EXPECT_EQ(0, --inside);
        });
  });
  EXPECT_EQ(500, delegate::call(last_core(), [] { return count; }));
}

TEST(LockedBody, UnlocksBeforeTheCallReturns) {
  for (int k = 0; k < 100; ++k) {
    delegate::call(
        last_core(), [] { return &lock_here; }, [] { return 1; });
    ASSERT_TRUE(trylock(make_global(&lock_here, last_core())));
    unlock(make_global(&lock_here, last_core()));
  }
}

/// A lock type other than Mutex.
struct Door {
  int64_t closed = 0, opened = 0;
  void lock() { ++closed; }
  void unlock() { ++opened; }
};
Door door;

TEST(LockedBody, AcceptsAnyTypeWithLockAndUnlock) {
  int64_t k = 5;
  const int64_t inner = delegate::call(
      last_core(), [] { return &door; }, [k](Door& here) { return k + here.closed - here.opened; });
  EXPECT_EQ(6, inner);
  EXPECT_EQ(0, delegate::call(last_core(), [] { return door.closed - door.opened; }));
}

}  // namespace
