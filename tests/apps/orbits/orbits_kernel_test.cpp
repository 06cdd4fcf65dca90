/// The lengths of orbits are known by theory, and a serial program finds the same elements.

#include "apps/orbits/orbits.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <string>

namespace {

using orbits::Orbit;
using orbits::Problem;

// Mathieu groups by the generators of R. D. Carmichael, "Introduction to the Theory of Groups of
// Finite Order", 1937. The first two generate M11, and all three M12.
const std::string kMathieu11 = "(1,2,3,4,5,6,7,8,9,10,11);(3,7,11,8)(4,10,5,6)";
const std::string kMathieu12 = kMathieu11 + ";(1,12)(2,11)(3,6)(4,8)(5,9)(7,10)";

Problem problem_of(int points, const std::string& generators, const std::string& start,
                   bool sets = false) {
  Problem problem;
  problem.points = points;
  problem.sets = sets;
  EXPECT_EQ(orbits::parse_generators(generators, &problem), "");
  EXPECT_EQ(orbits::parse_start(start, &problem), "");
  return problem;
}

// Checks the orbit against the serial program, and returns its length.
int64_t length_of(const Problem& problem) {
  const Orbit found = orbits::find(problem), serial = orbits::find_serially(problem);
  EXPECT_EQ(found.elements, serial.elements);
  EXPECT_EQ(found.levels, serial.levels);
  EXPECT_EQ(found.checksum, serial.checksum);
  return found.elements;
}

TEST(Orbits, OfAllPermutationsHaveAllTuplesAndSets) {
  const std::string all = orbits::symmetric_generators(12);
  EXPECT_EQ(length_of(problem_of(12, all, "5")), 12);
  EXPECT_EQ(length_of(problem_of(12, all, "3,1,2")), 12 * 11 * 10);
  EXPECT_EQ(length_of(problem_of(12, all, "3,1,2,12", true)), 495);
  const std::string most = orbits::symmetric_generators(8);
  EXPECT_EQ(length_of(problem_of(8, most, "1,2,3,4,5,6,7,8")), 40320);
  EXPECT_EQ(length_of(problem_of(8, most, "8,7,6,5,4,3,2,1", true)), 1);
}

TEST(Orbits, OfACyclicGroupHaveItsOrder) {
  EXPECT_EQ(length_of(problem_of(30, "(1,2,3,4,5,6,7,8,9,10)", "1,2")), 10);
  EXPECT_EQ(length_of(problem_of(30, "(1,2,3,4,5,6,7,8,9,10)", "1,6", true)), 5);
  EXPECT_EQ(length_of(problem_of(30, "(1,2,3,4,5,6,7,8,9,10)", "20")), 1);
  EXPECT_EQ(length_of(problem_of(255, "(1,255)(2,254)", "255,2")), 2);
}

// M11 is sharply 4-transitive, and M12 sharply 5-transitive.
TEST(Orbits, OfSharplyTransitiveGroupsHaveTheirOrder) {
  EXPECT_EQ(length_of(problem_of(11, kMathieu11, "1,2,3,4")), 7920);
  EXPECT_EQ(length_of(problem_of(12, kMathieu12, "1,2,3,4,5")), 95040);
}

// M12 permutes the 132 hexads of a Steiner system, in which 5 points have exactly one hexad.
TEST(Orbits, OfM12OnSetsOf6AreHexadsAndOthers) {
  int hexads = 0;
  for (int sixth = 6; sixth <= 12; ++sixth) {
    const std::string start = "1,2,3,4,5," + std::to_string(sixth);
    const int64_t length = length_of(problem_of(12, kMathieu12, start, true));
    EXPECT_TRUE(length == 132 || length == 792) << length;
    if (length == 132) ++hexads;
  }
  EXPECT_EQ(hexads, 1);
}

std::string generators_error(const std::string& text) {
  Problem problem;
  problem.points = 9;
  return orbits::parse_generators(text, &problem);
}

std::string start_error(const std::string& text) {
  Problem problem;
  problem.points = 9;
  return orbits::parse_start(text, &problem);
}

TEST(OrbitsInput, RefusesTextsThatAreNoPermutations) {
  EXPECT_EQ(generators_error("(1,2"), "a cycle is not closed by \")\"");
  EXPECT_EQ(generators_error("(1,2)x"), "\"x\" is not part of a cycle, expected \"(\"");
  EXPECT_EQ(generators_error("(1,1)"), "point 1 occurs twice");
  EXPECT_EQ(generators_error("(1,2)(3,1)"), "point 1 occurs in two cycles of a permutation");
  EXPECT_EQ(generators_error("(1,10)"), "\"10)\" does not begin with a point, expected 1 to 9");
  EXPECT_EQ(generators_error("()"), "\")\" does not begin with a point, expected 1 to 9");
  EXPECT_EQ(generators_error(";;;;;;;;"), "9 generators, expected at most 8");
}

TEST(OrbitsInput, RefusesTextsThatAreNoElements) {
  EXPECT_EQ(start_error("1,2 3"), "\" \" follows a point, expected \",\"");
  EXPECT_EQ(start_error("0"), "\"0\" does not begin with a point, expected 1 to 9");
  EXPECT_EQ(start_error(""), "\"\" does not begin with a point, expected 1 to 9");
  EXPECT_EQ(start_error("1,2,1"), "point 1 occurs twice");
  EXPECT_EQ(start_error("1,2,3,4,5,6,7,8,9"), "9 points, expected at most 8");
}

}  // namespace
