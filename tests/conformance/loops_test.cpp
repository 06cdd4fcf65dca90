/// Reference section "Loops": every form of body over indices and over global arrays.

#include <Grappa.hpp>
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using namespace Grappa;

constexpr int64_t kMost = 300;
constexpr int64_t kLengths[] = {0, 1, 2, 3, 5, 64, kMost};

int64_t seen[kMost];  // on each core: number of runs of each iteration
int64_t calls = 0;    // on each core: number of calls of the body

void forget() {
  on_all_cores([] {
    std::fill(seen, seen + kMost, 0);
    calls = 0;
  });
}

/// Expects that all cores together have run each of the first `n` iterations once, and no others.
void expect_each_once(int64_t n) {
  int64_t times[kMost] = {};
  for (Core core = 0; core < cores(); ++core) {
    int64_t there[kMost];
    Grappa::memcpy(there, make_global(seen, core), kMost);
    for (int64_t i = 0; i < kMost; ++i) times[i] += there[i];
  }
  for (int64_t i = 0; i < kMost; ++i) {
    EXPECT_EQ(i < n ? 1 : 0, times[i]) << "iteration " << i << " of " << n;
  }
}

int64_t all_calls() {
  return sum_all_cores([] { return calls; });
}

/// A function object as a body.
struct Marks {
  int64_t start;
  void operator()(int64_t i) { ++seen[i - start]; }
};

TEST(ForallHere, Index) {
  for (const int64_t n : kLengths) {
    for (const int64_t start : {int64_t{0}, int64_t{-100}}) {
      forget();
      int64_t here = 0;
      forall_here(start, n, [&here, start](int64_t i) {
        ++here;
        ++seen[i - start];
      });
      EXPECT_EQ(n, here) << "all iterations run on this core, so a body may capture references";
      expect_each_once(n);
    }
  }
}

TEST(ForallHere, FirstAndCount) {
  for (const int64_t n : kLengths) {
    forget();
    forall_here(5, n, [](int64_t first, int64_t count) {
      EXPECT_EQ(0, mycore());
      for (int64_t i = first; i < first + count; ++i) ++seen[i - 5];
    });
    expect_each_once(n);
  }
}

TEST(ForallHere, ConcurrentlyOnEachCore) {
  forget();
  on_all_cores([] { forall_here(0, 100, [](int64_t) { ++calls; }); });
  on_all_cores([] { EXPECT_EQ(100, calls); });
}

TEST(ForallHere, BodyThatIsNotTriviallyCopyable) {
  const std::string text = "captures of bound bodies may have any type";
  size_t length = 0;
  forall_here(0, 10, [text, &length](int64_t) { length += text.size(); });
  EXPECT_EQ(10 * text.size(), length);
}

TEST(Forall, Index) {
  for (const int64_t n : kLengths) {
    for (const int64_t start : {int64_t{0}, int64_t{-100}}) {
      forget();
      forall(start, n, [start](int64_t i) {
        ++calls;
        ++seen[i - start];
      });
      on_all_cores([n] { EXPECT_LE(calls, n / cores() + 1) << "split evenly"; });
      expect_each_once(n);
    }
  }
}

TEST(Forall, FirstAndCount) {
  for (const int64_t n : kLengths) {
    forget();
    forall(5, n, [](int64_t first, int64_t count) {
      EXPECT_LT(0, count);
      calls += count;
      for (int64_t i = first; i < first + count; ++i) ++seen[i - 5];
    });
    EXPECT_EQ(n, all_calls());
    expect_each_once(n);
  }
}

TEST(Forall, FunctionObject) {
  forget();
  forall(20, 200, Marks{20});
  expect_each_once(200);
  forget();
  forall_here(20, 200, Marks{20});
  expect_each_once(200);
}

TEST(Forall, MutableBodyAndOtherIntegers) {
  forget();
  forall(0, 100, [](long i) mutable { ++seen[i]; });
  expect_each_once(100);
  forget();
  forall_here(0, 100, [](size_t first, size_t count) {
    for (size_t i = first; i < first + count; ++i) ++seen[i];
  });
  expect_each_once(100);
}

TEST(Forall, NestedInTasksInsideForallInsideFinish) {
  forget();
  finish([] {
    forall(0, 10, [](int64_t i) {
      spawn([i] {
        forall(0, 10, [i](int64_t j) { ++seen[10 * i + j]; });
        forall_here(0, 10, [i](int64_t j) { ++seen[100 + 10 * i + j]; });
      });
    });
  });
  expect_each_once(200);
}

/// Arrays with element types of several sizes that begin at several offsets in a block.
template <class T>
class ForallArray : public testing::Test {
 protected:
  enum : int64_t { kAround = 20 };  // guard elements before and after an array

  /// Calls body(base, n) with arrays in which element i, also a guard element, is value_at(i).
  template <class F>
  void for_each_array(F body) {
    const auto whole = global_alloc<T>(kAround + kMost + kAround);
    for (const int64_t begin : {int64_t{0}, int64_t{3}, int64_t{17}}) {
      finish([=] {
        for (int64_t i = 0; i < kAround + kMost + kAround; ++i) {
          delegate::call<async>(whole + i, [=](T& t) { t = T(value_at(i - begin)); });
        }
      });
      for (const int64_t n : kLengths) {
        forget();
        body(whole + begin, n);
      }
    }
    global_free(whole);
  }

  static signed char value_at(int64_t i) { return static_cast<signed char>(i % 100); }
};

struct Half {
  Half() = default;
  explicit Half(int v) : value(static_cast<int16_t>(v)) {}
  bool operator==(const Half& other) const { return value == other.value; }
  int16_t value;
};
struct Line {
  Line() = default;
  explicit Line(int v) { std::fill(words, words + 8, v); }
  bool operator==(const Line& other) const { return std::equal(words, words + 8, other.words); }
  int64_t words[8];
};
typedef testing::Types<signed char, Half, float, int64_t, Line> Elements;
TYPED_TEST_SUITE(ForallArray, Elements);

TYPED_TEST(ForallArray, Element) {
  typedef TypeParam T;
  this->for_each_array([](GlobalAddress<T> base, int64_t n) {
    const T before = delegate::read(base + n);
    forall(base, n, [](T& element) {
      ++calls;
      element = T(77);
    });
    EXPECT_EQ(n, all_calls());
    std::vector<T> now(static_cast<size_t>(n + 1));
    Grappa::memcpy(now.data(), base, n + 1);
    for (int64_t i = 0; i < n; ++i) EXPECT_TRUE(now[static_cast<size_t>(i)] == T(77)) << i;
    EXPECT_TRUE(now.back() == before) << "the guard elements are unchanged";
  });
}

TYPED_TEST(ForallArray, IndexAndElement) {
  typedef TypeParam T;
  this->for_each_array([](GlobalAddress<T> base, int64_t n) {
    const auto visit = [base](int64_t i, T& element) {
      EXPECT_EQ(mycore(), (base + i).core());
      EXPECT_EQ((base + i).pointer(), &element);
      EXPECT_TRUE(element == T(ForallArray<T>::value_at(i)));
      ++seen[i];
    };
    forall(base, n, visit);
    expect_each_once(n);
    forget();
    forall<70>(base, n, visit);  // a task visits several blocks
    expect_each_once(n);
  });
}

TYPED_TEST(ForallArray, FirstCountAndPointer) {
  typedef TypeParam T;
  this->for_each_array([](GlobalAddress<T> base, int64_t n) {
    const auto visit = [base](int64_t first, int64_t count, T* elements) {
      EXPECT_LT(0, count);
      for (int64_t k = 0; k < count; ++k) {
        EXPECT_EQ((base + first + k).pointer(), elements + k);
        EXPECT_TRUE(elements[k] == T(ForallArray<T>::value_at(first + k)));
        ++seen[first + k];
      }
    };
    forall(base, n, visit);
    expect_each_once(n);
    forget();
    forall<70>(base, n, visit);
    expect_each_once(n);
  });
}

TEST(ForallArrayForms, ConstElementFunctionObjectAndMutableBody) {
  const int64_t n = 100;
  auto words = global_alloc<int64_t>(n);
  struct Fill {
    int64_t base;
    void operator()(int64_t i, int64_t& word) { word = base + i; }
  };
  forall(words, n, Fill{5});
  forget();
  forall(words, n, [](const int64_t& word) { ++seen[word - 5]; });
  expect_each_once(n);
  forget();
  forall(words, n, [](int64_t& word) mutable { ++seen[word - 5]; });
  expect_each_once(n);
  forget();
  forall(words, n, [](int64_t first, int64_t count, const int64_t*) {
    for (int64_t i = first; i < first + count; ++i) ++seen[i];
  });
  expect_each_once(n);
  global_free(words);
}

TEST(OnAllCores, Body) {
  forget();
  on_all_cores([] {
    ++seen[mycore()];
    spawn([] {
      yield();
      ++calls;
    });
    barrier();  // the body is a task and may suspend
  });
  expect_each_once(cores());
  EXPECT_EQ(cores(), all_calls()) << "on_all_cores waits for work of the bodies";
}

TEST(CallOnAllCores, Body) {
  forget();
  int64_t local = 5;
  call_on_all_cores([local] { seen[mycore()] += local - 4; });
  expect_each_once(cores());
}

GlobalCompletionEvent gce;

TEST(Forall, OverASymmetricObject) {
  const auto mine = symmetric<int64_t>(int64_t{40});
  forget();
  forall(mine, [](int64_t& word) {
    word += mycore();
    ++calls;
  });
  finish([mine] {
    forall<async>(mine, [](int64_t&) {
      yield();
      ++calls;
    });
  });
  forall<async, &gce>(mine, [](int64_t&) { ++calls; });
  gce.wait();
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(40 + core, delegate::call(core, [mine] { return *mine.pointer(); }));
    EXPECT_EQ(3, delegate::read(make_global(&calls, core)));
  }
  global_free(mine);
}

TEST(Forall, OverAnObjectAtFileScope) {
  forget();
  forall(make_global(&calls, 0), [](int64_t& mine) { mine += 2; });
  EXPECT_EQ(2 * cores(), all_calls());
}

TEST(Progress, OfALoopThatTakesNoTime) {
  forget();
  testing::internal::CaptureStderr();
  {
    Progress progress("counting", 1000, "numbers");
    const Progress::Counter counter = progress.counter();
    forall(0, 999, [counter](int64_t) {
      ++calls;
      counter.add(1);
    });
    progress.add(1);
  }
  EXPECT_EQ("", testing::internal::GetCapturedStderr()) << "a short step prints nothing";
  EXPECT_EQ(999, all_calls());
}

}  // namespace
