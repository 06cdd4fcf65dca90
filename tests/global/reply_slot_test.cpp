/// Tests of answers of any size up to the size of a message buffer. Each answer ends with a number,
/// so the tests detect incomplete copies.

#include "system/global/reply.hpp"

#include "system/message/aggregator.hpp"
#include "system/net/transport.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

template <size_t n>
struct Bytes {
  unsigned char at[n];
};

unsigned char pattern(size_t k) { return static_cast<unsigned char>(k * 31 + k / 256 + 7); }

template <size_t n>
Bytes<n> filled() {
  Bytes<n> bytes;
  for (size_t k = 0; k < n; ++k) bytes.at[k] = pattern(k);
  return bytes;
}

template <size_t n>
void expect_filled(const Bytes<n>& bytes) {
  size_t wrong = 0;
  for (size_t k = 0; k < n; ++k) wrong += bytes.at[k] == pattern(k) ? 0 : 1;
  EXPECT_EQ(0u, wrong) << "wrong bytes in an answer of " << n << " bytes";
}

/// True if an answer of `n` bytes and its slot number fit in a message buffer of this job.
bool fits(size_t n) { return n + 4 <= largest_message(); }

template <size_t n>
GRAPPA_NOINLINE void ask() {
  if (!fits(n)) return;
  for (Core core = 0; core < cores(); ++core) expect_filled(delegate::call(core, filled<n>));
  // The concurrent calls may use up all buffers.
  finish([] {
    for (int64_t k = 0; k < 3 * cores(); ++k) {
      spawn([k] {
        expect_filled(delegate::call(static_cast<Core>(k % cores()), [] {
          yield();
          return filled<n>();
        }));
      });
    }
  });
}

template <size_t n>
GRAPPA_NOINLINE void ask_in_future() {
  if (!fits(n)) return;
  for (Core core = 0; core < cores(); ++core) {
    Future<Bytes<n>> answer = delegate::call_future(core, filled<n>);
    expect_filled(answer.get());
  }
}

constexpr size_t kSmallestBuffer = 16 * KiB - sizeof(Buffer) - sizeof(RunHeader) - 4;

TEST(ReplySlot, StoresAnswersOfAllSizes) {
  ask<1>();
  ask<3>();
  ask<1000>();
}

TEST(ReplySlot, StoresAnswersLargerThanAnyClosure) {
  ask<kMaxClosureBytes - 5>();
  ask<kMaxClosureBytes - 4>();
  ask<kMaxClosureBytes - 3>();
  ask<kMaxClosureBytes>();
  ask<kMaxClosureBytes + 1>();
}

TEST(ReplySlot, StoresAnswersAsLargeAsTheSmallestBuffer) {
  EXPECT_TRUE(fits(kSmallestBuffer));
  ask<kSmallestBuffer - 1>();
  ask<kSmallestBuffer>();
  ask_in_future<kSmallestBuffer>();
}

TEST(ReplySlot, StoresAnswersAsLargeAsTheDefaultBuffer) {
  EXPECT_EQ(transport().buffer_bytes() >= 64 * KiB, fits(detail::kMaxAnswerBytes));
  ask<kSmallestBuffer + 1>();
  ask<detail::kMaxAnswerBytes - 1>();
  ask<detail::kMaxAnswerBytes>();
  ask_in_future<detail::kMaxAnswerBytes>();
}

TEST(ReplySlot, StoresLargeAlignedAnswers) {
  struct alignas(16) Aligned {
    int64_t words[2];
  };
  struct Most {
    Aligned all[detail::kMaxAnswerBytes / sizeof(Aligned)];
  };
  if (!fits(sizeof(Most) + 12)) return;
  const Core last = static_cast<Core>(cores() - 1);
  const auto answer = [] {
    Most most = {};
    most.all[detail::kMaxAnswerBytes / sizeof(Aligned) - 1].words[1] = 17;
    return most;
  };
  EXPECT_EQ(17, delegate::call(last, answer).all[detail::kMaxAnswerBytes / 16 - 1].words[1]);
}

}  // namespace
