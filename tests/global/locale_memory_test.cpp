#include "system/global/locale_memory.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

struct alignas(256) Aligned {
  int64_t word = 5;
};

TEST(LocaleMemory, IsAccessibleToDelegatesOfAllCores) {
  for (Core core = 0; core < cores(); ++core) {
    auto words = delegate::call(core, [] { return make_global(locale_alloc<int64_t>(100)); });
    EXPECT_EQ(core, words.core());
    delegate::write(words + 99, 17);
    EXPECT_EQ(17, delegate::read(words + 99));
    delegate::call(words, [](int64_t* first) { locale_free(first); });
  }
}

TEST(LocaleMemory, IsSharedByTheCoresOfTheLocale) {
  const Locale here = mylocale();
  int64_t* const words = locale_new_array<int64_t>(10000);
  words[0] = 5;
  for (Core core = 0; core < cores(); ++core) {
    if (locale_of(core) != here) continue;
    delegate::call(core, [words] { words[100 + mycore()] = words[0] + mycore(); });
    EXPECT_EQ(5 + core, words[100 + core]);
  }
  for (Core core = 0; core < cores(); ++core) {
    int64_t* const theirs = delegate::call(core, [core] { return locale_new<int64_t>(core); });
    if (locale_of(core) != here) continue;
    EXPECT_EQ(core, *theirs);
    locale_free(theirs);
  }
  locale_free(words);
}

TEST(LocaleMemory, IsReusedAfterAnyCoreOfTheLocaleFreedIt) {
  const size_t n = size_t{1} << 20;
  char* const first = locale_alloc<char>(n);
  first[n / 2] = 1;
  Core other = 0;
  for (Core core = 0; core < cores(); ++core) {
    if (locale_of(core) == mylocale()) other = core;
  }
  delegate::call(other, [first] { locale_free(first); });
  char* again = nullptr;
  for (int round = 0; round < 1000 && again != first; ++round) {
    locale_free(again);
    yield();
    again = locale_alloc<char>(n);
  }
  EXPECT_EQ(first, again);
  EXPECT_EQ(0, again[n / 2]) << "the pages were returned to the kernel";
  locale_free(again);
}

TEST(LocaleMemory, HasTheAlignmentOfItsType) {
  for (size_t n = 1; n < 10; ++n) {
    Aligned* objects = locale_new_array<Aligned>(n);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(objects) % 256);
    EXPECT_EQ(5, objects[n - 1].word);
    locale_free(objects);
  }
}

TEST(LocaleMemory, ConstructsAndDestroys) {
  struct Noisy {
    Noisy(int* a, int n) : alive(a) { *alive += n; }
    ~Noisy() { *alive = 0; }
    int* alive;
  };
  int alive = 0;
  Noisy* noisy = locale_new<Noisy>(&alive, 3);
  EXPECT_EQ(3, alive);
  locale_delete(noisy);
  EXPECT_EQ(0, alive);
}

TEST(LocaleMemory, FreesNullAndEmptyAllocations) {
  locale_free(locale_alloc<int>(0));
  locale_free(nullptr);
  locale_delete(static_cast<int*>(nullptr));
}

TEST(LocaleMemory, InitializesArrays) {
  const size_t n = 500;
  int64_t* const used = locale_new_array<int64_t>(n);
  for (size_t k = 0; k < n; ++k) used[k] = -1;
  locale_free(used);
  int64_t* const again = locale_new_array<int64_t>(n);
  for (size_t k = 0; k < n; ++k) EXPECT_EQ(0, again[k]);
  locale_free(again);
}

}  // namespace
