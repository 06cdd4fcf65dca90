/// Reference section "Delegates": futures, promises, fetch-and-add combiners, and messages.

#include "structures/fetch_add_combiner.hpp"
#include "tests/conformance/samples.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace conformance;

namespace {

// Each core has its own instances.
int64_t word;
Triple triple;
FullEmpty<int64_t> arrived;

TEST(Futures, CallFutureOnCore) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      Future<int64_t> first = delegate::call_future(core, [] { return int64_t{5} + mycore(); });
      Future<Triple> second = delegate::call_future(core, [] {
        yield();
        return sample<Triple>(mycore());
      });
      Future<void> third = delegate::call_future(core, [] {});
      EXPECT_EQ(sample<Triple>(core), second.get());
      EXPECT_EQ(5 + core, first.get());
      EXPECT_EQ(5 + core, first.get()) << "may be read again";
      third.get();
    }
  });
}

TEST(Futures, CallFutureByReferenceAndByPointer) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      const auto there = make_global(&triple, core);
      auto where = delegate::call_future(there, [](Triple& mine) {
        mine.a = 1;
        return mycore();
      });
      auto pointer = delegate::call_future(there, [](Triple* mine) { return mine; });
      EXPECT_EQ(&triple, pointer.get());
      EXPECT_EQ(core, where.get());
    }
  });
}

TEST(Futures, ReadFuture) {
  const int64_t n = 100;
  const auto words = sample_array<int64_t>(n);
  const auto bits = sample_array<bool>(n);
  on_all_cores([words, bits] {
    std::vector<Future<int64_t>> reads;
    std::vector<delegate::Future<bool>> more;
    for (int64_t k = 0; k < n; ++k) {
      reads.push_back(delegate::read_future(words + k));
      more.push_back(delegate::read_future(bits + k));
    }
    for (size_t k = 0; k < static_cast<size_t>(n); ++k) {
      EXPECT_EQ(sample<int64_t>(static_cast<int64_t>(k)), reads[k].get());
      EXPECT_EQ(sample<bool>(static_cast<int64_t>(k)), more[k].get());
    }
  });
  global_free(words);
  global_free(bits);
}

TEST(Futures, Ready) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      Future<Core> future = delegate::call_future(core, [] { return mycore(); });
      while (!future.ready()) yield();
      EXPECT_EQ(core, future.get());
      EXPECT_TRUE(future.ready());
    }
    EXPECT_FALSE(Future<int64_t>().ready());
  });
}

TEST(Futures, Drop) {
  on_all_cores([] { word = 0; });
  finish([] {
    on_all_cores([] {
      for (const Core core : some_cores()) {
        Future<int64_t> future = delegate::call_future(core, [] { return ++word; });
        Future<int64_t> moved = std::move(future);
        moved.drop();
      }
    });
  });
  EXPECT_EQ(3 * cores(), sum_all_cores([] { return word; }));
}

// Each core has its own combiner for the counter of one core, as in existing programs.
FetchAddCombiner<int64_t, int64_t>* combiner;
FetchAddCombiner<double, double>* real_combiner;
double real;

TEST(Combiners, FetchAndAdd) {
  const int64_t each = 50;
  const auto seen = global_alloc<int64_t>(static_cast<size_t>(each * cores()));
  for (const Core core : some_cores()) {
    const auto target = make_global(&word, core);
    delegate::write(target, 0);
    Grappa::memset(seen, 0, each * cores());
    on_all_cores([target, seen] {
      FetchAddCombiner<int64_t, int64_t> mine(target, 4, 0);
      combiner = &mine;
      finish([seen] {
        for (int64_t k = 0; k < each; ++k) {
          spawn([seen] { delegate::increment(seen + combiner->fetch_and_add(1), 1); });
        }
      });
    });
    EXPECT_EQ(each * cores(), delegate::read(target));
    EXPECT_EQ(std::vector<int64_t>(static_cast<size_t>(each * cores()), 1),
              read_all(seen, each * cores()));
  }
  global_free(seen);
}

TEST(Combiners, Promise) {
  delegate::write(make_global(&real, last_core()), 1.0);
  on_all_cores([] {
    delegate::FetchAddCombiner<double, double> mine(make_global(&real, last_core()), 16, 0.0);
    real_combiner = &mine;
    finish([] {
      for (int k = 0; k < 6; ++k) {
        real_combiner->promise();
        spawn([] {
          yield();
          EXPECT_LE(1.0, real_combiner->fetch_and_add(0.5));
        });
      }
    });
  });
  EXPECT_EQ(1.0 + 3.0 * cores(), delegate::read(make_global(&real, last_core())));
}

TEST(Messages, SendMessage) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      arrived.reset();
      const auto back = make_global(&arrived);
      const Triple sent = sample<Triple>(core);
      send_message(core, [back, sent] {
        EXPECT_EQ(sample<Triple>(mycore()), sent);
        send_heap_message(back.core(), [back] { back.pointer()->writeXF(1); });  // old name
      });
      EXPECT_EQ(1, arrived.readFE());
    }
  });
}

/// Sends `n` bytes to `core`, which sends their sum back, and checks the sum.
template <bool OldName>
void send_bytes(Core core, size_t n) {
  arrived.reset();
  const auto back = make_global(&arrived);
  const auto body = [back, n](void* payload, size_t bytes) {
    EXPECT_EQ(n, bytes);
    int64_t sum = 1;
    for (size_t k = 0; k < bytes; ++k) sum += static_cast<unsigned char*>(payload)[k];
    send_message(back.core(), [back, sum] { back.pointer()->writeXF(sum); });
  };
  std::vector<unsigned char> bytes;
  int64_t sum = 1;
  for (size_t k = 0; k < n; ++k) {
    bytes.push_back(static_cast<unsigned char>(k * 37 % 251));
    sum += bytes.back();
  }
  if (OldName) {
    send_heap_message(core, body, bytes.data(), n);
  } else {
    send_message(core, body, bytes.data(), n);
  }
  std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(255));  // already copied
  EXPECT_EQ(sum, arrived.readFE());
}

TEST(Messages, SendMessageWithPayload) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      for (const size_t n : {0, 1, 24, 1000, 100000}) send_bytes<false>(core, n);
    }
  });
}

TEST(Messages, SendHeapMessageWithPayload) {
  on_all_cores([] {
    for (const Core core : some_cores()) send_bytes<true>(core, 333);
  });
}

}  // namespace
