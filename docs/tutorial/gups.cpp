#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

DEFINE_int64(words, 1 << 16, "number of words in the table");
DEFINE_int64(updates, 1 << 13, "number of random updates");

/// Maps an index to a pseudorandom number.
uint64_t scrambled(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
  return x ^ (x >> 33);
}

/// One task, one update at a time.
void one_by_one(GlobalAddress<int64_t> table, GlobalAddress<int64_t> indices) {
  for (int64_t i = 0; i < FLAGS_updates; ++i) {
    const int64_t index = delegate::read(indices + i);
    delegate::increment(table + index, 1);
  }
}

/// Many tasks: while one task waits, other tasks run.
void in_parallel(GlobalAddress<int64_t> table, GlobalAddress<int64_t> indices) {
  forall(0, FLAGS_updates, [table, indices](int64_t i) {
    const int64_t index = delegate::read(indices + i);
    delegate::increment(table + index, 1);
  });
}

/// Each index is read by its owner.
void at_the_owner(GlobalAddress<int64_t> table, GlobalAddress<int64_t> indices) {
  forall(indices, FLAGS_updates,
         [table](int64_t& index) { delegate::increment(table + index, 1); });
}

/// No task waits for a single update; the loop returns when all updates have completed.
void without_waiting(GlobalAddress<int64_t> table, GlobalAddress<int64_t> indices) {
  forall(indices, FLAGS_updates,
         [table](int64_t& index) { delegate::increment<async>(table + index, 1); });
}

template <class Step>
void time(const char* name, GlobalAddress<int64_t> table, GlobalAddress<int64_t> indices,
          Step step) {
  memset(table, 0, FLAGS_words);
  const double start = walltime();
  step(table, indices);
  const double seconds = walltime() - start;

  GlobalAddress<int64_t> sum = symmetric<int64_t>();
  forall(table, FLAGS_words, [sum](int64_t& word) { *sum.pointer() += word; });
  const int64_t found = reduce<int64_t, collective_add>(sum);
  global_free(sum);
  std::cout << name << ": " << found << " updates" << std::endl;
  std::cerr << "  " << static_cast<double>(found) / seconds / 1e6 << " million a second\n";
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    GlobalAddress<int64_t> table = global_alloc<int64_t>(FLAGS_words);
    GlobalAddress<int64_t> indices = global_alloc<int64_t>(FLAGS_updates);
    forall(indices, FLAGS_updates, [](int64_t i, int64_t& index) {
      index = static_cast<int64_t>(scrambled(static_cast<uint64_t>(i)) %
                                   static_cast<uint64_t>(FLAGS_words));
    });
    time("one by one", table, indices, one_by_one);
    time("in parallel", table, indices, in_parallel);
    time("at the owner", table, indices, at_the_owner);
    time("without waiting", table, indices, without_waiting);
    global_free(indices);
    global_free(table);
  });
  return finalize();
}
