#include <Grappa.hpp>

#include <iostream>
#include <numeric>
#include <vector>

using namespace Grappa;

/// The values that other cores have sent to this core.
struct Received {
  std::vector<int64_t> values;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const int64_t n = 100000;
    GlobalAddress<int64_t> numbers = global_alloc<int64_t>(n);
    GlobalAddress<int64_t> backup = global_alloc<int64_t>(n);
    forall(numbers, n, [](int64_t i, int64_t& number) { number = i; });

    // Copies between global arrays, and from a global array to the memory of this core.
    memcpy(backup, numbers, n);
    std::vector<int64_t> piece(1000);
    memcpy(piece.data(), backup + 5000, 1000);
    std::cout << "sum of a piece: " << std::accumulate(piece.begin(), piece.end(), int64_t{0})
              << std::endl;

    // Several copies at a time: the finish waits for all of them.
    finish([&piece, numbers] {
      for (int64_t k = 0; k < 10; ++k) {
        memcpy_async(piece.data() + 100 * k, numbers + 10000 * k, 100);
      }
    });
    std::cout << "the last piece begins with " << piece[900] << std::endl;

    // A range that is read, changed and written back.
    {
      Incoherent<int64_t>::RW stretch(numbers + 5000, 1000);
      for (int64_t k = 0; k < 1000; ++k) stretch[k] *= 2;
    }
    std::cout << "number 5001 is now " << delegate::read(numbers + 5001) << std::endl;

    // Sends values to the object of each core, with the code that adds them.
    GlobalAddress<Received> received = symmetric<Received>();
    finish([&piece, received] {
      for (Core core = 0; core < cores(); ++core) {
        delegate::call<async>(make_global(received.pointer(), core), payload(piece),
                              [](Received& there, View<int64_t> values) {
                                there.values.insert(there.values.end(), values.begin(),
                                                    values.end());
                              });
      }
    });
    const int64_t values =
        sum_all_cores([received] { return static_cast<int64_t>(received->values.size()); });
    std::cout << "values per core: " << values / cores() << std::endl;

    global_free(received);
    global_free(backup);
    global_free(numbers);
  });
  return finalize();
}
