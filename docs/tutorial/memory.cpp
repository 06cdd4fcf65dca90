#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

struct Tally {
  int64_t calls = 0;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // An array over all cores, and the owners of two of its elements.
    const int64_t n = 1000;
    GlobalAddress<int64_t> squares = global_alloc<int64_t>(n);
    memset(squares, 0, n);
    std::cout << "element 0 is owned by core " << squares.core() << ", element 8 by core "
              << (squares + 8).core() << std::endl;

    // Each owner sets its elements; then the main task copies two of them.
    forall(squares, n, [](int64_t i, int64_t& square) { square = i * i; });
    int64_t last_two[2];
    memcpy(last_two, squares + n - 2, 2);
    std::cout << "the last two are " << last_two[0] << " and " << last_two[1] << std::endl;

    // One object on every core, under one address.
    GlobalAddress<Tally> tally = symmetric<Tally>();
    forall(squares, n, [tally](int64_t&) { ++tally->calls; });
    forall(tally, [](Tally& mine) { mine.calls *= 2; });
    const int64_t calls = sum_all_cores([tally] { return tally->calls; });
    std::cout << calls << " calls in all, counted twice" << std::endl;

    global_free(tally);
    global_free(squares);
  });
  return finalize();
}
