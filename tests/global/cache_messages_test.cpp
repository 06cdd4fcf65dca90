/// Counts the buffers that the caches of one task send. The job runs with --steal=false, because
/// otherwise idle cores send steal requests.

#include "system/global/cache.hpp"

#include "system/net/transport.hpp"

#include <Grappa.hpp>
#include <deque>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef Incoherent<int64_t> Words;

constexpr int64_t kCaches = 50;
constexpr int64_t kWords = 16;  // two or three blocks, which belong to different cores

uint64_t buffers_sent() {
  // Acknowledgements of earlier messages may not have been sent. The yields let the core send them.
  for (int turns = 0; turns < 50; ++turns) yield();
  return transport().buffers_sent();
}

GlobalAddress<int64_t> place(GlobalAddress<int64_t> array, int64_t k) { return array + 90 * k + 5; }

TEST(CacheMessages, AcquireOfManyCachesSendsOneBufferToEachOwner) {
  auto array = global_alloc<int64_t>(90 * kCaches + 90);
  forall(array, 90 * kCaches + 90, [](int64_t i, int64_t& word) { word = i; });
  std::deque<Words::RO> caches;
  for (int64_t k = 0; k < kCaches; ++k) caches.emplace_back(place(array, k), kWords);
  const uint64_t before = buffers_sent();
  for (Words::RO& cache : caches) cache.start_acquire();
  EXPECT_EQ(before, transport().buffers_sent()) << "before the task waits";
  for (Words::RO& cache : caches) cache.block_until_acquired();
  EXPECT_EQ(uint64_t(cores() - 1), transport().buffers_sent() - before);
  for (int64_t k = 0; k < kCaches; ++k) EXPECT_EQ(90 * k + 5, caches[size_t(k)][0]);
  global_free(array);
}

TEST(CacheMessages, ReleaseOfManyCachesSendsOneBufferToEachOwner) {
  auto array = global_alloc<int64_t>(90 * kCaches + 90);
  std::deque<Words::WO> caches;
  for (int64_t k = 0; k < kCaches; ++k) {
    caches.emplace_back(place(array, k), kWords);
    for (int64_t i = 0; i < kWords; ++i) caches.back()[i] = 100 * k + i;
  }
  const uint64_t before = buffers_sent();
  for (Words::WO& cache : caches) cache.start_release();
  EXPECT_EQ(before, transport().buffers_sent()) << "before the task waits";
  for (Words::WO& cache : caches) cache.block_until_released();
  EXPECT_EQ(uint64_t(cores() - 1), transport().buffers_sent() - before);
  for (int64_t k = 0; k < kCaches; ++k)
    EXPECT_EQ(100 * k + 15, delegate::read(place(array, k) + 15));
  global_free(array);
}

}  // namespace
