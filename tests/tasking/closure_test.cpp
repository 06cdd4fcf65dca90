#include "system/tasking/task.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

int heap_bodies = 0;  // number of Bodies on the heap

/// A body of kBytes bytes that counts its allocations.
template <size_t kBytes>
struct Body {
  unsigned char bytes[kBytes - sizeof(int*)];
  int* sum;

  void operator()() {
    for (unsigned char byte : bytes) *sum += byte;
  }

  static void* operator new(size_t size) {
    ++heap_bodies;
    return ::operator new(size);
  }
  static void* operator new(size_t, void* place) { return place; }
  static void operator delete(void* body) {
    --heap_bodies;
    ::operator delete(body);
  }
};

template <size_t kBytes>
Body<kBytes> body_of_ones(int* sum) {
  Body<kBytes> body;
  for (unsigned char& byte : body.bytes) byte = 1;
  body.sum = sum;
  return body;
}

TEST(Closure, RunsItsBody) {
  int runs = 0;
  Closure closure = Closure::make([&runs] { ++runs; });
  EXPECT_EQ(runs, 0);
  closure.run_and_destroy();
  EXPECT_EQ(runs, 1);
}

TEST(Closure, StoresSmallBodiesInline) {
  int sum = 0;
  Closure closure = Closure::make(body_of_ones<48>(&sum));
  EXPECT_EQ(heap_bodies, 0);
  closure.run_and_destroy();
  EXPECT_EQ(sum, 40);
}

TEST(Closure, StoresLargeBodiesOnTheHeapAndFreesThem) {
  int sum = 0;
  Closure closure = Closure::make(body_of_ones<56>(&sum));
  EXPECT_EQ(heap_bodies, 1);
  closure.run_and_destroy();
  EXPECT_EQ(heap_bodies, 0);
  EXPECT_EQ(sum, 48);
}

template <size_t kBytes>
void copy_and_destroy_the_body() {
  int sum = 0;
  Closure closure = Closure::make(body_of_ones<kBytes>(&sum));
  Body<kBytes> copy = closure.body<Body<kBytes>>();
  closure.destroy<Body<kBytes>>();
  EXPECT_EQ(heap_bodies, 0);
  EXPECT_EQ(sum, 0) << "the body has not run";
  copy();
  EXPECT_EQ(sum, static_cast<int>(kBytes - sizeof(int*)));
}

TEST(Closure, LetsTheBodyBeCopiedAndDestroyedWithoutRunning) {
  copy_and_destroy_the_body<48>();
  copy_and_destroy_the_body<56>();
  copy_and_destroy_the_body<1000>();
}

TEST(Closure, RunsFromACopyOfItsBytes) {
  int sum = 0;
  Closure small = Closure::make(body_of_ones<48>(&sum));
  Closure large = Closure::make(body_of_ones<256>(&sum));
  Closure small_copy = small;
  Closure large_copy = large;
  small = Closure();
  large = Closure();
  small_copy.run_and_destroy();
  large_copy.run_and_destroy();
  EXPECT_EQ(sum, 40 + 248);
}

TEST(Closure, DestroysItsCapturesAfterTheRun) {
  std::shared_ptr<int> captured = std::make_shared<int>(0);
  Closure closure = Closure::make([captured] { ++*captured; });
  EXPECT_EQ(captured.use_count(), 2);
  closure.run_and_destroy();
  EXPECT_EQ(captured.use_count(), 1);
  EXPECT_EQ(*captured, 1);
}

TEST(Closure, DestroysItsCapturesWhenTheBodyThrows) {
  std::shared_ptr<int> captured = std::make_shared<int>(0);
  Closure closure = Closure::make([captured] { throw std::runtime_error("from the body"); });
  EXPECT_THROW(closure.run_and_destroy(), std::runtime_error);
  EXPECT_EQ(captured.use_count(), 1);
}

struct MoveOnly {
  std::unique_ptr<int> owned;
  int* seen;

  void operator()() { *seen = *owned; }
};

TEST(Closure, AcceptsMoveOnlyBodies) {
  int seen = 0;
  MoveOnly body = {std::unique_ptr<int>(new int(7)), &seen};
  Closure closure = Closure::make(std::move(body));
  EXPECT_EQ(body.owned, nullptr);
  closure.run_and_destroy();
  EXPECT_EQ(seen, 7);
}

TEST(Closure, CopiesAnLvalue) {
  std::shared_ptr<int> captured = std::make_shared<int>(0);
  auto body = [captured] { ++*captured; };
  Closure closure = Closure::make(body);
  EXPECT_EQ(captured.use_count(), 3);
  closure.run_and_destroy();
  body();
  EXPECT_EQ(*captured, 2);
}

struct alignas(16) Aligned {
  uintptr_t* seen;
  void operator()() { *seen = reinterpret_cast<uintptr_t>(this) % 16; }
};

TEST(Closure, AlignsItsBodyToSixteenBytes) {
  uintptr_t seen = 1;
  Closure closures[3];
  for (Closure& closure : closures) {
    closure = Closure::make(Aligned{&seen});
    closure.run_and_destroy();
    EXPECT_EQ(seen, 0u);
  }
}

TEST(Closure, ReportsWhetherItsBodyIsInline) {
  int sum = 0;
  Closure small = Closure::make(body_of_ones<48>(&sum));
  Closure large = Closure::make(body_of_ones<56>(&sum));
  EXPECT_TRUE(small.is_inline());
  EXPECT_FALSE(large.is_inline());
  large.run_and_destroy();
}

TEST(Closure, NamesTheTypeOfItsBody) {
  size_t length = 0;
  Closure closure = Closure::make(MoveOnly());
  const char* name = type_name_in(closure.signature(), &length);
  EXPECT_NE(std::string(name, length).find("MoveOnly"), std::string::npos);
  closure.destroy<MoveOnly>();
}

TEST(Closure, IsTriviallyCopyable) { EXPECT_TRUE(std::is_trivially_copyable<Closure>::value); }

}  // namespace
}  // namespace Grappa
