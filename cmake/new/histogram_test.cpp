#include "histogram.hpp"

#include <Grappa.hpp>

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    const int64_t keys = 10;
    const auto counts = new_histogram(keys);
    count_squares(counts, keys, 100);
    // The last digits of ten consecutive squares are 0 1 4 9 6 5 6 9 4 1.
    const int64_t expected[keys] = {10, 20, 0, 0, 20, 10, 20, 0, 0, 20};
    for (int64_t key = 0; key < keys; ++key) {
      const int64_t count = Grappa::delegate::read(counts + key);
      GRAPPA_CHECK(count == expected[key])
          << "digit " << key << " was counted " << count << " times";
    }
    Grappa::global_free(counts);
  });
  return Grappa::finalize();
}
