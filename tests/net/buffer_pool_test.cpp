#include "system/net/buffer.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(BufferQueue, EndsWithTheLastBufferDespiteItsOldLink) {
  Buffer first = Buffer(), second = Buffer(), other = Buffer();
  first.next = &other;
  BufferQueue queue;
  queue.push(&first);
  EXPECT_EQ(queue.pop(), &first);
  EXPECT_TRUE(queue.empty());
  queue.push(&second);
  EXPECT_EQ(queue.pop(), &second);
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(BufferQueue, AppendsBehindABufferThatWasPutInFront) {
  Buffer first = Buffer(), second = Buffer();
  BufferQueue queue;
  queue.push_front(&first);
  queue.push(&second);
  EXPECT_EQ(queue.pop(), &first);
  EXPECT_EQ(queue.pop(), &second);
}

TEST(BufferPool, IsInitiallyEmpty) {
  BufferPool pool;
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_EQ(pool.take(), nullptr);
}

TEST(BufferPool, TakesTheMostRecentHotBuffer) {
  Buffer buffers[3];
  BufferPool pool;
  for (Buffer& buffer : buffers) pool.put_hot(&buffer);
  EXPECT_EQ(pool.take(), &buffers[2]);
  EXPECT_EQ(pool.take(), &buffers[1]);
  pool.put_hot(&buffers[2]);
  EXPECT_EQ(pool.take(), &buffers[2]);
  EXPECT_EQ(pool.take(), &buffers[0]);
  EXPECT_EQ(pool.take(), nullptr);
}

TEST(BufferPool, TakesTheOldestBufferIfNoneIsHot) {
  Buffer buffers[4];
  BufferPool pool;
  for (int k = 0; k < 3; ++k) pool.put(&buffers[k]);
  EXPECT_FALSE(pool.has_hot());
  pool.put_hot(&buffers[3]);
  EXPECT_TRUE(pool.has_hot());
  EXPECT_EQ(pool.take(), &buffers[3]);
  EXPECT_EQ(pool.take(), &buffers[0]);
  pool.put(&buffers[0]);
  EXPECT_EQ(pool.take(), &buffers[1]);
  EXPECT_EQ(pool.take(), &buffers[2]);
  EXPECT_EQ(pool.take(), &buffers[0]);
  EXPECT_EQ(pool.take(), nullptr);
  pool.put(&buffers[1]);
  EXPECT_EQ(pool.take(), &buffers[1]) << "after the queue was empty";
}

TEST(BufferPool, CountsFreeBuffers) {
  Buffer buffers[2];
  BufferPool pool;
  pool.put(&buffers[0]);
  pool.put_hot(&buffers[1]);
  EXPECT_EQ(pool.size(), 2u);
  pool.take();
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_NE(pool.size(), 0u);
  pool.take();
  pool.take();  // returns null
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_EQ(pool.size(), 0u);
}

TEST(Buffer, HeaderFillsOneCacheLine) {
  Buffer buffers[2];
  EXPECT_EQ(static_cast<void*>(buffers[0].runs()), static_cast<void*>(&buffers[1]));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffers[0].runs()) % kCacheLineBytes, 0u);
}

}  // namespace
}  // namespace Grappa
