#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

/// A table that the program reads often, and that fits in the memory of a host.
double* table = nullptr;

/// Creates one table per locale. The first core of the locale allocates and fills the table, and
/// sends the pointer to all cores of the locale.
void share_table(int64_t n) {
  on_all_cores([n] {
    if (locale_mycore() != 0) return;
    double* shared = locale_new_array<double>(n);
    for (int64_t i = 0; i < n; ++i) shared[i] = 0.5 * static_cast<double>(i);
    for (Core core = 0; core < cores(); ++core) {
      if (locale_of(core) == mylocale()) delegate::call(core, [shared] { table = shared; });
    }
  });
}

/// The partial sum of one core.
struct Tally {
  double sum = 0;
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const int64_t n = 1000;
    share_table(n);
    GlobalAddress<int64_t> keys = global_alloc<int64_t>(n);
    GlobalAddress<Tally> tally = symmetric<Tally>();
    forall(keys, n, [](int64_t i, int64_t& key) { key = i * 7919 % n; });
    // Key, table and tally are on the core that runs the body: no element costs a message.
    forall(keys, n, [tally](int64_t& key) { tally->sum += table[key]; });
    std::cout << "sum: " << sum_all_cores([tally] { return tally->sum; }) << std::endl;

    on_all_cores([] {
      if (locale_mycore() == 0) locale_free(table);
    });
    global_free(tally);
    global_free(keys);
  });
  return finalize();
}
