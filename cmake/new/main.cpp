/// An example program: a histogram that is distributed over all cores.

#include "histogram.hpp"

#include <Grappa.hpp>

#include <iostream>
#include <string>

DEFINE_int64(n, 1000000, "how many squares to count");
DEFINE_int64(keys, 1000, "number of counts in the histogram");

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  if (FLAGS_keys < 1) {
    Grappa::input_error("--keys: invalid value " + std::to_string(FLAGS_keys) +
                        ", expected at least 1");
  }
  Grappa::run([] {
    const auto counts = new_histogram(FLAGS_keys);
    count_squares(counts, FLAGS_keys, FLAGS_n);
    std::cout << Grappa::cores() << " cores counted " << FLAGS_n << " squares; key 0 occurred "
              << Grappa::delegate::read(counts) << " times" << std::endl;
    Grappa::global_free(counts);
  });
  return Grappa::finalize();
}
