#include "structures/graph/make/generators.hpp"
#include "tests/structures/graph/serial_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

constexpr int64_t kPages = 1 << 14, kLinks = 16;

// Returns the number of links to each page. Local links are counted only if `local`.
std::vector<int64_t> in_degrees(const WebGenerator& web, int64_t links, bool local) {
  std::vector<int64_t> degrees(size_t(web.nv()));
  for (int64_t i = 0; i < web.nedge(); ++i) {
    if (local || i % links >= links / 2) ++degrees[size_t(web.edge(i).v1)];
  }
  return degrees;
}

TEST(Web, GivesTheSameEdgeForTheSameSeedAndIndex) {
  const WebGenerator one(kPages, kLinks, 1);
  const WebGenerator another(kPages, kLinks, 1);
  for (int64_t i = one.nedge(); i-- > 0;) ASSERT_EQ(one.edge(i), another.edge(i)) << "edge " << i;
}

TEST(Web, GivesOtherLinksForAnotherSeed) {
  const WebGenerator one(kPages, kLinks, 1);
  const WebGenerator other(kPages, kLinks, 2);
  int64_t same = 0;
  for (int64_t i = 0; i < one.nedge(); ++i) same += one.edge(i) == other.edge(i);
  EXPECT_LT(same, one.nedge() / 50);
}

TEST(Web, HasTheGivenNumberOfLinksFromEachPageToEarlierPages) {
  for (const int64_t links : {1, 2, 5}) {
    const WebGenerator web(3000, links, 7);
    EXPECT_EQ(web.nv(), 3000);
    ASSERT_EQ(web.nedge(), 3000 * links);
    for (int64_t i = 0; i < web.nedge(); ++i) {
      const TupleEdge e = web.edge(i);
      ASSERT_EQ(e.v0, i / links);
      ASSERT_TRUE(e.v1 >= 0 && (e.v1 < e.v0 || e.v0 == 0)) << e.v0 << " " << e.v1;
    }
  }
}

// A graph of fewer pages is the beginning of a graph of more pages.
TEST(Web, DoesNotDependOnLaterPages) {
  const WebGenerator small(1000, kLinks, 1), large(WebGenerator::kMaxPages, kLinks, 1);
  for (int64_t i = 0; i < small.nedge(); ++i) ASSERT_EQ(small.edge(i), large.edge(i));
}

TEST(Web, IsConnected) {
  const Parts parts = serial_parts(WebGenerator(kPages, 1, 1));
  EXPECT_EQ(parts.count, 1);
  EXPECT_EQ(parts.largest, kPages);
}

// With the seeds 1 to 10, the largest in-degree is 88 to 142 times the mean.
TEST(Web, HasPagesWithManyMoreLinksThanTheMean) {
  const auto degrees = in_degrees(WebGenerator(kPages, kLinks, 1), kLinks, true);
  EXPECT_GT(*std::max_element(degrees.begin(), degrees.end()), 60 * kLinks);
}

// The estimator of B. Hill ("A Simple General Approach to Inference About the Tail of a
// Distribution", Annals of Statistics 1975) for the largest 1 % of the in-degrees. If the share of
// pages with d links is proportional to d^-x, the estimate converges to x, which is 2.25. With the
// seeds 1 to 5, the estimates for these 2^18 pages are 2.10 to 2.17.
TEST(Web, HasInDegreesWithTheTailOfTheModel) {
  constexpr int64_t kFewLinks = 4;
  auto degrees = in_degrees(WebGenerator(1 << 18, kFewLinks, 1), kFewLinks, false);
  std::sort(degrees.begin(), degrees.end(), std::greater<int64_t>());
  const size_t tail = degrees.size() / 100;
  double sum = 0;
  for (size_t i = 0; i < tail; ++i) sum += std::log(double(degrees[i]) / double(degrees[tail]));
  EXPECT_NEAR(1 + double(tail) / sum, 1 + 1 / WebGenerator::kCopied, 0.2);
}

// A link that is not copied spans half a window on average, and each copy adds the same.
TEST(Web, HasHalfOfItsLinksToPagesWithSimilarIds) {
  const WebGenerator web(1 << 16, kLinks, 1);
  const double expected = double(WebGenerator::kWindow) / 2 / (1 - WebGenerator::kCopied);
  double sum = 0;
  for (int64_t i = 0; i < web.nedge(); ++i) {
    if (i % kLinks < kLinks / 2) sum += double(web.edge(i).v0 - web.edge(i).v1);
  }
  EXPECT_NEAR(sum / double(web.nedge() / 2), expected, expected / 20);
}

// A page and its local prototype have each local link in common with the probability kCopied.
TEST(Web, HasPagesWithManyEqualLinks) {
  constexpr int64_t kFew = 2048, kLocal = kLinks / 2;
  const WebGenerator web(kFew, kLinks, 1);
  std::vector<VertexID> target(size_t(web.nedge()));
  for (int64_t i = 0; i < web.nedge(); ++i) target[size_t(i)] = web.edge(i).v1;
  int64_t similar = 0;
  for (VertexID v = kFew / 2; v < kFew; ++v) {
    int64_t most = 0;
    for (VertexID w = v - WebGenerator::kWindow; w < v; ++w) {
      int64_t equal = 0;
      for (int64_t k = 0; k < kLocal; ++k) {
        equal += target[size_t(v * kLinks + k)] == target[size_t(w * kLinks + k)];
      }
      most = std::max(most, equal);
    }
    similar += most >= kLocal / 2;
  }
  EXPECT_GT(similar, kFew / 2 * 9 / 10);
}

TEST(Web, MayHaveOnePage) {
  const WebGenerator web(1, 2, 1);
  EXPECT_EQ(web.nedge(), 2);
  EXPECT_EQ(web.edge(1), (TupleEdge{0, 0}));
}

TEST(WebDeathTest, IsRefusedIfItHasTooManyPagesOrLinksOrNone) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(WebGenerator(0, 1, 1), "invalid web graph of 0 pages, expected 1 to 2\\^48");
  EXPECT_DEATH(WebGenerator(WebGenerator::kMaxPages + 1, 1, 1), "expected 1 to 2\\^48");
  EXPECT_DEATH(WebGenerator(10, 0, 1), "invalid web graph of 0 links for each of 10 pages");
  EXPECT_DEATH(WebGenerator(WebGenerator::kMaxPages, (1 << 14) + 1, 1), "at most 2\\^62 links");
}

}  // namespace
}  // namespace Grappa
