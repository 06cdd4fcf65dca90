#include "tests/structures/linearizable.hpp"

#include <gtest/gtest.h>

namespace linearizability { namespace {

struct Call {
  Operation operation;
  Operation at(uint64_t invoked, uint64_t returned) const {
    Operation result = operation;
    result.invoked = invoked;
    result.returned = returned;
    return result;
  }
};

Call call(Kind kind, int64_t key, int64_t value, bool yes, int64_t result) {
  return {{0, 0, kind, key, value, yes, result, 0, 0, false}};
}
Call push(int64_t value) { return call(Kind::Push, 0, value, false, 0); }
Call pop(int64_t result) { return call(Kind::TryPop, 0, 0, true, result); }
Call pop_nothing() { return call(Kind::TryPop, 0, 0, false, 0); }
Call size(int64_t result) { return call(Kind::Size, 0, 0, false, result); }
Call insert(int64_t key, bool is_new, int64_t value = 0) {
  return call(Kind::Insert, key, value, is_new, 0);
}
Call lookup(int64_t key, bool in, int64_t result = 0) {
  return call(Kind::Lookup, key, 0, in, result);
}
Call combine(int64_t key, bool is_new, int64_t value) {
  return call(Kind::Combine, key, value, is_new, 0);
}
Call update(int64_t key, int64_t old, int64_t value) {
  return call(Kind::Update, key, value, false, old);
}
Call visit(int64_t key, bool in, int64_t value) { return call(Kind::Visit, key, value, in, 0); }
Call contains(int64_t key, bool in) { return call(Kind::Contains, key, 0, in, 0); }
Call erase(int64_t key, bool in) { return call(Kind::Erase, key, 0, in, 0); }

testing::AssertionResult linearizable(const Specification& specification, const History& history) {
  const Verdict verdict = check(specification, history);
  if (verdict) return testing::AssertionSuccess();
  return testing::AssertionFailure() << verdict.report;
}

TEST(Linearizable, IsAHistoryWithoutOperations) {
  for (const Specification& each : {kStack, kQueue, kSet, kMap}) EXPECT_TRUE(check(each, {}));
}

// Sequential operations must have the results of the sequential structure.

TEST(LinearizableStack, PopsTheLastFirst) {
  EXPECT_TRUE(linearizable(kStack, {push(1).at(0, 1), push(2).at(2, 3), size(2).at(4, 5),
                                    pop(2).at(6, 7), pop(1).at(8, 9), pop_nothing().at(10, 11)}));
  EXPECT_FALSE(linearizable(kStack, {push(1).at(0, 1), push(2).at(2, 3), pop(1).at(4, 5)}));
}

TEST(LinearizableQueue, PopsTheFirstFirst) {
  EXPECT_TRUE(linearizable(kQueue, {push(1).at(0, 1), push(2).at(2, 3), size(2).at(4, 5),
                                    pop(1).at(6, 7), pop(2).at(8, 9), pop_nothing().at(10, 11)}));
  EXPECT_FALSE(linearizable(kQueue, {push(1).at(0, 1), push(2).at(2, 3), pop(2).at(4, 5)}));
}

class LinearizableStackAndQueue : public testing::TestWithParam<const Specification*> {};

TEST_P(LinearizableStackAndQueue, PopNoElementTwice) {
  EXPECT_FALSE(linearizable(*GetParam(), {push(1).at(0, 1), pop(1).at(2, 9), pop(1).at(2, 9)}));
}

TEST_P(LinearizableStackAndQueue, PopOnlyPushedElements) {
  EXPECT_FALSE(linearizable(*GetParam(), {push(1).at(0, 9), pop(2).at(0, 9)}));
}

TEST_P(LinearizableStackAndQueue, LoseNoElement) {
  EXPECT_FALSE(linearizable(*GetParam(), {push(1).at(0, 1), pop_nothing().at(2, 3)}));
  EXPECT_FALSE(linearizable(*GetParam(), {push(1).at(0, 1), size(0).at(2, 3)}));
}

TEST_P(LinearizableStackAndQueue, MayPopAnElementOfAConcurrentPush) {
  EXPECT_TRUE(linearizable(*GetParam(), {pop(1).at(0, 9), push(1).at(5, 20)}));
}

TEST_P(LinearizableStackAndQueue, PopNoElementBeforeItsPush) {
  EXPECT_FALSE(linearizable(*GetParam(), {pop(1).at(0, 4), push(1).at(5, 20)}));
}

TEST_P(LinearizableStackAndQueue, MayBeEmptyDuringAPush) {
  EXPECT_TRUE(linearizable(*GetParam(), {push(1).at(0, 9), pop_nothing().at(1, 2)}));
  EXPECT_TRUE(linearizable(*GetParam(), {push(1).at(0, 9), size(0).at(1, 2), size(1).at(3, 4)}));
  EXPECT_FALSE(linearizable(*GetParam(), {push(1).at(0, 9), size(1).at(1, 2), size(0).at(3, 4)}));
}

TEST_P(LinearizableStackAndQueue, OverlapIfTimestampsAreEqual) {
  EXPECT_TRUE(linearizable(*GetParam(), {push(1).at(5, 6), pop(1).at(4, 5)}));
  EXPECT_FALSE(linearizable(*GetParam(), {push(1).at(6, 7), pop(1).at(4, 5)}));
}

INSTANTIATE_TEST_SUITE_P(Both, LinearizableStackAndQueue, testing::Values(&kStack, &kQueue),
                         [](const testing::TestParamInfo<const Specification*>& each) {
                           return std::string(each.param->name);
                         });

// Overlapping calls may take effect in either order, but one order must explain all results.

TEST(LinearizableStack, ReordersPushesThatOverlap) {
  const History pushes = {push(1).at(0, 3), push(2).at(1, 2)};
  for (const int64_t last : {1, 2}) {
    History history = pushes;
    history.push_back(pop(last).at(4, 5));
    history.push_back(pop(3 - last).at(6, 7));
    EXPECT_TRUE(linearizable(kStack, history));
  }
}

TEST(LinearizableStack, DoesNotReorderSuccessivePushes) {
  // If the times are ignored, an order of these calls gives all results. No such order is
  // consistent with the times.
  EXPECT_FALSE(linearizable(
      kStack, {push(1).at(0, 1), push(2).at(2, 3), pop(1).at(4, 8), push(3).at(5, 7)}));
}

TEST(LinearizableStack, MatchesAPairInTheMiddleOfOthers) {
  EXPECT_TRUE(linearizable(kStack, {push(1).at(0, 1), push(7).at(2, 6), pop(7).at(3, 5),
                                    pop(1).at(4, 9), pop_nothing().at(10, 11)}));
}

TEST(LinearizableStack, DoesNotPopAnElementBelowALaterPush) {
  // From time 3 to time 6, value 1 is below value 2. But value 1 is popped during this time.
  EXPECT_FALSE(
      linearizable(kStack, {push(1).at(0, 1), push(2).at(2, 3), pop(1).at(4, 5), pop(2).at(6, 7)}));
  EXPECT_TRUE(
      linearizable(kStack, {push(1).at(0, 1), push(2).at(2, 3), pop(1).at(4, 7), pop(2).at(6, 7)}));
}

TEST(LinearizableQueue, NeedsOneOrderOfPushesForAllPops) {
  const History pushes = {push(1).at(0, 5), push(2).at(0, 5), push(3).at(6, 7)};
  History good = pushes;
  good.insert(good.end(), {pop(2).at(8, 9), pop(1).at(10, 11), pop(3).at(12, 13)});
  EXPECT_TRUE(linearizable(kQueue, good));
  History bad = pushes;
  bad.insert(bad.end(), {pop(2).at(8, 9), pop(3).at(10, 11), pop(1).at(12, 13)});
  EXPECT_FALSE(linearizable(kQueue, bad));
}

TEST(LinearizableQueue, FailsOnlyForTheOrderInRealTime) {
  // Both histories have the same calls and results, but the pops overlap only in `good`.
  const History puts = {push(1).at(0, 1), push(2).at(2, 3)};
  History good = puts;
  good.insert(good.end(), {pop(2).at(4, 7), pop(1).at(5, 6)});
  EXPECT_TRUE(linearizable(kQueue, good));
  History bad = puts;
  bad.insert(bad.end(), {pop(2).at(4, 5), pop(1).at(6, 7)});
  EXPECT_FALSE(linearizable(kQueue, bad));
}

// The following tests check sets and maps.

TEST(LinearizableSet, ReportsItsKeys) {
  EXPECT_TRUE(linearizable(
      kSet, {lookup(1, false).at(0, 1), insert(1, true).at(2, 3), insert(1, false).at(4, 5),
             lookup(1, true).at(6, 7), erase(1, true).at(8, 9), erase(1, false).at(10, 11),
             lookup(1, false).at(12, 13), insert(1, true).at(14, 15), size(1).at(16, 17)}));
  EXPECT_FALSE(linearizable(kSet, {lookup(1, true).at(0, 1)}));
  EXPECT_FALSE(linearizable(kSet, {insert(1, false).at(0, 1)}));
  EXPECT_FALSE(linearizable(kSet, {erase(1, true).at(0, 1)}));
  EXPECT_FALSE(linearizable(kSet, {insert(1, true).at(0, 1), erase(1, false).at(2, 3)}));
  EXPECT_FALSE(linearizable(kSet, {insert(1, true).at(0, 1), size(0).at(2, 3)}));
}

TEST(LinearizableSet, HasOneNewInsertOfAKey) {
  EXPECT_TRUE(linearizable(kSet, {insert(1, false).at(0, 9), insert(1, true).at(1, 8)}));
  EXPECT_FALSE(linearizable(kSet, {insert(1, true).at(0, 9), insert(1, true).at(1, 8)}));
  EXPECT_FALSE(linearizable(kSet, {insert(1, false).at(0, 9), insert(1, false).at(1, 8)}));
}

TEST(LinearizableSet, KeepsAKeyThatALookupHasFound) {
  // During the insert of 1, a lookup finds the key, but a later lookup does not find the key.
  EXPECT_FALSE(linearizable(
      kSet, {insert(1, true).at(0, 9), lookup(1, true).at(1, 2), lookup(1, false).at(3, 4)}));
  EXPECT_TRUE(linearizable(
      kSet, {insert(1, true).at(0, 9), lookup(1, true).at(1, 3), lookup(1, false).at(3, 4)}));
}

TEST(LinearizableSet, LetsADuplicateInsertReturnOnlyAfterTheFirst) {
  EXPECT_FALSE(linearizable(
      kSet, {insert(1, true).at(0, 9), insert(1, false).at(1, 2), lookup(1, false).at(3, 4)}));
}

TEST(LinearizableSet, IsCheckedAcrossKeysIfSizeIsCalled) {
  // The history of each key is correct, but both keys are in the set when the size is 1.
  const History history = {insert(1, true).at(0, 1), insert(2, true).at(2, 3)};
  History good = history;
  good.push_back(size(2).at(4, 5));
  EXPECT_TRUE(linearizable(kSet, good));
  History bad = history;
  bad.push_back(size(1).at(4, 5));
  EXPECT_FALSE(linearizable(kSet, bad));
}

TEST(LinearizableMap, ReturnsTheValueOfTheKey) {
  EXPECT_TRUE(linearizable(
      kMap, {insert(1, true, 5).at(0, 1), insert(2, true, 6).at(2, 3), lookup(1, true, 5).at(4, 5),
             update(1, 5, 7).at(6, 7), lookup(1, true, 7).at(8, 9), insert(2, false, 8).at(10, 11),
             lookup(2, true, 8).at(12, 13), erase(2, true).at(14, 15), lookup(2, false).at(16, 17),
             update(2, 0, 9).at(18, 19), lookup(2, true, 9).at(20, 21), size(2).at(22, 23)}));
  EXPECT_FALSE(linearizable(kMap, {insert(1, true, 5).at(0, 1), lookup(1, true, 6).at(2, 3)}));
  EXPECT_FALSE(linearizable(
      kMap, {insert(1, true, 5).at(0, 1), update(1, 5, 6).at(2, 3), lookup(1, true, 5).at(4, 5)}));
  EXPECT_FALSE(linearizable(kMap, {update(1, 5, 6).at(2, 3)}));
}

TEST(LinearizableMap, CombinesWithTheOldValue) {
  EXPECT_TRUE(linearizable(kMap, {combine(1, true, 5).at(0, 1), combine(1, false, 6).at(2, 3),
                                  lookup(1, true, 11).at(4, 5)}));
  EXPECT_FALSE(linearizable(kMap, {combine(1, true, 5).at(0, 1), combine(1, false, 6).at(2, 3),
                                   lookup(1, true, 6).at(4, 5)}));
  EXPECT_FALSE(linearizable(kMap, {combine(1, true, 5).at(0, 9), combine(1, true, 6).at(2, 3)}));
}

TEST(LinearizableMap, VisitsOnlyAPresentKey) {
  EXPECT_TRUE(linearizable(kMap, {visit(1, false, 5).at(0, 1), contains(1, false).at(2, 3),
                                  insert(1, true, 6).at(4, 5), visit(1, true, 5).at(6, 7),
                                  contains(1, true).at(8, 9), lookup(1, true, 11).at(10, 11)}));
  EXPECT_FALSE(linearizable(kMap, {visit(1, false, 5).at(0, 1), contains(1, true).at(2, 3)}));
  EXPECT_FALSE(linearizable(kMap, {insert(1, true, 6).at(0, 1), contains(1, false).at(2, 3)}));
  EXPECT_FALSE(linearizable(kMap, {insert(1, true, 6).at(0, 1), visit(1, false, 5).at(2, 3)}));
  EXPECT_FALSE(linearizable(kMap, {insert(1, true, 6).at(0, 1), visit(1, true, 5).at(2, 3),
                                   lookup(1, true, 6).at(4, 5)}));
}

TEST(LinearizableMap, ReordersInsertsThatOverlap) {
  for (const int64_t last : {6, 7}) {
    EXPECT_TRUE(linearizable(kMap, {insert(1, true, 5).at(0, 1), insert(1, false, 6).at(2, 5),
                                    insert(1, false, 7).at(3, 4), lookup(1, true, last).at(6, 7)}));
  }
  EXPECT_FALSE(linearizable(kMap, {insert(1, true, 5).at(0, 1), insert(1, false, 6).at(2, 5),
                                   insert(1, false, 7).at(3, 4), lookup(1, true, 5).at(6, 7)}));
}

TEST(LinearizableMap, AcceptsTwoInsertsOfTheSameValue) {
  // The second insert of 6 must not be treated as an operation without effect.
  EXPECT_TRUE(linearizable(kMap, {insert(1, true, 6).at(0, 1), insert(1, false, 6).at(2, 9),
                                  insert(1, false, 7).at(2, 4), lookup(1, true, 6).at(10, 11)}));
}

// A history of four cores. All pushes and pops overlap, and the sizes do not determine their order.
// After a wrong first choice, the search would take a very long time.
const History kSizesOverlapWithMuch = {
    push(10000).at(0, 70625),         push(30100).at(49798, 739013),
    push(30200).at(54175, 781856),    push(20000).at(105251, 827745),
    push(20100).at(109117, 828416),   size(1).at(113022, 401511),
    size(1).at(179021, 493888),       pop(10000).at(182796, 851380),
    push(30000).at(379729, 704091),   push(40200).at(411466, 857809),
    push(20201).at(442572, 837709),   push(40001).at(564754, 855746),
    push(10001).at(643977, 738708),   push(30001).at(723580, 930888),
    size(9).at(734421, 734531),       push(10101).at(734832, 980026),
    push(10002).at(738778, 980817),   push(30101).at(753044, 1147239),
    push(30201).at(782037, 930237),   size(9).at(827835, 960832),
    size(9).at(839512, 961664),       size(9).at(839873, 961874),
    push(40101).at(851800, 1043445),  pop(30100).at(857439, 1089303),
    pop(30200).at(858160, 1091907),   pop(20000).at(930487, 1167459),
    pop(20100).at(939220, 1161971),   pop(30000).at(961133, 1184485),
    push(20102).at(962114, 1365804),  push(10102).at(980357, 1041127),
    push(20203).at(982655, 1546593),  pop(20201).at(983401, 1151631),
    push(10103).at(1041197, 1061097), pop(40200).at(1089614, 1227899),
    push(40202).at(1092919, 1221620), pop(40001).at(1114857, 1262947),
    pop(10001).at(1147440, 1298785),  pop(30001).at(1162061, 1309020),
    pop(30101).at(1169142, 1306576),  size(14).at(1184685, 1328519),
    pop(30201).at(1210594, 1407706),  pop(10101).at(1223533, 1430490),
    push(10201).at(1267463, 1295986), pop(10002).at(1299005, 1479864),
    pop(40101).at(1365894, 1537650),  push(40103).at(1407777, 1445763),
    push(10202).at(1436535, 1445328), pop(10102).at(1445528, 1453169)};

TEST(LinearizableQueue, IsAcceptedWithAnotherGuess) {
  const Verdict verdict = check(kQueue, kSizesOverlapWithMuch);
  EXPECT_TRUE(verdict) << verdict.report;
  EXPECT_LT(Effort().most_of_a_guess, verdict.configurations) << "the first guess would suffice";
}

TEST(LinearizableQueue, IsRejectedWithoutAnOrder) {
  Effort little;
  little.guesses = 1;
  little.most_of_a_guess = little.most_of_the_last = 100;
  const Verdict verdict = check(kQueue, kSizesOverlapWithMuch, little);
  EXPECT_FALSE(verdict);
  EXPECT_EQ(200, verdict.configurations);
  EXPECT_NE(verdict.report.find("no order was found"), std::string::npos);
}

// The following tests check the texts of reports.

TEST(LinearizableReport, NumbersTheLongestBeginning) {
  const Verdict verdict = check(kStack, {pop(2).at(6000, 7000), push(1).at(1000, 2000),
                                         pop(1).at(4000, 5000), push(2).at(2500, 3000)});
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.report,
            "this history of a stack is not linearizable; a longest prefix of an order is "
            "numbered, and its final state is [ 1 2 ]\n"
            "   #               called  returned (us)\n"
            "   1  core 0 task 0       0.000     1.000  push(1)\n"
            "   2  core 0 task 0       1.500     2.000  push(2)\n"
            "   -  core 0 task 0       3.000     4.000  try_pop() = 1\n"
            "   -  core 0 task 0       5.000     6.000  try_pop() = 2\n");
}

TEST(LinearizableReport, ShowsTheWrongKey) {
  const Verdict verdict = check(kSet, {insert(1, true).at(0, 1), insert(2, false).at(0, 1)});
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.report.find("insert(1"), std::string::npos) << verdict.report;
  EXPECT_NE(verdict.report.find("insert(2"), std::string::npos) << verdict.report;
}

TEST(LinearizableReport, NamesEachOperation) {
  EXPECT_EQ(to_text(push(3).operation), "push(3)");
  EXPECT_EQ(to_text(pop(3).operation), "try_pop() = 3");
  EXPECT_EQ(to_text(pop_nothing().operation), "try_pop() = nothing");
  EXPECT_EQ(to_text(size(3).operation), "size() = 3");
  EXPECT_EQ(to_text(insert(1, true, 2).operation), "insert(1, 2) = new");
  EXPECT_EQ(to_text(insert(1, false, 2).operation), "insert(1, 2) = existed");
  EXPECT_EQ(to_text(lookup(1, true, 2).operation), "lookup(1) = 2");
  EXPECT_EQ(to_text(lookup(1, false).operation), "lookup(1) = not found");
  EXPECT_EQ(to_text(combine(1, true, 2).operation), "combine(1, 2) = new");
  EXPECT_EQ(to_text(update(1, 3, 2).operation), "update(1, 2) = 3");
  EXPECT_EQ(to_text(update(1, 0, 2).operation), "update(1, 2) = not found");
  EXPECT_EQ(to_text(erase(1, true).operation), "erase(1) = done");
  EXPECT_EQ(to_text(erase(1, false).operation), "erase(1) = not found");
}

}}  // namespace linearizability
