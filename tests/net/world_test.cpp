#include "system/net/world.hpp"

#include "system/net/shm_link.hpp"
#include "tests/harness/in_step.hpp"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace Grappa {
using namespace detail;
namespace {

using detail::world;
using detail::World;

const uint64_t kMe = 1;  // core 0 contributes 1, which changes each sum

uint64_t number_of(Core core) { return kMe + static_cast<uint64_t>(core); }

TEST(World, AddsEachNumberOverAllCores) {
  const uint64_t n = static_cast<uint64_t>(cores());
  uint64_t values[] = {number_of(mycore()), 1, uint64_t{1} << 40};
  const std::unique_ptr<World::Sum> sum = world().begin_sum(values, 3);
  while (!sum->done()) {}
  EXPECT_EQ(values[0], n * (n + 1) / 2);
  EXPECT_EQ(values[1], n);
  EXPECT_EQ(values[2], n << 40);
}

TEST(World, AddsTheMaximumNumberOfSummands) {
  std::vector<uint64_t> values(World::kMostSummands, number_of(mycore()));
  world().begin_sum(values.data(), values.size());  // the destructor waits for the sum
  const uint64_t n = static_cast<uint64_t>(cores());
  EXPECT_EQ(values, std::vector<uint64_t>(World::kMostSummands, n * (n + 1) / 2));
}

TEST(World, SumsOfTwoSequencesDoNotMix) {
  uint64_t phase[] = {1}, vote[] = {100};
  std::unique_ptr<World::Sum> first, second;
  // Odd cores begin the two sums in the opposite order.
  if (mycore() % 2 == 0) first = world().begin_sum(phase, 1);
  second = world().begin_sum(vote, 1, World::Sequence::Votes);
  if (mycore() % 2 != 0) first = world().begin_sum(phase, 1);
  while (!first->done() || !second->done()) {}
  const uint64_t n = static_cast<uint64_t>(cores());
  EXPECT_EQ(phase[0], n);
  EXPECT_EQ(vote[0], 100 * n);
}

/// The contribution of `core` to sum k of each sequence.
uint64_t part(uint64_t k, Core core) { return k * k + static_cast<uint64_t>(core); }

uint64_t total(uint64_t k) {
  uint64_t all = 0;
  for (Core core = 0; core < cores(); ++core) all += part(k, core);
  return all;
}

TEST(World, SumsOfTwoSequencesAreIndependent) {
  const uint64_t kSums = 500;
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed + static_cast<uint64_t>(mycore()));
  struct {
    std::unique_ptr<World::Sum> sum;
    uint64_t begun = 0, ended = 0;
    uint64_t value = 0;
  } sequences[2];
  int wrong = 0;
  while (sequences[0].ended < kSums || sequences[1].ended < kSums) {
    const size_t chosen = random() % 2;
    auto& it = sequences[chosen];
    if (it.ended == kSums) continue;
    if (it.sum == nullptr) {
      it.value = part(++it.begun, mycore());
      it.sum = world().begin_sum(&it.value, 1, static_cast<World::Sequence>(chosen));
    } else if (it.sum->done()) {
      it.sum.reset();
      wrong += it.value != total(++it.ended);
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(World, GathersTextsOfAnyLengthOnCoreZero) {
  const auto text_of = [](int core) {
    return std::string(static_cast<size_t>(core) * 1000, static_cast<char>('a' + core));
  };
  const std::vector<std::string> texts = world().gather_texts(text_of(mycore()));
  ASSERT_EQ(texts.size(), mycore() == 0 ? static_cast<size_t>(cores()) : 0u);
  for (size_t core = 0; core < texts.size(); ++core) {
    EXPECT_EQ(texts[core], text_of(static_cast<int>(core)));
  }
}

/// The byte at index `at` in the contribution of a core.
char pattern(Core core, size_t at) {
  return static_cast<char>((at * 31 + at / 251 + static_cast<size_t>(core)) % 127);
}

std::string text_of(Core core, size_t bytes) {
  std::string text(bytes, ' ');
  for (size_t at = 0; at < bytes; ++at) text[at] = pattern(core, at);
  return text;
}

TEST(World, GathersLargeAndEmptyTexts) {
  const auto bytes_of = [](Core core) { return core % 2 == 0 ? MiB + 13 : 0; };
  const std::vector<std::string> texts =
      world().gather_texts(text_of(mycore(), bytes_of(mycore())));
  for (size_t k = 0; k < texts.size(); ++k) {
    const Core core = static_cast<Core>(k);
    EXPECT_TRUE(texts[k] == text_of(core, bytes_of(core))) << "core " << core;
  }
}

TEST(World, GathersManyBytesFromAllCores) {
  for (const size_t bytes : {1, 7999, 8000, 8001, 16000, 100000}) {
    const std::string mine = text_of(mycore(), bytes);
    const std::vector<char> all = world().all_gather(mine.data(), bytes);
    ASSERT_EQ(all.size(), bytes * static_cast<size_t>(cores()));
    for (Core core = 0; core < cores(); ++core) {
      const std::string its(all.data() + static_cast<size_t>(core) * bytes, bytes);
      EXPECT_TRUE(its == text_of(core, bytes)) << bytes << " bytes of core " << core;
    }
  }
}

TEST(World, FindsTheMinimum) {
  EXPECT_EQ(world().min(100 - number_of(mycore())), 100 - static_cast<uint64_t>(cores()));
  EXPECT_EQ(world().min(~uint64_t{0} - static_cast<uint64_t>(mycore())),
            ~uint64_t{0} - static_cast<uint64_t>(cores() - 1));
}

TEST(World, GathersBytesInTheOrderOfTheCores) {
  struct Card {
    char name[13];
    Core core;
  };
  Card mine = {"core", mycore()};
  const std::vector<char> all = world().all_gather(&mine, sizeof mine);
  EXPECT_EQ(all.size(), sizeof mine * static_cast<size_t>(cores()));
  for (Core core = 0; core < cores(); ++core) {
    Card card;
    std::memcpy(&card, all.data() + static_cast<size_t>(core) * sizeof card, sizeof card);
    EXPECT_STREQ(card.name, "core");
    EXPECT_EQ(card.core, core);
  }
}

TEST(World, ABarrierWaitsForAllCores) {
  ShmLayout layout = {locale_cores(), 1, KiB, 1, 1};
  const std::vector<void*> segments = map_locale_segments(layout);
  ShmRingSlot& arrivals = *layout.inbound(segments[0], 0);
  const uint32_t n = static_cast<uint32_t>(cores());
  for (uint32_t turn = 0; turn < 100; ++turn) {
    const uint32_t arrived = arrivals.fetch_add(1) + 1;
    EXPECT_GT(arrived, turn * n);
    world().barrier();
    EXPECT_GE(arrivals.load(), (turn + 1) * n);
    world().barrier();
  }
  unmap_locale_segments(layout, segments);
}

TEST(World, TheFailureWordIsTheSameForAllCoresOfTheMachine) {
  std::atomic<uint32_t>* word = world().failure_word();
  ASSERT_NE(word, nullptr);
  EXPECT_EQ(word->load(), 0u);
  world().barrier();
  word->fetch_add(1);
  world().barrier();
  EXPECT_EQ(word->load(), static_cast<uint32_t>(cores()));
  world().barrier();
  word->store(0);
}

TEST(World, NumbersTheCores) {
  const Core me = mycore();
  const std::vector<char> all = world().all_gather(&me, sizeof me);
  ASSERT_EQ(all.size(), sizeof me * static_cast<size_t>(cores()));
  for (Core core = 0; core < cores(); ++core) {
    Core there;
    std::memcpy(&there, all.data() + static_cast<size_t>(core) * sizeof there, sizeof there);
    EXPECT_EQ(there, core);
  }
}

bool mpi_is_loaded() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/libmpi") != std::string::npos) return true;
  }
  return false;
}

TEST(World, LoadsMpiOnlyInTheMpiWorld) { EXPECT_EQ(mpi_is_loaded(), can_pretend(1)); }

TEST(World, SimulatesLocalesOnlyInTheMpiWorld) {
  EXPECT_EQ(world().refusal(0), "");
  if (mpi_is_loaded()) return;
  EXPECT_EQ(world().refusal(2).substr(0, 38), "--cores_per_locale needs --world=mpi: ");
}

}  // namespace
}  // namespace Grappa
