#include "structures/global_map.hpp"
#include "structures/global_queue.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <iostream>

using namespace Grappa;

int64_t most = 0;
int64_t taken = 0;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Counts how often each key occurs.
    GlobalAddress<GlobalMap<int64_t, int64_t>> counts = GlobalMap<int64_t, int64_t>::create();
    forall(0, 100000, [counts](int64_t i) {
      counts->insert_or_combine<async>(i * i % 1000, 1, collective_add<int64_t>);
    });
    int64_t count = 0;
    counts->lookup(25, &count);
    std::cout << "25 came " << count << " times" << std::endl;

    // The largest count: each core finds the maximum of its own entries.
    forall(counts, [](const int64_t&, int64_t& value) { most = std::max(most, value); });
    std::cout << "the most frequent key came " << reduce<int64_t, collective_max>(&most) << " times"
              << std::endl;
    counts->destroy();

    // Work that creates work: each number creates two larger numbers, up to a limit.
    GlobalAddress<GlobalQueue<int64_t>> queue = GlobalQueue<int64_t>::create();
    queue->push(1);
    while (!queue->empty()) {
      on_all_cores([queue] {
        int64_t batch[64];
        while (const int64_t n = queue->try_pop(batch, 64)) {
          taken += n;
          for (int64_t k = 0; k < n; ++k) {
            if (2 * batch[k] < 10000) queue->push<async>(2 * batch[k]);
            if (2 * batch[k] + 1 < 10000) queue->push<async>(2 * batch[k] + 1);
          }
        }
      });
    }
    std::cout << reduce<int64_t, collective_add>(&taken) << " numbers were taken" << std::endl;
    queue->destroy();
  });
  return finalize();
}
