#include "system/global/payload_fields.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

namespace {

/// Trivially copyable, but its Serialize writes one byte.
struct Small {
  int64_t number;
};

}  // namespace

template <>
struct Grappa::Serialize<Small> {
  static size_t size(const Small&) { return 1; }
  static void write(Writer* to, const Small& small) { to->value(static_cast<char>(small.number)); }
  static Small read(Reader* from) { return Small{from->value<char>()}; }
};

namespace {

using namespace Grappa;

Core last_core() { return static_cast<Core>(cores() - 1); }

TEST(PayloadFields, AreReadFromTheirOwnBytes) {
  for (Core core = 0; core < cores(); ++core) {
    const std::vector<std::string> texts = {"a", "bc"};
    EXPECT_EQ(12, delegate::call(core, payload(Small{7}, texts, "xy", Small{1}),
                                 [](Small small, const std::vector<std::string>& copies,
                                    const std::string& text, Small one) {
                                   return small.number + one.number +
                                          static_cast<int64_t>(copies.size() + text.size());
                                 }));
  }
}

std::vector<int32_t> numbers;  // of each core

TEST(PayloadFields, AreACopyOnTheCoreOfTheCaller) {
  for (const size_t n : {size_t{3}, size_t{5000}}) {
    for (Core core = 0; core < cores(); ++core) {
      on_all_cores([n] { numbers.assign(n, 4); });
      const int64_t sum = delegate::call(core, payload(numbers), [](View<int32_t> view) {
        numbers.insert(numbers.begin(), view.begin(), view.end());
        numbers.assign(numbers.size() * 3, 4);
        int64_t all = 0;
        for (const int32_t number : view) all += number;
        return all;
      });
      EXPECT_EQ(static_cast<int64_t>(4 * n), sum);
      EXPECT_EQ(6 * n, delegate::call(core, [] { return numbers.size(); }));
    }
  }
}

template <class Text>
struct TypeIfView {
  static_assert(!std::is_same<Text, std::string>::value, "the body is only used with views");
  typedef std::string type;
};
struct CopyOfAny {
  template <class Text>
  typename TypeIfView<Text>::type operator()(Text text) const {
    return text.copy();
  }
};

TEST(PayloadFields, AreViewsIfTheBodyIsATemplate) {
  EXPECT_EQ("some text", delegate::call(last_core(), payload("some text"), CopyOfAny()));
}

}  // namespace
