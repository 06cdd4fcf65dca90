/// Legal programs that checked mode must not report.

#include <Grappa.hpp>

#include "structures/global_map.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_vector.hpp"
#include "structures/graph/graph.hpp"

#include "system/base/checked_mode.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace Grappa { namespace {

typedef Graph<int64_t, int64_t> SmallGraph;

int64_t at_file_scope = 0;
int64_t function(int64_t x) { return x + 1; }

TEST(CheckedMode, IsOnInThisTest) { ASSERT_TRUE(detail::checked_mode()); }

TEST(CheckedMode, MovesTheHeapAwayFromSmallAddresses) {
  if (GRAPPA_ASAN || GRAPPA_TSAN) GTEST_SKIP() << "a sanitizer has its own heap";
  for (size_t bytes = 16; bytes <= 1024 * 1024; bytes *= 2) {
    const std::unique_ptr<char[]> piece(new char[bytes]);
    EXPECT_TRUE(detail::is_private_memory(reinterpret_cast<uintptr_t>(piece.get()))) << bytes;
  }
}

TEST(CheckedMode, AllowsObjectsOfFileScope) {
  int64_t* const word = &at_file_scope;
  on_all_cores([word] { *word = mycore(); });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(core, delegate::call(core, [word] { return *word; }));
  }
}

TEST(CheckedMode, AllowsFunctionsAndLiterals) {
  int64_t (*const call)(int64_t) = function;
  const char* const text = "literal";
  const auto body = [call, text] { return call(static_cast<int64_t>(std::strlen(text))); };
  EXPECT_EQ(8, delegate::call(cores() - 1, body));
}

TEST(CheckedMode, AllowsSymmetricObjectsAndGlobalAddresses) {
  const GlobalAddress<int64_t> object = symmetric<int64_t>();
  int64_t* const mine = object.pointer();
  int64_t on_stack = 0;
  const GlobalAddress<int64_t> sum = make_global(&on_stack);
  on_all_cores([mine, sum] {
    *mine = mycore() + 1;
    delegate::increment(sum, *mine);
  });
  EXPECT_EQ(int64_t{cores()} * (cores() + 1) / 2, on_stack);
  global_free(object);
}

TEST(CheckedMode, AllowsReferencesInClosuresThatStay) {
  int64_t sum = 0;
  finish([&sum] { spawn([&sum] { ++sum; }); });
  forall_here(0, 10, [&sum](int64_t) { ++sum; });
  CompletionEvent done;
  spawn(&done, [&sum] { ++sum; });
  done.wait();
  EXPECT_EQ(12, sum);
}

TEST(CheckedMode, AllowsReferencesInLoopsOverLocalNeighbours) {
  TupleGraph edges = TupleGraph::from_edges(3, {{0, 1}, {1, 2}, {0, 2}});
  const auto g = SmallGraph::create(edges);
  forall(g, [g](SmallGraph::Vertex& v) {
    int64_t n = 0;
    forall(adj(g, v), [&n](SmallGraph::Edge&) { ++n; });
    ASSERT_EQ(v.nadj, n);
  });
  g->destroy();
  edges.destroy();
}

TEST(CheckedMode, AllowsRandomNumbers) {
  const GlobalAddress<uint64_t> words = global_alloc<uint64_t>(1000);
  memset(words, uint64_t{0}, 1000);
  on_all_cores([words] {
    std::mt19937_64 random(static_cast<uint64_t>(mycore()));
    for (int k = 0; k < 20000; ++k) {
      const uint64_t x = random();
      delegate::call<async>(words + static_cast<int64_t>(x % 1000), [x](uint64_t& w) { w ^= x; });
    }
  });
  global_free(words);
}

TEST(CheckedMode, AllowsNumbersBelow2ToThe32) {
  for (uint64_t x = 0; x < uint64_t{1} << 32; x += (uint64_t{1} << 32) / 5000 + 8) {
    delegate::call(cores() - 1, [x] { return x; });
  }
}

// A word in a global structure may look like an address.
TEST(CheckedMode, AllowsAddressesAsValues) {
  int64_t on_stack = 0;
  int64_t* const address = &on_stack;
  const uint64_t number = reinterpret_cast<uint64_t>(address);
  const GlobalAddress<uint64_t> words = global_alloc<uint64_t>(2);
  delegate::write(words, number);
  delegate::write<async>(words + 1, number);
  EXPECT_EQ(number, delegate::read(words));
  delegate::fetch_and_add(words, number);
  delegate::increment<async>(words, number);
  delegate::compare_and_swap(words, number, number);
  memset(words, number, 2);
  const auto map = GlobalMap<uint64_t, uint64_t>::create();
  map->insert(number, number);
  uint64_t found = 0;
  EXPECT_TRUE(map->lookup(number, &found));
  const auto vector = GlobalVector<uint64_t>::create(10);
  vector->push(number);
  const auto queue = GlobalQueue<uint64_t>::create(10);
  queue->push(number);
  queue->clear();
}

TEST(CheckedMode, AllowsAllElementsOfAnAllocation) {
  constexpr int64_t n = 1001;
  const GlobalAddress<int64_t> before = global_alloc<int64_t>(n);
  const GlobalAddress<int64_t> words = global_alloc<int64_t>(n);
  memset(words, 7, n);
  std::vector<int64_t> copy(n);
  memcpy(copy.data(), words, n);
  EXPECT_EQ(7, copy.back());
  finish([words] { delegate::write<async>(words + (n - 1), 8); });
  EXPECT_EQ(8, delegate::read(words + (n - 1)));
  EXPECT_EQ(n, words + n - words);
  EXPECT_EQ(-n, words - (words + n));
  EXPECT_LE(n, (words + (n - 1)).block_max() - words);
  EXPECT_EQ(0, before + n - (before + n));
  global_free(before);
  global_free(words);
}

TEST(CheckedMode, AllowsReallocatedMemory) {
  for (int64_t n = 1; n < 100000; n *= 3) {
    const GlobalAddress<char> bytes = global_alloc<char>(n);
    delegate::write(bytes + (n - 1), 'x');
    global_free(bytes);
    const GlobalAddress<int64_t> object = symmetric<int64_t>();
    delegate::write(make_global(object.pointer(), cores() - 1), n);
    global_free(object);
  }
}

TEST(CheckedMode, AllowsPointersToElementsOfThisCoreAndToSymmetricObjects) {
  const GlobalAddress<int64_t> words = global_alloc<int64_t>(1000);
  const GlobalAddress<int64_t> object = symmetric<int64_t>();
  forall(words, 1000, [words, object](int64_t i, int64_t& word) {
    ASSERT_EQ(&word, (words + i).operator->());
    *(words + i) = i;
    *object = i;
  });
  EXPECT_EQ(999, delegate::read(words + 999));
  global_free(object);
  global_free(words);
}

TEST(CheckedMode, AllowsAllVerticesOfAGraph) {
  TupleGraph edges = TupleGraph::Kronecker(8, 1000, 1, 2);
  const auto g = SmallGraph::create(edges);
  for (VertexID v = 0; v < g->nv; ++v) {
    delegate::call<async>(g->vs + v, [](SmallGraph::Vertex& there) { there.data = 1; });
    forall(adj(g, v), [](SmallGraph::Edge& e) { e.data = e.id; });
  }
  g->destroy();
  edges.destroy();
}

struct Padded {
  int32_t number;
  // 4 bytes of padding
  int64_t word;
  char letter;
  // 7 bytes of padding
};

// Not every compiler can clear padding.
#if !defined(__clang__)
TEST(CheckedMode, IgnoresPadding) {
  int64_t on_stack = 0;
  const uint64_t address = reinterpret_cast<uint64_t>(&on_stack);
  for (size_t offset : {size_t{0}, size_t{16}}) {
    struct Body {
      Padded padded;
      void operator()() const {}
    };
    alignas(Body) char bytes[sizeof(Body)] = {};
    std::memcpy(bytes + offset, &address, sizeof address);
    const Body* const body = reinterpret_cast<const Body*>(bytes);
    if (offset == 0) {  // the upper half is padding; the lower half has the bits of an address
      int32_t lower;
      std::memcpy(&lower, &address, sizeof lower);
      ASSERT_EQ(lower, body->padded.number);
    }
    delegate::call(cores() - 1, *body);
  }
}
#endif

TEST(CheckedMode, ExemptsUncheckedClosures) {
  int64_t sum = 0;
  int64_t* const mine = &sum;
  const Core home = mycore();
  const auto to_and_fro = [mine, home] {
    const auto back = [mine] { ++*mine; };
    delegate::call(home, unchecked(back));
  };
  delegate::call(cores() - 1, unchecked(to_and_fro));
  on_all_cores(unchecked(to_and_fro));
  EXPECT_EQ(1 + cores(), sum);
  const auto add = [mine](int64_t& word) { return word += mine != nullptr ? 1 : 0; };
  EXPECT_EQ(1, delegate::call(make_global(new int64_t(0)), unchecked(add)));
  const auto in_loop = [mine](int64_t) { (void)mine; };
  forall(0, 100, unchecked(in_loop));
  finish([&to_and_fro] { spawn<unbound>(unchecked(to_and_fro)); });
}

// Memory below the stack pointer is unused, so checked mode ignores its addresses.
TEST(CheckedMode, DoesNotReportUnusedStack) {
  volatile int64_t* below = nullptr;
  [&below] {
    volatile char large[4000];
    large[0] = 0;
    below = reinterpret_cast<volatile int64_t*>(&large[0]);
  }();
  const uint64_t word = reinterpret_cast<uint64_t>(below) - 2000;
  delegate::call(cores() - 1, [word] { return word; });
}

}}  // namespace Grappa
