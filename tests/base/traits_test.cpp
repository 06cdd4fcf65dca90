#include "system/base/traits.hpp"

#include <gtest/gtest.h>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

struct Overloaded {
  int operator()(int);
  double operator()(double, double);
};

struct OnlyRvalue {
  int operator()() &&;
};

TEST(IsCallable, ChecksTheArguments) {
  EXPECT_TRUE((is_callable<Overloaded, int>::value));
  EXPECT_TRUE((is_callable<Overloaded, double, double>::value));
  EXPECT_FALSE((is_callable<Overloaded>::value));
  EXPECT_FALSE((is_callable<Overloaded, std::string>::value));
}

TEST(IsCallable, AllowsConversionsOfArguments) {
  EXPECT_TRUE((is_callable<Overloaded, short>::value));
}

TEST(IsCallable, ChecksAnLvalue) { EXPECT_FALSE((is_callable<OnlyRvalue>::value)); }

TEST(IsCallable, IsFalseForNonFunctions) { EXPECT_FALSE((is_callable<int>::value)); }

TEST(IsCallable, SupportsFunctionPointers) {
  EXPECT_TRUE((is_callable<int (*)(int), int>::value));
  EXPECT_FALSE((is_callable<int (*)(int)>::value));
}

TEST(CallResult, FollowsTheOverload) {
  EXPECT_TRUE((std::is_same<call_result<Overloaded, int>::type, int>::value));
  EXPECT_TRUE((std::is_same<call_result<Overloaded, double, double>::type, double>::value));
}

TEST(CallResult, KeepsReferences) {
  EXPECT_TRUE((std::is_same<call_result<int& (*)()>::type, int&>::value));
}

struct Pod {
  int x;
  double y[3];
};

struct CopyCounts {
  CopyCounts(const CopyCounts&);
};

TEST(Travels, IsTrueForPlainData) {
  EXPECT_TRUE(travels<int>::value);
  EXPECT_TRUE(travels<Pod>::value);
  EXPECT_TRUE(travels<void*>::value);
}

TEST(Travels, IsFalseForTypesWithCopyConstructorOrDestructor) {
  EXPECT_FALSE(travels<std::string>::value);
  EXPECT_FALSE(travels<CopyCounts>::value);
}

TEST(Travels, ChecksTheCapturesOfClosures) {
  int plain = 1;
  const std::string text = "owns memory";
  const auto plain_closure = [plain] { return plain; };
  const auto text_closure = [text] { return text.size(); };
  EXPECT_TRUE(travels<std::decay<decltype(plain_closure)>::type>::value);
  EXPECT_FALSE(travels<std::decay<decltype(text_closure)>::type>::value);
  EXPECT_EQ(plain_closure() + static_cast<int>(text_closure()), 12);
}

}  // namespace
}  // namespace Grappa
