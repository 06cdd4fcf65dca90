/// Tests of calls with a payload at an object of another core.

#include <Grappa.hpp>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using namespace Grappa;

/// A node of a trie that a core holds.
struct Node {
  std::string text;
  int64_t sum = 0;
};

Node node;  // one on each core
int64_t wrong = 0;

GlobalAddress<Node> node_of(Core core) { return make_global(&node, core); }

TEST(PayloadAtAddress, IsTakenAfterTheObject) {
  on_all_cores([] { node = Node(); });
  for (Core core = 0; core < cores(); ++core) {
    const std::string large(static_cast<size_t>(core) * 100000, 'x');
    const std::string answer = delegate::call(node_of(core), payload(large, "end"),
                                              [core](Node& at, StringView text, StringView end) {
                                                wrong += &at != &node || mycore() != core;
                                                at.text = text.copy() + end.copy();
                                                return std::to_string(at.text.size());
                                              });
    EXPECT_EQ(std::to_string(large.size() + 3), answer);
    EXPECT_EQ(large.size() + 3, delegate::call(core, [] { return node.text.size(); }));
  }
  EXPECT_EQ(0, sum_all_cores([] { return wrong; }));
}

TEST(PayloadAtAddress, MayBeOwnedByABodyThatSuspends) {
  on_all_cores([] { node = Node(); });
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(node_of(core), payload(std::vector<int64_t>{1, 2, 3}),
                   [](Node& at, const std::vector<int64_t>& numbers) {
                     for (const int64_t n : numbers) {
                       yield();
                       at.sum += n;
                     }
                   });
    EXPECT_EQ(6, delegate::call(node_of(core), [](Node& at) { return at.sum; }));
  }
}

TEST(PayloadAtAddress, IsWorkOfTheScopeOfAnAsyncCall) {
  on_all_cores([] { node = Node(); });
  on_all_cores([] {
    forall_here(0, 100, [](int64_t k) {
      const std::vector<int64_t> numbers(static_cast<size_t>(k), 1);
      delegate::call<async>(node_of(static_cast<Core>(k % cores())), payload(numbers),
                            [](Node& at, View<int64_t> ones) {
                              for (const int64_t one : ones) at.sum += one;
                            });
    });
  });
  EXPECT_EQ(4950 * cores(), sum_all_cores([] { return node.sum; }));
}

TEST(PayloadAtAddress, AnswersAFuture) {
  on_all_cores([] { node = Node(); });
  std::vector<Future<std::string>> answers;
  for (Core core = 0; core < cores(); ++core) {
    answers.push_back(delegate::call_future(node_of(core), payload("a", core),
                                            [](Node& at, StringView text, Core number) {
                                              at.text = text.copy() + std::to_string(number);
                                              return at.text + "!";
                                            }));
  }
  for (Core core = 0; core < cores(); ++core) {
    const std::string expected = "a" + std::to_string(core);
    EXPECT_EQ(expected + "!", answers[static_cast<size_t>(core)].get());
    EXPECT_EQ(expected.size(), delegate::call(core, [] { return node.text.size(); }));
  }
}

/// An element of a global array, whose owner the caller does not know.
TEST(PayloadAtAddress, RunsAtTheOwnerOfAnElement) {
  const int64_t n = 1000;
  const GlobalAddress<int64_t> array = global_alloc<int64_t>(n);
  forall(array, n, [](int64_t& element) { element = 0; });
  forall(0, n, [array](int64_t k) {
    const std::vector<int64_t> more = {k, 1};
    delegate::call<async>(array + k, payload(more), [](int64_t& element, View<int64_t> numbers) {
      element += numbers[0] + numbers[1];
    });
  });
  for (int64_t k = 0; k < n; k += 37) EXPECT_EQ(k + 1, delegate::read(array + k));
  global_free(array);
}

}  // namespace
