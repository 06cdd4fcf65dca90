/// The stack of Figure 5 in B. Holt et al., "Flat Combining Synchronized Global Data Structures",
/// PGAS 2013. The code is copied from the figure. The following parts are missing in the figure and
/// were added: the template headers, `public:`, the bodies of push and pop, one branch of sync, and
/// lambda captures that copy members (in C++11, this is the only way to send members).

#include "structures/flat_combiner.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#pragma GCC diagnostic ignored "-Wshadow"  // the variables in sync have the names of the figure

using namespace Grappa;
using namespace Grappa::detail;

// Global master state
template <typename T>
class GlobalStack {
 public:
  GlobalAddress<T> top;
  Grappa::Mutex lock;
};

// Push *without* combining
template <typename T>
void push(GlobalAddress<GlobalStack<T>> master, T e) {
  // from stack's master core, perform write to top and increment atomically
  delegate::call(master.core(), [master, e] {
    master->lock.acquire();
    delegate::write(master->top, e);
    master->top++;
    master->lock.release();
  });  // blocks until response arrives
}

// Definition of proxy
template <typename T>
class GlobalStackProxy : Grappa::FCProxy {
  GlobalAddress<GlobalStack<T>> master;
  // Local state for tracking requests
  T pushed_values[1024];
  T* popped_results[1024];
  int npush, npop;

 public:
  explicit GlobalStackProxy(GlobalAddress<GlobalStack<T>> its_master)
      : master(its_master), npush(0), npop(0) {}

  // Combining Methods
  void push(T val) {
    if (npop > 0) {
      *popped_results[--npop] = val;
      wake_last();
    } else {
      pushed_values[npush++] = val;
      wait();
    }
  }
  T pop() {
    if (npush > 0) {
      const T val = pushed_values[--npush];
      wake_last();
      return val;
    }
    T result;
    popped_results[npop++] = &result;
    wait();
    return result;
  }

  // Global sync (called by FC framework)
  void sync() override {
    auto master = this->master;
    auto npush = this->npush;
    auto npop = this->npop;
    if (npush > 0) {
      // on master: acquire lock, return top ptr
      auto top = delegate::call(master.core(), [=] {
        master->lock.acquire();
        return master->top;
      });
      // copy values to top of stack
      Grappa::memcpy(top, pushed_values, npush);
      // bump top and release lock
      delegate::call(master.core(), [master, npush] {
        master->top += npush;
        master->lock.release();
      });
    } else if (npop > 0) {
      // on master: acquire lock, lower top
      auto top = delegate::call(master.core(), [=] {
        master->lock.acquire();
        return master->top -= npop;
      });
      // copy values from there; the space of the pushed values is free
      Grappa::memcpy(pushed_values, top, npop);
      delegate::call(master.core(), [master] { master->lock.release(); });
      for (int i = 0; i < npop; ++i) *popped_results[i] = pushed_values[i];
    }
  }
};

namespace {

struct Stack {
  Stack(GlobalAddress<GlobalStack<int64_t>> its_master, GlobalAddress<int64_t> its_base)
      : master(its_master), base(its_base), proxy(its_master) {}
  GlobalAddress<GlobalStack<int64_t>> master;
  GlobalAddress<int64_t> base;
  FlatCombiner<GlobalStackProxy<int64_t>> proxy;
};

class PaperStack : public testing::Test {
 protected:
  static constexpr int64_t kCapacity = 100000;

  void SetUp() override {
    base = global_alloc<int64_t>(kCapacity);
    master.top = base;
    stack = symmetric<Stack>(make_global(&master), base);
  }
  void TearDown() override {
    global_free(stack);
    global_free(base);
  }

  GlobalAddress<int64_t> base;
  GlobalStack<int64_t> master;
  GlobalAddress<Stack> stack;
};

TEST_F(PaperStack, PopsInLifoOrder) {
  for (int64_t i = 0; i < 10; ++i) stack->proxy->push(i);
  for (int64_t i = 9; i >= 0; --i) EXPECT_EQ(i, stack->proxy->pop());
  EXPECT_EQ(base, master.top);
}

TEST_F(PaperStack, KeepsEachPushOfManyTasksOnce) {
  const auto s = stack;
  forall(0, 20000, [s](int64_t i) { s->proxy->push(i); });
  ASSERT_EQ(20000, master.top - base);
  std::vector<int64_t> values(20000);
  Grappa::memcpy(values.data(), base, 20000);
  std::sort(values.begin(), values.end());
  for (int64_t i = 0; i < 20000; ++i) ASSERT_EQ(i, values[static_cast<size_t>(i)]);
}

TEST_F(PaperStack, EachValueIsPoppedOnce) {
  const auto s = stack;
  const auto seen = global_alloc<int64_t>(20000);
  memset(seen, int64_t{0}, 20000);
  forall(0, 10000, [s](int64_t i) { s->proxy->push(i); });
  forall(0, 20000, [s, seen](int64_t i) {
    if (i % 2 == 0) {
      s->proxy->push(10000 + i / 2);
    } else {
      delegate::increment<async>(seen + s->proxy->pop(), 1);
    }
  });
  forall(0, 10000, [s, seen](int64_t) { delegate::increment<async>(seen + s->proxy->pop(), 1); });
  EXPECT_EQ(base, master.top);
  int64_t wrong = 0;
  const auto count = make_global(&wrong);
  forall(seen, 20000, [count](int64_t& times) {
    if (times != 1) delegate::increment<async>(count, 1);
  });
  EXPECT_EQ(0, wrong);
  global_free(seen);
}

TEST_F(PaperStack, AlsoPushesWithoutCombining) {
  const auto m = make_global(&master);
  forall(0, 500, [m](int64_t i) { push(m, i); });
  EXPECT_EQ(500, master.top - base);
}

}  // namespace
