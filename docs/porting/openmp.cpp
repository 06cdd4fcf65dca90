#include <cstdint>
#include <iostream>
#include <vector>

constexpr int64_t kCount = 10007;
constexpr int64_t kKeys = 97;

int64_t key_of(int64_t i) { return i * i % kKeys; }
int64_t score_of(int64_t i) { return i * 7919 % kCount; }

struct Best {
  int64_t score, index;
};

int64_t leaves = 0;

/// Spawns one task per child.
void walk(int64_t depth) {
  if (depth == 0) {
#pragma omp atomic
    ++leaves;
    return;
  }
  for (int child = 0; child < 2; ++child) {
#pragma omp task
    walk(depth - 1);
  }
}

int main() {
  {
    // A loop, and a sum.
    std::vector<int64_t> squares(kCount);
#pragma omp parallel for
    for (int64_t i = 0; i < kCount; ++i) squares[i] = i * i;
    int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int64_t i = 0; i < kCount; ++i) sum += squares[i];
    std::cout << "sum of squares: " << sum << std::endl;
  }
  {
    // Many increments of a few words.
    std::vector<int64_t> counts(kKeys);
#pragma omp parallel for
    for (int64_t i = 0; i < kCount; ++i) {
#pragma omp atomic
      ++counts[key_of(i)];
    }
    std::cout << "key 4 came " << counts[4] << " times" << std::endl;
  }
  {
    // Two words that change together.
    Best best = {-1, -1};
#pragma omp parallel for
    for (int64_t i = 0; i < kCount; ++i) {
      const Best mine = {score_of(i), i};
#pragma omp critical
      if (mine.score > best.score) best = mine;
    }
    std::cout << "the best is " << best.index << " with " << best.score << std::endl;
  }
  {
    // Tasks that start tasks; all tasks have ended at the end of the region.
#pragma omp parallel
#pragma omp single
    walk(10);
    std::cout << "leaves: " << leaves << std::endl;
  }
  return 0;
}
