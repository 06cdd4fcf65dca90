/// Reference section "Life of a program": core numbers, time, yield and sleep. program_test.cpp
/// tests the other functions.

#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <type_traits>

using namespace conformance;

namespace {

int64_t steps;  // on each core

TEST(Life, Cores) {
  EXPECT_GE(cores(), 1);
  const Core all = cores();
  on_all_cores([all] { EXPECT_EQ(all, cores()); });
}

// tests/abort tests the effect of these functions, because they stop the job.
TEST(Life, FunctionsThatEndTheJobHaveTheDocumentedTypes) {
  static_assert(std::is_same<decltype(&Grappa::end_job), void (*)(int)>::value, "");
  static_assert(std::is_same<decltype(&Grappa::input_error), void (*)(const std::string&)>::value,
                "");
}

TEST(Life, TrueChecksDoNothing) {
  int printed = 0;
  GRAPPA_CHECK(cores() > 0) << ++printed;
  GRAPPA_DCHECK(cores() > 0) << ++printed;
  EXPECT_EQ(0, printed);
}

TEST(Life, MyCore) {
  EXPECT_EQ(0, mycore());
  std::set<Core> seen;
  for (Core core = 0; core < cores(); ++core) {
    seen.insert(delegate::call(core, [] { return mycore(); }));
    EXPECT_EQ(core, delegate::call(core, [] { return mycore(); }));
  }
  EXPECT_EQ(static_cast<size_t>(cores()), seen.size());
}

TEST(Life, Locales) {
  std::set<Locale> seen;
  for (Core core = 0; core < cores(); ++core) {
    seen.insert(delegate::call(core, [] { return mylocale(); }));
    EXPECT_EQ(locales(), delegate::call(core, [] { return locales(); }));
  }
  EXPECT_EQ(static_cast<size_t>(locales()), seen.size());
  EXPECT_EQ(0, *seen.begin());
  EXPECT_EQ(locales() - 1, *seen.rbegin());
}

TEST(Life, MyLocale) {
  on_all_cores([] { EXPECT_EQ(locale_of(mycore()), mylocale()); });
}

TEST(Life, LocaleCores) {
  on_all_cores([] {
    Core same = 0;
    for (Core core = 0; core < cores(); ++core) same += locale_of(core) == mylocale() ? 1 : 0;
    EXPECT_EQ(same, locale_cores());
  });
}

TEST(Life, LocaleMyCore) {
  on_all_cores([] {
    Core before = 0;
    for (Core core = 0; core < mycore(); ++core) before += locale_of(core) == mylocale() ? 1 : 0;
    EXPECT_EQ(before, locale_mycore());
  });
}

TEST(Life, LocaleOf) {
  on_all_cores([] {
    for (Core core = 0; core < cores(); ++core) {
      EXPECT_EQ(delegate::call(core, [] { return mylocale(); }), locale_of(core));
    }
  });
}

TEST(Life, WallTime) {
  on_all_cores([] {
    double before = walltime();
    for (int k = 0; k < 100; ++k) {
      yield();
      const double now = walltime();
      EXPECT_LE(before, now);
      before = now;
    }
  });
}

TEST(Life, Yield) {
  on_all_cores([] {
    steps = 0;
    CompletionEvent ended;
    spawn(&ended, [] { ++steps; });
    while (steps == 0) yield();
    EXPECT_EQ(1, steps);
    ended.wait();
  });
}

TEST(Life, SleepFor) {
  on_all_cores([] {
    steps = 0;
    const double before = walltime();
    CompletionEvent ended;
    spawn(&ended, [] { ++steps; });
    sleep_for(0.005);
    EXPECT_LE(0.005, walltime() - before);
    ended.wait();
    EXPECT_EQ(1, steps);
    sleep_for(0);
  });
}

}  // namespace
