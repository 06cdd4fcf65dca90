/// Reference section "Synchronisation": operations on one core by member, pointer and reference.

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using namespace Grappa;

/// Yields until `count` other tasks have incremented `counter`. By then, a task that waits directly
/// after its increment is waiting.
void await(const int64_t& counter, int64_t count) {
  while (counter < count) yield();
}

/// The equivalent spellings of the operations on an object.
struct ByMember {
  static void lock(Mutex& m) { m.lock(); }
  static bool trylock(Mutex& m) { return m.trylock(); }
  static void unlock(Mutex& m) { m.unlock(); }
  static bool is_unlocked(Mutex& m) { return m.is_unlocked(); }
  static void wait(ConditionVariable& c) { c.wait(); }
  static void wait(ConditionVariable& c, Mutex& m) { c.wait(m); }
  static void signal(ConditionVariable& c) { c.signal(); }
  static void broadcast(ConditionVariable& c) { c.broadcast(); }
  static void signal_all(ConditionVariable& c) { c.signal_all(); }
  static void increment(Semaphore& s, int64_t n) { n == 1 ? s.increment() : s.increment(n); }
  static void decrement(Semaphore& s, int64_t n) { n == 1 ? s.decrement() : s.decrement(n); }
  static bool try_decrement(Semaphore& s, int64_t n) {
    return n == 1 ? s.try_decrement() : s.try_decrement(n);
  }
  static int64_t get_value(Semaphore& s) { return s.get_value(); }
};
struct ByAcquireAndRelease : ByMember {
  static void lock(Mutex& m) { m.acquire(); }
  static void unlock(Mutex& m) { m.release(); }
};
struct ByPointer {
  static void lock(Mutex& m) { Grappa::lock(&m); }
  static bool trylock(Mutex& m) { return Grappa::trylock(&m); }
  static void unlock(Mutex& m) { Grappa::unlock(&m); }
  static bool is_unlocked(Mutex& m) { return Grappa::is_unlocked(&m); }
  static void wait(ConditionVariable& c) { Grappa::wait(&c); }
  static void wait(ConditionVariable& c, Mutex& m) { Grappa::wait(&c, &m); }
  static void signal(ConditionVariable& c) { Grappa::signal(&c); }
  static void broadcast(ConditionVariable& c) { Grappa::broadcast(&c); }
  static void signal_all(ConditionVariable& c) { Grappa::signal_all(&c); }
  static void increment(Semaphore& s, int64_t n) {
    n == 1 ? Grappa::increment(&s) : Grappa::increment(&s, n);
  }
  static void decrement(Semaphore& s, int64_t n) {
    n == 1 ? Grappa::decrement(&s) : Grappa::decrement(&s, n);
  }
  static bool try_decrement(Semaphore& s, int64_t n) {
    return n == 1 ? Grappa::try_decrement(&s) : Grappa::try_decrement(&s, n);
  }
  static int64_t get_value(Semaphore& s) { return Grappa::get_value(&s); }
};
struct ByPointerToAcquireAndRelease : ByPointer {
  static void lock(Mutex& m) { Grappa::acquire(&m); }
  static void unlock(Mutex& m) { Grappa::release(&m); }
};
struct ByReference {
  static void lock(Mutex& m) { Grappa::lock(m); }
  static bool trylock(Mutex& m) { return Grappa::trylock(m); }
  static void unlock(Mutex& m) { Grappa::unlock(m); }
  static bool is_unlocked(Mutex& m) { return Grappa::is_unlocked(m); }
  static void wait(ConditionVariable& c) { Grappa::wait(c); }
  static void wait(ConditionVariable& c, Mutex& m) { Grappa::wait(c, m); }
  static void signal(ConditionVariable& c) { Grappa::signal(c); }
  static void broadcast(ConditionVariable& c) { Grappa::broadcast(c); }
  static void signal_all(ConditionVariable& c) { Grappa::signal_all(c); }
  static void increment(Semaphore& s, int64_t n) {
    n == 1 ? Grappa::increment(s) : Grappa::increment(s, n);
  }
  static void decrement(Semaphore& s, int64_t n) {
    n == 1 ? Grappa::decrement(s) : Grappa::decrement(s, n);
  }
  static bool try_decrement(Semaphore& s, int64_t n) {
    return n == 1 ? Grappa::try_decrement(s) : Grappa::try_decrement(s, n);
  }
  static int64_t get_value(Semaphore& s) { return Grappa::get_value(s); }
};
struct ByReferenceToAcquireAndRelease : ByReference {
  static void lock(Mutex& m) { Grappa::acquire(m); }
  static void unlock(Mutex& m) { Grappa::release(m); }
};

template <class Way>
class Sync : public testing::Test {};
typedef testing::Types<ByMember, ByAcquireAndRelease, ByPointer, ByPointerToAcquireAndRelease,
                       ByReference, ByReferenceToAcquireAndRelease>
    Ways;
TYPED_TEST_SUITE(Sync, Ways);

TYPED_TEST(Sync, MutexTrylockAndIsUnlocked) {
  Mutex mutex;
  EXPECT_TRUE(TypeParam::is_unlocked(mutex));
  EXPECT_TRUE(TypeParam::trylock(mutex));
  EXPECT_FALSE(TypeParam::is_unlocked(mutex));
  EXPECT_FALSE(TypeParam::trylock(mutex));
  TypeParam::unlock(mutex);
  EXPECT_TRUE(TypeParam::is_unlocked(mutex));
}

TYPED_TEST(Sync, MutexLockAndUnlock) {
  Mutex mutex;
  std::vector<int> order;
  int64_t started = 0;
  finish([&] {
    TypeParam::lock(mutex);
    for (int k = 0; k < 5; ++k) {
      spawn([&mutex, &order, &started, k] {
        ++started;
        TypeParam::lock(mutex);
        yield();
        order.push_back(k);
        yield();
        order.push_back(k);
        TypeParam::unlock(mutex);
      });
    }
    await(started, 5);
    EXPECT_TRUE(order.empty());
    TypeParam::unlock(mutex);
  });
  ASSERT_EQ(10u, order.size());
  for (size_t k = 0; k < 10; k += 2) EXPECT_EQ(order[k], order[k + 1]) << "exclusive";
  EXPECT_TRUE(TypeParam::is_unlocked(mutex));
}

TYPED_TEST(Sync, ConditionVariableSignal) {
  ConditionVariable condition;
  int64_t started = 0, woken = 0;
  finish([&] {
    TypeParam::signal(condition);  // lost, because no task waits
    for (int k = 0; k < 3; ++k) {
      spawn([&] {
        ++started;
        TypeParam::wait(condition);
        ++woken;
      });
    }
    await(started, 3);
    for (int64_t k = 0; k < 3; ++k) {
      EXPECT_EQ(k, woken);
      TypeParam::signal(condition);
      await(woken, k + 1);
    }
  });
  EXPECT_EQ(3, woken);
}

TYPED_TEST(Sync, ConditionVariableBroadcastAndSignalAll) {
  for (const bool by_signal_all : {false, true}) {
    ConditionVariable condition;
    int64_t started = 0, woken = 0;
    finish([&] {
      for (int k = 0; k < 3; ++k) {
        spawn([&] {
          ++started;
          TypeParam::wait(condition);
          ++woken;
        });
      }
      await(started, 3);
      EXPECT_EQ(0, woken);
      by_signal_all ? TypeParam::signal_all(condition) : TypeParam::broadcast(condition);
    });
    EXPECT_EQ(3, woken);
  }
}

TYPED_TEST(Sync, ConditionVariableWithMutex) {
  Mutex mutex;
  ConditionVariable changed;
  int64_t turn = 0;
  finish([&] {
    for (int64_t k = 2; k >= 0; --k) {
      spawn([&mutex, &changed, &turn, k] {
        TypeParam::lock(mutex);
        while (turn != k) TypeParam::wait(changed, mutex);
        EXPECT_FALSE(TypeParam::is_unlocked(mutex)) << "wait() acquires the lock again";
        yield();
        ++turn;
        TypeParam::broadcast(changed);
        TypeParam::unlock(mutex);
      });
    }
  });
  EXPECT_EQ(3, turn);
  EXPECT_TRUE(TypeParam::is_unlocked(mutex));
}

TYPED_TEST(Sync, SemaphoreUnits) {
  Semaphore semaphore(3);
  CountingSemaphore none;  // another name of Semaphore
  EXPECT_EQ(0, TypeParam::get_value(none));
  EXPECT_EQ(3, TypeParam::get_value(semaphore));
  EXPECT_FALSE(TypeParam::try_decrement(semaphore, 4));
  EXPECT_TRUE(TypeParam::try_decrement(semaphore, 2));
  EXPECT_TRUE(TypeParam::try_decrement(semaphore, 1));
  EXPECT_FALSE(TypeParam::try_decrement(semaphore, 1));
  TypeParam::increment(semaphore, 1);
  TypeParam::increment(semaphore, 5);
  TypeParam::decrement(semaphore, 1);
  TypeParam::decrement(semaphore, 2);
  EXPECT_EQ(3, TypeParam::get_value(semaphore));
}

TYPED_TEST(Sync, SemaphoreWaits) {
  Semaphore semaphore(0);
  int64_t started = 0, inside = 0;
  finish([&] {
    for (const int64_t units : {2, 1}) {
      spawn([&semaphore, &started, &inside, units] {
        ++started;
        TypeParam::decrement(semaphore, units);
        inside += units;
      });
    }
    await(started, 2);
    TypeParam::increment(semaphore, 1);
    yield();  // woken tasks run
    EXPECT_EQ(0, inside) << "the first waiting task needs two";
    TypeParam::increment(semaphore, 2);
  });
  EXPECT_EQ(3, inside);
  EXPECT_EQ(0, TypeParam::get_value(semaphore));
}

/// The value of the FullEmpty tests, whose size is not a power of two.
struct Triple {
  Triple() = default;
  Triple(int64_t all) : a(all), b(all), c(all) {}  // NOLINT: so that tests write numbers
  bool operator==(const Triple& other) const {
    return a == other.a && b == other.b && c == other.c;
  }
  int64_t a = 0, b = 0, c = 0;
};
typedef FullEmpty<Triple> Cell;

struct CellByMember {
  static Triple readFF(Cell& c) { return c.readFF(); }
  static Triple readFE(Cell& c) { return c.readFE(); }
  static Triple readXX(Cell& c) { return c.readXX(); }
  static void writeEF(Cell& c, Triple v) { c.writeEF(v); }
  static void writeFF(Cell& c, Triple v) { c.writeFF(v); }
  static void writeXF(Cell& c, Triple v) { c.writeXF(v); }
  static bool full(Cell& c) { return c.full(); }
  static bool empty(Cell& c) { return c.empty(); }
  static void reset(Cell& c) { c.reset(); }
};
#define CELL_OPERATIONS_BY(way, argument)                                    \
  struct way {                                                               \
    static Triple readFF(Cell& c) { return Grappa::readFF(argument); }       \
    static Triple readFE(Cell& c) { return Grappa::readFE(argument); }       \
    static Triple readXX(Cell& c) { return Grappa::readXX(argument); }       \
    static void writeEF(Cell& c, Triple v) { Grappa::writeEF(argument, v); } \
    static void writeFF(Cell& c, Triple v) { Grappa::writeFF(argument, v); } \
    static void writeXF(Cell& c, Triple v) { Grappa::writeXF(argument, v); } \
    static bool full(Cell& c) { return Grappa::full(argument); }             \
    static bool empty(Cell& c) { return Grappa::empty(argument); }           \
    static void reset(Cell& c) { Grappa::reset(argument); }                  \
  }
CELL_OPERATIONS_BY(CellByPointer, &c);
CELL_OPERATIONS_BY(CellByReference, c);
CELL_OPERATIONS_BY(CellByGlobalAddress, make_global(&c));

template <class Way>
class FullEmptyOperations : public testing::Test {};
typedef testing::Types<CellByMember, CellByPointer, CellByReference, CellByGlobalAddress> CellWays;
TYPED_TEST_SUITE(FullEmptyOperations, CellWays);

TYPED_TEST(FullEmptyOperations, WithoutWaiting) {
  Cell cell;
  EXPECT_TRUE(TypeParam::empty(cell));
  EXPECT_FALSE(TypeParam::full(cell));
  TypeParam::writeEF(cell, 1);
  EXPECT_TRUE(TypeParam::full(cell));
  EXPECT_EQ(Triple(1), TypeParam::readFF(cell));
  EXPECT_TRUE(TypeParam::full(cell)) << "readFF leaves the cell full";
  TypeParam::writeFF(cell, 2);
  EXPECT_EQ(Triple(2), TypeParam::readFE(cell));
  EXPECT_TRUE(TypeParam::empty(cell)) << "readFE empties the cell";
  EXPECT_EQ(Triple(2), TypeParam::readXX(cell)) << "the cell keeps the value";
  TypeParam::writeXF(cell, 3);
  TypeParam::writeXF(cell, 4);
  EXPECT_TRUE(TypeParam::full(cell));
  EXPECT_EQ(Triple(4), TypeParam::readXX(cell));
  TypeParam::reset(cell);
  EXPECT_TRUE(TypeParam::empty(cell));
  Cell begun(Triple(9));
  EXPECT_EQ(Triple(9), TypeParam::readFE(begun));
}

TYPED_TEST(FullEmptyOperations, WaitForTheRequestedState) {
  Cell cell;
  int64_t started = 0, done = 0;
  finish([&] {
    spawn([&] {
      ++started;
      TypeParam::readFF(cell);
      ++done;
    });
    spawn([&] {
      ++started;
      TypeParam::writeFF(cell, 20);
      ++done;
    });
    await(started, 2);
    EXPECT_EQ(0, done) << "both tasks wait until the cell is full";
    TypeParam::writeEF(cell, 10);
    await(done, 2);
    EXPECT_EQ(Triple(20), TypeParam::readXX(cell));
    spawn([&] {
      ++started;
      TypeParam::writeEF(cell, 30);
      ++done;
    });
    await(started, 3);
    EXPECT_EQ(2, done) << "the writer waits until the cell is empty";
    EXPECT_EQ(Triple(20), TypeParam::readFE(cell));
    EXPECT_EQ(Triple(30), TypeParam::readFE(cell));
    spawn([&] {
      ++started;
      EXPECT_EQ(Triple(40), TypeParam::readFE(cell));
      ++done;
    });
    await(started, 4);
    TypeParam::writeXF(cell, 40);
  });
  EXPECT_EQ(4, done);
  EXPECT_TRUE(TypeParam::empty(cell));
}

TEST(FullEmpty, HoldsAnyCopyableType) {
  FullEmpty<std::string> text;
  spawn([&text] { writeEF(&text, "written by another task"); });
  EXPECT_EQ("written by another task", text.readFE());
}

}  // namespace
