#include "system/global/delegate_body.hpp"

#include "system/global/reply.hpp"

#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// The message of a blocking delegate with body F at an object of type T.
template <class T, class F>
using RequestAt = Request<typename result_at<T, F>::type, NumberedAtObject<T, F>>;

TEST(DelegateBody, WithoutCapturesIsSentAsAnAddressOnly) {
  EXPECT_EQ(8u, sizeof(AtObject<int64_t, AddOne<int64_t, int>>));
  EXPECT_EQ(8u, sizeof(RequestAt<int64_t, AddOne<int64_t, int>>));
  EXPECT_EQ(8u, sizeof(RequestAt<int64_t, FetchAndAddOne<int64_t, int>>));
  auto read = [](const int64_t& value) { return value; };
  EXPECT_EQ(8u, sizeof(RequestAt<int64_t, decltype(read)>));
}

TEST(DelegateBody, WithOneCapturedWordIsSentAsTwoWords) {
  EXPECT_EQ(16u, sizeof(AtObject<int64_t, Add<int64_t, int64_t>>));
  EXPECT_EQ(16u, sizeof(RequestAt<int64_t, FetchAndAdd<int64_t, int64_t>>));
  EXPECT_EQ(16u, sizeof(RequestAt<int64_t, FetchAndAdd<int64_t, int>>));
  int64_t value = 1;
  auto write = [value](int64_t& target) { target = value; };
  EXPECT_EQ(16u, sizeof(RequestAt<int64_t, decltype(write)>));
  struct Byte {
    char byte;
    void operator()(char& target) { target = byte; }
  };
  EXPECT_EQ(16u, sizeof(RequestAt<char, Byte>));
}

TEST(DelegateBody, ForACoreIsSentWithItsNumber) {
  struct Empty {
    void operator()() {}
  };
  struct Word {
    int64_t word;
    void operator()() {}
  };
  EXPECT_EQ(4u, sizeof(Request<void, Numbered<Empty>>));
  EXPECT_EQ(16u, sizeof(Request<void, Numbered<Word>>));
}

TEST(DelegateBody, ReplyContainsTheValueAndANumber) {
  EXPECT_EQ(4u, sizeof(Reply<void, false>));
  EXPECT_EQ(8u, sizeof(Reply<int32_t, false>));
  EXPECT_EQ(12u, sizeof(Reply<int64_t, false>));
  EXPECT_EQ(sizeof(Reply<int64_t, false>), sizeof(Reply<int64_t, true>));
}

/// Boundary values of 16-bit numbers and 48-bit addresses.
const uint32_t kNumbers[] = {0, 1, 2, 255, 256, 0x7fff, 0x8000, 0xfffe, 0xffff};
const uint64_t kAddresses[] = {0,
                               8,
                               1,
                               0xffff,
                               0x10000,
                               0x7fffffff,
                               0x80000000,
                               0x100000000,
                               0x7ffffffff000,
                               0x7fffffffffff,
                               0x800000000000,
                               0xffffffffffff};

TEST(DelegateBody, SeparatesNumberAndAddress) {
  struct WhereAmI {
    uint64_t operator()(char* object) const { return reinterpret_cast<uint64_t>(object); }
  };
  struct WhereAndWhat {
    int64_t mark;
    uint64_t operator()(char* object) const {
      return reinterpret_cast<uint64_t>(object) + 0 * mark;
    }
  };
  for (const uint32_t number : kNumbers) {
    for (const uint64_t address : kAddresses) {
      char* object = reinterpret_cast<char*>(address);
      NumberedAtObject<char, WhereAmI> body(number, object, WhereAmI());
      EXPECT_EQ(number, body.number());
      EXPECT_EQ(address, body());
      body.prefetch();  // must not fault at any address
      NumberedAtObject<char, WhereAndWhat> larger(number, object, WhereAndWhat{-1});
      EXPECT_EQ(number, larger.number());
      EXPECT_EQ(address, larger());
      AtObject<char, WhereAmI> plain(object, WhereAmI());
      EXPECT_EQ(address, plain());
    }
  }
  typedef NumberedAtObject<char, WhereAmI> Packed;
  EXPECT_EQ(0x10000u, uint32_t{Packed::kNumbers}) << "larger numbers need another type";
}

// The address of the last prefetch.
const void* asked_for = nullptr;

TEST(DelegateBody, CallsThePrefetchOfTheBody) {
  struct Behind {
    int64_t offset;
    void prefetch(const char* object) const { asked_for = object + offset; }
    void operator()(char&) const {}
  };
  char objects[100] = {};
  AtObject<char, Behind>(objects, Behind{70}).prefetch();
  EXPECT_EQ(objects + 70, asked_for);
  NumberedAtObject<char, Behind>(5, objects, Behind{30}).prefetch();
  EXPECT_EQ(objects + 30, asked_for);
}

TEST(DelegateBody, ForACoreStoresLargeNumbers) {
  const auto seven = [] { return 7; };
  for (const uint32_t number : {0u, 0xffffu, 0x10000u, 0xffffffffu}) {
    Numbered<decltype(seven)> body(number, seven);
    EXPECT_EQ(number, body.number());
    EXPECT_EQ(7, body());
  }
}

TEST(DelegateBody, RunsWithTheObjectByReferenceOrByPointer) {
  int64_t word = 5;
  const auto by_reference = [](int64_t& w) { return ++w; };
  const auto by_pointer = [](int64_t* w) { return ++*w; };
  AtObject<int64_t, decltype(by_reference)> first(&word, by_reference);
  NumberedAtObject<int64_t, decltype(by_pointer)> second(3, &word, by_pointer);
  EXPECT_EQ(6, first());
  EXPECT_EQ(7, second());
}

TEST(DelegateBody, AddsItsChange) {
  int64_t word = 100;
  EXPECT_EQ(100, (FetchAndAdd<int64_t, int>{-30}(word)));
  EXPECT_EQ(70, (FetchAndAddOne<int64_t, int>()(word)));
  Add<int64_t, int64_t>{int64_t{1} << 40}(word);
  AddOne<int64_t, int>()(word);
  EXPECT_EQ((int64_t{1} << 40) + 72, word);
  double real = 0.5;
  EXPECT_EQ(0.5, (FetchAndAddOne<double, int>()(real)));
  EXPECT_EQ(1.5, real);
}

TEST(DelegateBody, KnownOneIsFalseForOtherValues) {
  volatile int64_t unknown = 1;
  EXPECT_FALSE(known_one(int64_t{unknown}));
  EXPECT_FALSE(known_one(2));
  EXPECT_FALSE(known_one(0));
  EXPECT_FALSE(known_one(-1));
  EXPECT_FALSE(known_one(1.5));
  struct Vector {
    int x, y;
  };
  EXPECT_FALSE(known_one(Vector{1, 1}));
}

}  // namespace
