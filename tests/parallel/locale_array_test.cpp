#include "system/parallel/locale_array.hpp"

#include <Grappa.hpp>

#include "tests/harness/counted.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace Grappa { namespace {

typedef detail::LocaleArray<uint64_t> Array;
typedef GlobalAddress<Array> ArrayAddress;

constexpr int64_t kPart = 1000;

uint64_t value_of(int64_t core, int64_t k, uint64_t round) {
  return (round * 1000 + static_cast<uint64_t>(core)) * kPart + static_cast<uint64_t>(k);
}

void write_own(ArrayAddress array, uint64_t round) {
  for (int64_t k = 0; k < kPart; ++k) array->own()[k] = value_of(mycore(), k, round);
}

/// Fails unless each core sees the elements of all cores.
void expect_all(ArrayAddress array, uint64_t round) {
  on_all_cores([array, round] {
    for (int64_t core = 0; core < cores(); ++core) {
      for (int64_t k = 0; k < kPart; ++k) {
        ASSERT_EQ(value_of(core, k, round), array->all()[core * kPart + k]);
      }
    }
  });
}

TEST(LocaleArray, GivesEachLocaleThePartsOfAllCores) {
  const ArrayAddress array = Array::create(kPart);
  for (uint64_t round = 1; round <= 3; ++round) {
    on_all_cores([array, round] {
      write_own(array, round);
      array->share();
    });
    expect_all(array, round);
  }
  global_free(array);
}

// The other locales keep the old elements outside of the range of each core.
TEST(LocaleArray, SharesARangeOfEachPart) {
  const ArrayAddress array = Array::create(kPart);
  on_all_cores([array] {
    const auto changed = [](int64_t core) {
      return Array::Range{core % 2 == 0 ? 0 : 10 * core + 1, core % 2 == 0 ? kPart : core % 5};
    };
    write_own(array, 1);
    array->share();
    barrier();
    write_own(array, 2);
    array->share(changed);
    barrier();
    for (int64_t core = 0; core < cores(); ++core) {
      const Array::Range range = changed(core);
      const bool here = detail::topology().locale_of[static_cast<size_t>(core)] == mylocale();
      for (int64_t k = 0; k < kPart; ++k) {
        const bool shared = here || (range.first <= k && k < range.first + range.n);
        ASSERT_EQ(value_of(core, k, shared ? 2 : 1), array->all()[core * kPart + k]);
      }
    }
    barrier();
  });
  global_free(array);
}

TEST(LocaleArray, HasOneCopyPerLocale) {
  const ArrayAddress array = Array::create(kPart);
  on_all_cores([array] {
    if (locale_mycore() == 0) array->all()[array->size() - 1] = 17;
    barrier();
    EXPECT_EQ(17u, array->all()[array->size() - 1]);
  });
  global_free(array);
}

TEST(LocaleArray, ScattersTheWholeCopyOfOneCore) {
  const ArrayAddress array = Array::create(kPart);
  const Core last = static_cast<Core>(cores() - 1);
  on_all_cores([array, last] {
    if (mycore() == last) {
      for (int64_t core = 0; core < cores(); ++core) {
        for (int64_t k = 0; k < kPart; ++k) array->all()[core * kPart + k] = value_of(core, k, 7);
      }
      const Gain sent("global.bulk_bytes");
      array->scatter();
      const auto others = static_cast<uint64_t>(cores() - locale_cores());
      EXPECT_EQ(others * kPart * sizeof(uint64_t), sent.value());
    }
    barrier();
    for (int64_t k = 0; k < kPart; ++k) EXPECT_EQ(value_of(mycore(), k, 7), array->own()[k]);
    array->share();
  });
  expect_all(array, 7);
  global_free(array);
}

TEST(LocaleArray, IsZeroAtFirstAndAfterClear) {
  for (int round = 0; round < 2; ++round) {  // the second array gets the memory of the first
    const ArrayAddress array = Array::create(kPart);
    for (int clears = 0; clears < 2; ++clears) {
      on_all_cores([array] {
        const uint64_t* const all = array->all();
        EXPECT_EQ(array->size(), std::count(all, all + array->size(), 0u));
        barrier();
        write_own(array, 5);
        array->share();
        barrier();
        array->clear();
      });
    }
    on_all_cores([array] {
      write_own(array, 6);
      array->share();
    });
    global_free(array);
  }
}

TEST(LocaleArray, SendsOneCopyToEachOtherLocale) {
  const ArrayAddress array = Array::create(1);
  on_all_cores([array] {
    const Gain sent("global.bulk_messages");
    array->share();
    const auto all = allreduce<uint64_t, collective_add>(sent.value());
    const int senders = locales() >= locale_cores() ? locales() : cores();
    EXPECT_EQ(static_cast<uint64_t>(senders * (locales() - 1)), all);
  });
  global_free(array);
}

}}  // namespace Grappa
