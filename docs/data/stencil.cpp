#include <Grappa.hpp>

#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

using namespace Grappa;

const int64_t kRows = 64, kColumns = 48, kSteps = 100;

/// The contiguous rows of one core.
struct Part {
  Part() {
    first = kRows * mycore() / cores();
    rows = kRows * (mycore() + 1) / cores() - first;
    now.resize((rows + 2) * kColumns);
    next = now;
  }
  double* row(int64_t r) { return &now[r * kColumns]; }  // 0 and rows + 1: neighbour rows

  int64_t first;
  int64_t rows;
  std::vector<double> now, next;
};

/// Sends the first and the last row of a part to the cores that own the adjacent rows.
void send_borders(GlobalAddress<Part> parts, GlobalAddress<double> above,
                  GlobalAddress<double> below) {
  forall(parts, [above, below](Part& mine) {
    const Core core = mycore();
    if (core > 0) memcpy_async(make_global(below.pointer(), core - 1), mine.row(1), kColumns);
    if (core + 1 < cores()) {
      memcpy_async(make_global(above.pointer(), core + 1), mine.row(mine.rows), kColumns);
    }
  });
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    GRAPPA_CHECK(cores() <= kRows) << "each core needs a row";
    GlobalAddress<Part> parts = symmetric<Part>();
    // The rows that arrive from the neighbours, at one address on every core.
    GlobalAddress<double> above = symmetric_global_alloc<double>(kColumns);
    GlobalAddress<double> below = symmetric_global_alloc<double>(kColumns);
    on_all_cores([above, below] {
      std::fill_n(above.pointer(), kColumns, mycore() == 0 ? 100.0 : 0.0);  // the hot edge
      std::fill_n(below.pointer(), kColumns, 0.0);
    });

    for (int64_t step = 0; step < kSteps; ++step) {
      send_borders(parts, above, below);
      // All borders have arrived: a blocking loop waits for all copies that its bodies started.
      forall(parts, [above, below](Part& mine) {
        std::copy_n(above.pointer(), kColumns, mine.row(0));
        std::copy_n(below.pointer(), kColumns, mine.row(mine.rows + 1));
        for (int64_t r = 1; r <= mine.rows; ++r) {
          const double* here = mine.row(r);
          double* next = &mine.next[r * kColumns];
          for (int64_t c = 1; c + 1 < kColumns; ++c) {
            next[c] = (here[c - kColumns] + here[c + kColumns] + here[c - 1] + here[c + 1]) / 4;
          }
        }
        std::swap(mine.now, mine.next);
      });
    }

    const double middle = sum_all_cores([parts] {
      const int64_t r = 2 - parts->first;  // only one core has row 2
      return 0 <= r && r < parts->rows ? parts->row(r + 1)[kColumns / 2] : 0.0;
    });
    std::cout << "row 2 has " << static_cast<int64_t>(middle) << " degrees in the middle"
              << std::endl;
    global_free(parts);
    global_free(above);
    global_free(below);
  });
  return finalize();
}
