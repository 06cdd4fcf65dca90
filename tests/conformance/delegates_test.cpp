/// Reference section "Delegates": blocking delegates.

#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <vector>

using namespace conformance;

namespace {

// Each core has its own instances.
int64_t word;
double real;
bool flag;
Triple triple;
Record record;
Mutex mutex;
int64_t inside;

/// Runs `body(core)` on every core, for that core, the next core and the last core.
template <class F>
void from_all_cores(F body) {
  on_all_cores([body] {
    for (const Core core : some_cores()) body(core);
  });
}

struct WhereAmI {
  Core operator()() const { return mycore(); }
};
int64_t twice_my_core() { return 2 * mycore(); }

TEST(Delegates, CallOnCore) {
  from_all_cores([](Core core) {
    const Triple sent = sample<Triple>(core + 1);
    EXPECT_EQ(core, delegate::call(core, WhereAmI()));
    EXPECT_EQ(2 * core, delegate::call(core, twice_my_core));
    EXPECT_EQ(sent.a + sent.c, delegate::call(core, [sent] { return sent.a + sent.c; }));
    EXPECT_EQ(0.5 + core, delegate::call(core, [] { return 0.5 + mycore(); }));
    EXPECT_EQ(core % 2 == 1, delegate::call(core, [] { return mycore() % 2 == 1; }));
    EXPECT_EQ(sent, delegate::call(core, [] { return sample<Triple>(mycore() + 1); }));
    EXPECT_EQ(sample<Record>(core), delegate::call(core, [] { return sample<Record>(mycore()); }));
    delegate::call(core, [] {});  // returns nothing
  });
}

TEST(Delegates, CallByReference) {
  from_all_cores([](Core core) {
    const auto there = make_global(&triple, core);
    const auto caller = mycore();
    // No other code runs at the owner during the body.
    const bool same = delegate::call(there, [caller, core](Triple& mine) {
      mine = sample<Triple>(caller);
      return mycore() == core && mine == sample<Triple>(caller);
    });
    EXPECT_TRUE(same);
    EXPECT_EQ(core, delegate::call(there, [](const Triple&) { return mycore(); }));
  });
}

TEST(Delegates, CallByPointer) {
  from_all_cores([](Core core) {
    const auto there = make_global(&record, core);
    EXPECT_EQ(&record, delegate::call(there, [](Record* mine) { return mine; }));
    delegate::call(there, [](Record* mine) { *mine = sample<Record>(mycore()); });
    EXPECT_TRUE(
        delegate::call(there, [](Record* mine) { return *mine == sample<Record>(mycore()); }));
  });
}

TEST(Delegates, CallOfArray) {
  const auto records = sample_array<Record>(40);
  on_all_cores([records] {
    for (int64_t k = mycore(); k < 40; k += cores()) {
      delegate::call(records + k, [k](Record& mine) {
        EXPECT_EQ(sample<Record>(k), mine);
        mine.weight = -1;
      });
    }
  });
  for (int64_t k = 0; k < 40; ++k) {
    EXPECT_EQ(-1, delegate::call(records + k, [](Record* mine) { return mine->weight; }));
  }
  global_free(records);
}

TEST(Delegates, CallSuspends) {
  // A body may suspend and call other cores, also its caller.
  from_all_cores([](Core core) {
    const Core caller = mycore();
    const int64_t sum = delegate::call(core, [caller] {
      yield();
      return mycore() + delegate::call(caller, [] {
               yield();
               return delegate::call(last_core(), [] { return 100 * mycore(); });
             });
    });
    EXPECT_EQ(core + 100 * last_core(), sum);
  });
}

TEST(Delegates, CallWithMutex) {
  delegate::call(last_core(), [] { word = 0; });
  on_all_cores([] {
    for (int k = 0; k < 10; ++k) {
      spawn([] {
        delegate::call(
            last_core(), [] { return &mutex; },
            [] {
              EXPECT_EQ(1, ++inside);
              const int64_t before = word;
              yield();
              delegate::call(next_core(), [] { yield(); });
              word = before + 1;
              EXPECT_EQ(0, --inside);
            });
      });
    }
  });
  EXPECT_EQ(10 * cores(), delegate::call(last_core(), [] { return word; }));
}

TEST(Delegates, CallWithMutexBodies) {
  from_all_cores([](Core core) {
    const auto lock = [] { return &mutex; };
    EXPECT_EQ(core, delegate::call(core, lock, [] { return mycore(); }));
    EXPECT_EQ(&mutex, delegate::call(core, lock, [](Mutex* held) { return held; }));
    EXPECT_FALSE(delegate::call(core, lock, [](Mutex& held) { return held.is_unlocked(); }));
    EXPECT_EQ(core, delegate::call(
                        core, []() -> Mutex& { return mutex; }, [] { return mycore(); }));
  });
  on_all_cores([] { EXPECT_TRUE(mutex.is_unlocked()); });
}

TEST(Delegates, PendingCalls) {
  on_all_cores([] {
    int64_t sum = 0;
    finish([&sum] {
      for (int64_t k = 0; k < 40; ++k) {
        spawn([&sum, k] {
          const Core core = static_cast<Core>(k % cores());
          sum += delegate::call(core, [k] { return 10 * k; });
        });
      }
    });
    EXPECT_EQ(10 * 39 * 40 / 2, sum);
  });
}

/// Expects that a read returns the written value. Each caller uses different values.
template <class T>
void write_and_read(GlobalAddress<T> there, int64_t k) {
  delegate::write(there, sample<T>(k));
  EXPECT_EQ(sample<T>(k), delegate::read(there));
  delegate::write(there, sample<T>(k + 1));
  EXPECT_EQ(sample<T>(k + 1), delegate::read(there));
}

TEST(Delegates, ReadAndWrite) {
  for (const Core core : some_cores()) {
    write_and_read(make_global(&word, core), core);
    write_and_read(make_global(&real, core), core);
    write_and_read(make_global(&flag, core), core);
    write_and_read(make_global(&triple, core), core);
    write_and_read(make_global(&record, core), core);
    delegate::write(make_global(&real, core), 7);  // converts the value
    EXPECT_EQ(7.0, delegate::read(make_global(&real, core)));
  }
  const auto bits = global_alloc<bool>(150);
  on_all_cores([bits] {
    for (int64_t k = mycore(); k < 150; k += cores()) delegate::write(bits + k, k % 7 == 3);
  });
  on_all_cores([bits] {
    const std::vector<bool> read = read_all(bits, 150);
    for (size_t k = 0; k < 150; ++k) EXPECT_EQ(k % 7 == 3, read[k]) << k;
  });
  global_free(bits);
}

TEST(Delegates, FetchAndAdd) {
  const int64_t each = 20;
  const auto seen = global_alloc<int64_t>(static_cast<size_t>(3 * each * cores()));
  Grappa::memset(seen, 0, 3 * each * cores());
  for (const Core core : some_cores()) {
    const auto there = make_global(&word, core);
    delegate::write(there, 0);
    Grappa::memset(seen, 0, each * cores());
    on_all_cores([there, seen] {
      for (int64_t k = 0; k < each; ++k) {
        delegate::increment(seen + delegate::fetch_and_add(there, 1), 1);
      }
    });
    EXPECT_EQ(each * cores(), delegate::read(there));
    EXPECT_EQ(std::vector<int64_t>(static_cast<size_t>(each * cores()), 1),
              read_all(seen, each * cores()));
    EXPECT_EQ(each * cores(), delegate::fetch_and_add(there, -5));
    EXPECT_EQ(each * cores() - 5, delegate::fetch_and_add(there, int64_t{1} << 40));
    delegate::write(make_global(&real, core), 0.5);
    EXPECT_EQ(0.5, delegate::fetch_and_add(make_global(&real, core), 0.25));
    EXPECT_EQ(0.75, delegate::read(make_global(&real, core)));
  }
  global_free(seen);
}

TEST(Delegates, Increment) {
  for (const Core core : some_cores()) {
    const auto there = make_global(&word, core);
    const auto real_there = make_global(&real, core);
    delegate::write(there, 0);
    delegate::write(real_there, 0);
    on_all_cores([there, real_there] {
      for (int64_t k = 0; k < 10; ++k) {
        delegate::increment(there, k);
        delegate::increment(there, 1);
        delegate::increment(real_there, 0.5);
      }
    });
    EXPECT_EQ(55 * cores(), delegate::read(there));
    EXPECT_EQ(5.0 * cores(), delegate::read(real_there));
  }
}

TEST(Delegates, CompareAndSwap) {
  for (const Core core : some_cores()) {
    const auto there = make_global(&word, core);
    delegate::write(there, 3);
    EXPECT_FALSE(delegate::compare_and_swap(there, 4, 5));
    EXPECT_EQ(3, delegate::read(there));
    EXPECT_TRUE(delegate::compare_and_swap(there, 3, 5));
    EXPECT_EQ(5, delegate::read(there));
    const auto flag_there = make_global(&flag, core);
    delegate::write(flag_there, false);
    on_all_cores([flag_there, there] {  // only one core succeeds
      if (delegate::compare_and_swap(flag_there, false, true)) delegate::increment(there, 1);
    });
    EXPECT_EQ(6, delegate::read(there));
    delegate::write(make_global(&real, core), 1.5);
    EXPECT_TRUE(delegate::compare_and_swap(make_global(&real, core), 1.5, -2));
    EXPECT_EQ(-2.0, delegate::read(make_global(&real, core)));
    delegate::write(make_global(&triple, core), sample<Triple>(1));
    EXPECT_TRUE(delegate::compare_and_swap(make_global(&triple, core), sample<Triple>(1),
                                           sample<Triple>(2)));
    EXPECT_EQ(sample<Triple>(2), delegate::read(make_global(&triple, core)));
  }
}

}  // namespace
