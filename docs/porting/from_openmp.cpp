#include <Grappa.hpp>

#include <cstdint>
#include <iostream>

using namespace Grappa;

constexpr int64_t kCount = 10007;
constexpr int64_t kKeys = 97;

int64_t key_of(int64_t i) { return i * i % kKeys; }
int64_t score_of(int64_t i) { return i * 7919 % kCount; }

struct Best {
  int64_t score, index;
};

Best better(const Best& a, const Best& b) { return a.score > b.score ? a : b; }

// At file scope: one object on each core.
Reducer<int64_t, ReducerType::Add> total;
Reducer<int64_t, ReducerType::Add> leaves;
Best best_here = {-1, -1};

/// Spawns one task per child, which any idle core may steal.
void walk(int64_t depth) {
  if (depth == 0) {
    ++leaves;
    return;
  }
  for (int child = 0; child < 2; ++child) {
    spawn<unbound>([depth] { walk(depth - 1); });
  }
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // A loop, and a sum.
    GlobalAddress<int64_t> squares = global_alloc<int64_t>(kCount);
    forall(squares, kCount, [](int64_t i, int64_t& square) { square = i * i; });
    forall(squares, kCount, [](int64_t& square) { total += square; });
    std::cout << "sum of squares: " << total << std::endl;
    global_free(squares);

    // Many increments of a few words.
    GlobalAddress<int64_t> counts = global_alloc<int64_t>(kKeys);
    memset(counts, 0, kKeys);
    forall(0, kCount, [counts](int64_t i) { delegate::increment<async>(counts + key_of(i), 1); });
    std::cout << "key 4 came " << delegate::read(counts + 4) << " times" << std::endl;
    global_free(counts);

    // Two words that change together.
    Best best = {-1, -1};
    const GlobalAddress<Best> at = make_global(&best);
    forall(0, kCount, [at](int64_t i) {
      const Best mine = {score_of(i), i};
      delegate::call<async>(at, [mine](Best& there) { there = better(there, mine); });
    });
    std::cout << "the best is " << best.index << " with " << best.score << std::endl;

    // The same result, but each core finds its own best first.
    forall(0, kCount, [](int64_t i) { best_here = better(best_here, Best{score_of(i), i}); });
    const Best same = reduce<Best, better>(&best_here);
    GRAPPA_CHECK(same.index == best.index);

    // Tasks that start tasks; all tasks have ended when finish returns.
    finish([] { walk(10); });
    std::cout << "leaves: " << leaves << std::endl;
  });
  return finalize();
}
