#include "system/base/traits.hpp"

#include <gtest/gtest.h>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

template <class T>
std::string name_of() {
  size_t length = 0;
  const char* name = type_name_in(type_signature<T>(), &length);
  return std::string(name, length);
}

struct Traveller {};

TEST(TypeName, ContainsTheNameOfTheType) {
  EXPECT_EQ(name_of<int>(), "int");
  EXPECT_NE(name_of<Traveller>().find("Traveller"), std::string::npos);
  EXPECT_EQ(name_of<Traveller>().find(']'), std::string::npos);
}

TEST(TypeName, NamesTheFunctionOrTheFileOfALambda) {
  auto lambda = [] {};
#ifdef __clang__
  const char* const place = "type_name_test.cpp:";
#else
  const char* const place = "NamesTheFunctionOrTheFileOfALambda";
#endif
  EXPECT_NE(name_of<decltype(lambda)>().find(place), std::string::npos);
}

TEST(TypeName, IsTheWholeTextIfTheTextIsNotASignature) {
  size_t length = 0;
  const std::string text = "the main task";
  const char* name = type_name_in(text.c_str(), &length);
  EXPECT_EQ(std::string(name, length), text);
}

}  // namespace
}  // namespace Grappa
