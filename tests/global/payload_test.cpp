#include "system/message/aggregator.hpp"
#include "system/message/send.hpp"

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

// Each core has its own instances, at the same addresses.
int64_t received = 0;
int64_t wrong = 0;
std::vector<int64_t> last_from;  // last number from each sender

GlobalCompletionEvent event;

Core last_core() { return static_cast<Core>(cores() - 1); }

char char_of(size_t seed, size_t k) { return static_cast<char>(seed * 37 + k * 11 + (k >> 8) * 5); }

std::string text_of(size_t seed, size_t bytes) {
  std::string text(bytes, 0);
  for (size_t k = 0; k < bytes; ++k) text[k] = char_of(seed, k);
  return text;
}

template <class Text>
bool is_text(const Text& text, size_t seed, size_t bytes) {
  if (text.size() != bytes) return false;
  for (size_t k = 0; k < bytes; ++k) {
    if (text[k] != char_of(seed, k)) return false;
  }
  return true;
}

/// Lengths around those at which a payload is sent in parts.
std::vector<size_t> lengths() {
  const size_t whole = detail::largest_message();
  std::vector<size_t> all = {0, 1, 7, 8, 4096, 65535, 65536, size_t{1} << 20};
  for (size_t k = 0; k <= 48; k += 4) all.push_back(whole - k);
  for (size_t k = 0; k <= 48; k += 12) all.push_back(2 * whole - 24 - k);
  return all;
}

void reset() {
  on_all_cores([] {
    received = wrong = 0;
    last_from.assign(static_cast<size_t>(cores()), -1);
  });
}

int64_t sum_received() {
  return sum_all_cores([] { return received; });
}

int64_t sum_wrong() {
  return sum_all_cores([] { return wrong; });
}

TEST(PayloadCall, PassesTextOfAnyLengthAsAView) {
  for (const size_t bytes : lengths()) {
    for (Core core = 0; core < cores(); ++core) {
      const std::string text = text_of(bytes, bytes);
      const bool right = delegate::call(
          core, payload(text), [bytes](StringView view) { return is_text(view, bytes, bytes); });
      EXPECT_TRUE(right) << bytes << " bytes";
    }
  }
}

TEST(PayloadCall, PassesTextAsAnOwnedStringToABodyThatSuspends) {
  for (const size_t bytes : lengths()) {
    for (Core core = 0; core < cores(); ++core) {
      const bool right =
          delegate::call(core, payload(text_of(bytes, bytes)), [bytes](const std::string& text) {
            for (int turns = 0; turns < 3; ++turns) yield();
            const int64_t there = (mycore() + 1) % cores();
            delegate::call(there, [] {});
            return is_text(text, bytes, bytes);
          });
      EXPECT_TRUE(right) << bytes << " bytes";
    }
  }
}

TEST(PayloadCall, PassesAllKindsOfValuesInTheirOrder) {
  for (Core core = 0; core < cores(); ++core) {
    const std::vector<double> numbers = {1.5, 2.5};
    const std::pair<int32_t, std::string> both(7, "seven");
    const int64_t sum = delegate::call(
        core, payload("odd", numbers, 3, both, std::string("x"), View<double>(numbers)),
        [](StringView odd, View<double> first, int32_t n, const std::pair<int32_t, std::string>& p,
           StringView x, View<double> second) {
          const auto at = reinterpret_cast<uintptr_t>(first.data()) |
                          reinterpret_cast<uintptr_t>(second.data());
          const bool right = odd == "odd" && first.size() == 2 && first[1] == 2.5 && n == 3 &&
                             p.first == 7 && p.second == "seven" && x == "x" &&
                             second.size() == 2 && second[0] == 1.5 && at % alignof(double) == 0;
          return right ? 1 : 0;
        });
    EXPECT_EQ(1, sum);
    const size_t size = delegate::call(
        core, payload("abc", numbers),
        [](std::string text, std::vector<double> copy) { return text.size() + copy.size(); });
    EXPECT_EQ(size_t{5}, size);
  }
}

TEST(PayloadCall, ReturnsAnswersOfAnyLength) {
  for (const size_t bytes : lengths()) {
    for (Core core = 0; core < cores(); ++core) {
      const std::string answer =
          delegate::call(core, payload(), [bytes] { return text_of(bytes + 1, bytes); });
      EXPECT_TRUE(is_text(answer, bytes + 1, bytes)) << bytes << " bytes";
    }
  }
  const auto pieces = delegate::call<blocking>(last_core(), payload("a b"), [](StringView text) {
    return std::vector<std::string>{text.copy(), std::string(1, text[0])};
  });
  EXPECT_EQ((std::vector<std::string>{"a b", "a"}), pieces);
  EXPECT_EQ('y',
            delegate::call(last_core(), payload("xy"), [](StringView text) { return text[1]; }));
}

TEST(PayloadCall, IsCompleteWhenItsScopeEnds) {
  reset();
  const std::vector<size_t> all = lengths();
  finish([&all] {
    for (const size_t bytes : all) {
      for (Core core = 0; core < cores(); ++core) {
        delegate::call<async>(core, payload(text_of(bytes, bytes)), [bytes](StringView text) {
          ++received;
          wrong += !is_text(text, bytes, bytes);
        });
      }
    }
  });
  EXPECT_EQ(static_cast<int64_t>(all.size()) * cores(), sum_received());
  EXPECT_EQ(0, sum_wrong());
}

TEST(PayloadCall, OfAnySizeIsCompleteWhenItsEventIs) {
  reset();
  for (const size_t bytes : {size_t{10}, size_t{200000}}) {
    for (Core core = 0; core < cores(); ++core) {
      delegate::call<async, &event>(core, payload(text_of(1, bytes)), [](std::string text) {
        yield();
        received += static_cast<int64_t>(text.size());
      });
    }
  }
  event.wait();
  EXPECT_EQ(int64_t{200010} * cores(), sum_received());
}

TEST(PayloadCall, WorkThatABodyStartsBelongsToTheScope) {
  reset();
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      for (int k = 0; k < 20; ++k) {
        delegate::call<async>(core, payload("x"), [](StringView text) {
          const size_t n = text.size();
          spawn([n] {
            for (int turns = 0; turns < 20; ++turns) yield();
            received += static_cast<int64_t>(n);
          });
        });
        const std::string answer = delegate::call(core, payload("x"), [](StringView text) {
          spawn([] {
            for (int turns = 0; turns < 20; ++turns) yield();
            ++received;
          });
          return text.copy();
        });
        EXPECT_EQ("x", answer);
        const std::string large = delegate::call(core, payload(), [] {
          spawn([] {
            for (int turns = 0; turns < 20; ++turns) yield();
            ++received;
          });
          return std::string(150000, 'x');
        });
        EXPECT_EQ(size_t{150000}, large.size());
      }
    }
  });
  EXPECT_EQ(int64_t{60} * cores(), sum_received());
}

/// Number `number` of core `from`. Checks that the numbers of each sender arrive in order.
struct InOrder {
  Core from;
  int64_t number;
  template <class Text>
  void check(const Text& text) const {
    wrong += last_from[static_cast<size_t>(from)] + 1 != number;
    last_from[static_cast<size_t>(from)] = number;
    wrong += !text.empty() && text[text.size() - 1] != static_cast<char>(number);
    ++received;
  }
};
struct ViewInOrder : InOrder {
  explicit ViewInOrder(const InOrder& order) : InOrder(order) {}
  void operator()(StringView text) const { check(text); }
};
struct ValueInOrder : InOrder {
  explicit ValueInOrder(const InOrder& order) : InOrder(order) {}
  void operator()(const std::string& text) const {
    check(text);
    if (number % 7 == 0) yield();
  }
};

template <class Body>
void send_in_order() {
  reset();
  constexpr int64_t kEach = 60;
  const size_t whole = detail::largest_message();
  on_all_cores([whole] {
    finish([whole] {
      for (int64_t k = 0; k < kEach; ++k) {
        const size_t bytes =
            k % 3 == 0 ? static_cast<size_t>(k * 7919) % (3 * whole) : static_cast<size_t>(k);
        const std::string text(bytes, static_cast<char>(k));
        for (Core dest = 0; dest < cores(); ++dest) {
          delegate::call<async>(dest, payload(text), Body(InOrder{mycore(), k}));
        }
      }
    });
  });
  EXPECT_EQ(kEach * cores() * cores(), sum_received());
  EXPECT_EQ(0, sum_wrong());
}

TEST(PayloadCall, WithEqualBodiesBeginInProgramOrderRegardlessOfTheSizes) {
  send_in_order<ViewInOrder>();
  send_in_order<ValueInOrder>();
}

TEST(PayloadCall, ThatBlocksIsDoneWhenItReturnsAlsoAfterAnAsyncCall) {
  reset();
  for (Core core = 0; core < cores(); ++core) {
    finish([core] {
      delegate::call<async>(core, payload("a"), [](StringView) { ++received; });
      EXPECT_EQ(7, delegate::call(core, payload("b"), [](StringView) {
                  received += 10;
                  return 7;
                }));
      const int64_t now = delegate::call(core, [] { return received; });
      EXPECT_TRUE(now == 10 || now == 11) << now;
    });
  }
  EXPECT_EQ(int64_t{11} * cores(), sum_received());
}

std::vector<std::string> changing_texts;  // equal to `changing_text`
std::string changing_text;
bool sending;

TEST(PayloadCall, CopiesTheValuesBeforeItSuspends) {
  reset();
  sending = true;
  finish([] {
    spawn([] {
      for (size_t k = 0; sending; ++k) {
        changing_text.assign(k * 7919 % 9000, static_cast<char>('a' + k % 26));
        changing_texts.assign(k % 5, changing_text);
        yield();
      }
    });
    for (int k = 0; k < 1500; ++k) {
      const Core core = static_cast<Core>(k % cores());
      delegate::call<async>(core, payload(changing_texts, changing_text),
                            [](const std::vector<std::string>& copies, const std::string& copy) {
                              ++received;
                              for (const std::string& each : copies) wrong += each != copy;
                            });
      if (k % 16 == 0) yield();
    }
    sending = false;
  });
  EXPECT_EQ(1500, sum_received());
  EXPECT_EQ(0, sum_wrong());
}

TEST(PayloadCall, SendsALongAnswerWhileBuffersAreFree) {
  const auto overflows = [] { return counted("message.overflow"); };
  const uint64_t before = delegate::call(last_core(), overflows);
  const std::string answer = delegate::call(last_core(), payload(), [] {
    return std::string(size_t{400} * detail::largest_message(), 'x');
  });
  EXPECT_EQ(size_t{400} * detail::largest_message(), answer.size());
  EXPECT_GE(100u, delegate::call(last_core(), overflows) - before) << "of 400 parts";
}

TEST(PayloadCall, OfManyTasksIsNotMixed) {
  reset();
  on_all_cores([] {
    forall_here(0, 12, [](int64_t k) {
      for (int64_t turn = 0; turn < 8; ++turn) {
        const auto seed = static_cast<size_t>(mycore() * 1000 + k * 10 + turn);
        const size_t bytes = (seed * 7919) % 150000;
        const std::string text = text_of(seed, bytes);
        const int64_t dest = (mycore() + turn) % cores();
        const std::string back =
            delegate::call(dest, payload(text), [](StringView view) { return view.copy() + "!"; });
        ++received;
        wrong += back != text + "!";
      }
    });
  });
  EXPECT_EQ(int64_t{96} * cores(), sum_received());
  EXPECT_EQ(0, sum_wrong());
}

TEST(PayloadCall, MayBeStartedByTheBodyOfAnother) {
  reset();
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      delegate::call<async>(core, payload(std::string(1000, 'a')), [](StringView text) {
        for (Core next = 0; next < cores(); ++next) {
          delegate::call<async>(next, payload(text), [](StringView copy) {
            received += static_cast<int64_t>(copy.size());
          });
        }
      });
    }
  });
  EXPECT_EQ(int64_t{1000} * cores() * cores(), sum_received());
}

TEST(PayloadCall, SendsFourBytesWithTheBytesOfAString) {
  reset();
  const Gain bytes("message.bytes"), messages("message.messages");
  finish([] {
    for (int k = 0; k < 10000; ++k) {
      delegate::call<async>(last_core(), payload("twenty-four bytes long: "),
                            [](StringView text) { received += static_cast<int64_t>(text.size()); });
    }
  });
  EXPECT_LE(10000u * 28, bytes.value());
  EXPECT_GE(10000u * 29, bytes.value()) << "with the headers of runs, and few other messages";
  EXPECT_LE(10000u, messages.value());
  EXPECT_GE(10010u, messages.value());
  EXPECT_EQ(240000, sum_received());
}

}  // namespace
