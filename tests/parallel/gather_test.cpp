#include "system/parallel/gather.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

TEST(Gather, ReturnsValuesOfAnyLengthByCore) {
  const std::vector<std::string> texts = gather([] {
    yield();
    return std::string(static_cast<size_t>(mycore()) * 50000, 'g');
  });
  ASSERT_EQ(static_cast<size_t>(cores()), texts.size());
  for (size_t core = 0; core < texts.size(); ++core) EXPECT_EQ(core * 50000, texts[core].size());
}

std::string text_of(Core core) {
  return std::string(static_cast<size_t>(core) * 30000 + 1, static_cast<char>('a' + core % 26));
}

TEST(Gather, ReturnsTheValuesToEachCoreThatCallsIt) {
  on_all_cores([] {
    const std::vector<std::string> texts = gather([] { return text_of(mycore()); });
    ASSERT_EQ(static_cast<size_t>(cores()), texts.size());
    for (Core core = 0; core < cores(); ++core) {
      EXPECT_TRUE(text_of(core) == texts[static_cast<size_t>(core)]) << "of core " << core;
    }
  });
}

TEST(Gather, ReturnsStructuredAndFixedValues) {
  typedef std::vector<std::pair<std::string, int64_t>> Entries;
  const std::vector<Entries> parts = gather([] {
    return Entries(static_cast<size_t>(mycore()), {"core", mycore()});
  });
  for (size_t core = 0; core < parts.size(); ++core) {
    EXPECT_EQ(Entries(core, {"core", static_cast<int64_t>(core)}), parts[core]);
  }
  const std::vector<Core> numbers = gather([] { return mycore(); });
  for (size_t core = 0; core < numbers.size(); ++core) {
    EXPECT_EQ(static_cast<Core>(core), numbers[core]);
  }
}

TEST(Gather, ReturnsVectorsOfCharactersAndOfTruthValues) {
  for (const std::vector<char>& part : gather([] { return std::vector<char>{'a', 0, 'b'}; })) {
    EXPECT_EQ((std::vector<char>{'a', 0, 'b'}), part);
  }
  for (const std::vector<bool>& part : gather([] { return std::vector<bool>{true, false}; })) {
    EXPECT_EQ((std::vector<bool>{true, false}), part);
  }
}

}  // namespace
