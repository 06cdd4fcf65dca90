/// Tests of arrays larger than 4 GiB. The kernel allocates only pages that are accessed, so the
/// tests need little memory.

#include "system/base/mapping.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr size_t kBytes = 8 * GiB;

size_t resident_here() {
  return resident_bytes(reinterpret_cast<const void*>(kHeapBase), heap().bytes_per_core());
}

TEST(LargeArray, IsAccessibleUpToItsLastElement) {
  const int64_t n = int64_t{kBytes / 8};
  auto array = global_alloc<int64_t>(size_t(n));
  const int64_t places[] = {0, n / 2 - 1, (int64_t{1} << 29) + 3, n - 8 * cores() - 1, n - 1};
  for (const int64_t k : places) delegate::write(array + k, ~k);
  for (const int64_t k : places) {
    EXPECT_EQ(~k, delegate::read(array + k));
    EXPECT_EQ(k, (array + k) - array);
    EXPECT_EQ(-k, array - (array + k));
    EXPECT_EQ(k / 8 % cores(), (array + k).core());
  }
  on_all_cores([] { EXPECT_LT(resident_here(), 64 * MiB) << "only touched pages"; });
  global_free(array);
}

TEST(LargeArray, IsCopiedAndFilledNearItsEnd) {
  const int64_t n = int64_t{kBytes / 8}, count = 10000, first = n - count;
  auto array = global_alloc<int64_t>(size_t(n));
  memset(array + first, 7, count);
  Grappa::memcpy(array + 3, array + first, count - 5);
  forall(array + 3, count - 5, [](int64_t& element) { EXPECT_EQ(7, element); });
  forall(array + first, count, [](int64_t i, int64_t& element) { element = i; });
  Incoherent<int64_t>::RO last(array + n - 20, 20);
  EXPECT_EQ(count - 1, last[19]);
  prefix_sum(array + first, count);
  EXPECT_EQ(count * (count - 1) / 2, delegate::read(array + n - 1));
  global_free(array);
}

}  // namespace
