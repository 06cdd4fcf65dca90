#include "system/net/mpi_world.hpp"

#include "system/net/shm_segment.hpp"
#include "tests/harness/in_step.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {
namespace {

const uint64_t kMe = 1;  // the first core counts as one, so that it is seen in a sum

uint64_t number_of(Core core) { return kMe + static_cast<uint64_t>(core); }

TEST(MpiWorld, AddsUpEachNumberOverAllCores) {
  const uint64_t n = static_cast<uint64_t>(cores());
  uint64_t values[] = {number_of(mycore()), 1, uint64_t{1} << 40};
  MpiSum sum(values, 3);
  while (!sum.done()) {}
  EXPECT_EQ(values[0], n * (n + 1) / 2);
  EXPECT_EQ(values[1], n);
  EXPECT_EQ(values[2], n << 40);
}

TEST(MpiWorld, SumsOfTwoSequencesDoNotMix) {
  uint64_t phase[] = {1}, vote[] = {100};
  // In another order on every other core.
  if (mycore() % 2 == 0) {
    MpiSum first(phase, 1), second(vote, 1, MpiSum::Sequence::Votes);
    while (!first.done() || !second.done()) {}
  } else {
    MpiSum first(vote, 1, MpiSum::Sequence::Votes), second(phase, 1);
    while (!first.done() || !second.done()) {}
  }
  const uint64_t n = static_cast<uint64_t>(cores());
  EXPECT_EQ(phase[0], n);
  EXPECT_EQ(vote[0], 100 * n);
}

TEST(MpiWorld, GathersTextsOfAnyLengthOnCoreZero) {
  const auto text_of = [](int core) {
    return std::string(static_cast<size_t>(core) * 1000, static_cast<char>('a' + core));
  };
  const std::vector<std::string> texts = mpi_gather_texts(text_of(mycore()));
  ASSERT_EQ(texts.size(), mycore() == 0 ? static_cast<size_t>(cores()) : 0u);
  for (size_t core = 0; core < texts.size(); ++core) {
    EXPECT_EQ(texts[core], text_of(static_cast<int>(core)));
  }
}

TEST(MpiWorld, FindsTheSmallest) {
  EXPECT_EQ(mpi_min(100 - number_of(mycore())), 100 - static_cast<uint64_t>(cores()));
  EXPECT_EQ(mpi_min(~uint64_t{0} - static_cast<uint64_t>(mycore())),
            ~uint64_t{0} - static_cast<uint64_t>(cores() - 1));
}

TEST(MpiWorld, GathersBytesInTheOrderOfTheCores) {
  struct Card {
    char name[13];
    Core core;
  };
  Card mine = {"core", mycore()};
  const std::vector<char> all = mpi_all_gather(&mine, sizeof mine);
  EXPECT_EQ(all.size(), sizeof mine * static_cast<size_t>(cores()));
  for (Core core = 0; core < cores(); ++core) {
    Card card;
    std::memcpy(&card, all.data() + static_cast<size_t>(core) * sizeof card, sizeof card);
    EXPECT_STREQ(card.name, "core");
    EXPECT_EQ(card.core, core);
  }
}

TEST(MpiWorld, ABarrierWaitsForAllCores) {
  ShmLayout layout = {locale_cores(), 1, KiB, 1, 1};
  const std::vector<void*> segments = map_locale_segments(layout);
  ShmRingSlot& arrivals = *layout.inbound(segments[0], 0);
  const uint32_t n = static_cast<uint32_t>(cores());
  for (uint32_t turn = 0; turn < 100; ++turn) {
    const uint32_t arrived = arrivals.fetch_add(1) + 1;
    EXPECT_GT(arrived, turn * n);
    mpi_barrier();
    EXPECT_GE(arrivals.load(), (turn + 1) * n);
    mpi_barrier();
  }
  unmap_locale_segments(layout, segments);
}

}  // namespace
}  // namespace Grappa
